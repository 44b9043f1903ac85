//! Every reason to refuse a job, among them those that the tests of crates.io list.

use serde_json::{Value, json};

use super::issuer::{Issuer, now};
use super::{Trusting, github, gitlab, settings};
use crate::harness::{Registry, Skill, User};

/// Asserts that a job is refused with a sentence that has these words.
#[track_caller]
fn refused(world: &Trusting, claims: &Value, words: &str) {
    let token = world.issuer.token(claims);
    let response = world.exchange(&token);
    let why = response.detail(403, "forbidden");
    assert!(why.contains(words), "{claims}: {why}");
    let signature = token.rsplit('.').next().unwrap();
    assert!(!response.text().contains(signature), "{why}");
}

#[test]
fn job_that_no_publisher_names_is_refused() {
    let world = Trusting::start();
    world.trust(&json!({"environment": "release"})).expect(201);
    let good = json!({"environment": "release"});
    world.job(&github(&good));
    let with = |changes: Value| {
        let mut claims = github(&good);
        super::merge(&mut claims, &changes);
        claims
    };
    let other = "other/skills/.github/workflows/publish.yml@refs/heads/main";
    for (changes, words) in [
        // Events in which the code of strangers runs.
        (json!({"event_name": "pull_request_target"}), "`pull_request_target`"),
        (json!({"event_name": "workflow_run"}), "`workflow_run`"),
        (json!({"event_name": null}), "no claim `event_name`"),
        // The repository, and its owner who may have another by now.
        (json!({"repository": "other/skills", "workflow_ref": other}), "`other/skills`"),
        (json!({"repository": null}), "no claim `repository`"),
        (json!({"repository": "what?"}), "no workflow file of what?"),
        (json!({"repository_owner_id": "43"}), "has the id 43"),
        (json!({"repository_owner_id": "what?"}), "has the id what?"),
        (json!({"repository_owner_id": "a b"}), "unusable owner id"),
        (json!({"repository_owner_id": null}), "no claim `repository_owner_id`"),
        // The workflow file.
        (json!({"workflow_ref": "acme/skills/.github/workflows/other.yml@refs/heads/main"}), "`other.yml`"),
        (json!({"workflow_ref": "acme/skills/publish.yml@refs/heads/main"}), "no workflow file"),
        (json!({"workflow_ref": other}), "no workflow file of acme/skills"),
        (json!({"workflow_ref": "what?"}), "no workflow file"),
        (json!({"workflow_ref": "acme/skills/.github/workflows/@refs/heads/main"}), "no workflow file"),
        (json!({"workflow_ref": null, "job_workflow_ref": null}), "no claim `job_workflow_ref`"),
        // The environment.
        (json!({"environment": null}), "needs an environment"),
        (json!({"environment": "test"}), "another environment than `test`"),
        // The rest of what is shown.
        (json!({"sha": null}), "no claim `sha`"),
        (json!({"sha": "<script>"}), "unusable commit"),
        (json!({"ref": "a\nb"}), "unusable ref"),
    ] {
        refused(&world, &with(changes), words);
    }
    // Not what others have named: a stranger must not learn it.
    let why = world.exchange(&world.issuer.token(&with(json!({"repository_owner_id": "43"})))).text();
    assert!(!why.contains("42") && !why.contains("Acme/Skills"), "{why}");
    // Another skill, another namespace, and one that does not exist.
    for what in [
        json!({"namespace": "tools", "slug": "other"}),
        json!({"namespace": "tools"}),
        json!({"namespace": "global", "slug": "hello"}),
        json!({"namespace": "nowhere", "slug": "hello"}),
    ] {
        let why = world.exchange_for(&world.issuer.token(&with(json!({}))), &what).detail(403, "forbidden");
        assert!(why.contains("no trusted publisher names the repository `acme/skills`"), "{why}");
    }
}

#[test]
fn job_of_gitlab_that_no_publisher_names_is_refused() {
    let world = Trusting::start();
    let terms = json!({
        "issuer": "gitlab", "repository": "acme/sub/skills", "ownerId": "77", "workflow": "ci/publish.yml",
    });
    world.trust(&terms).expect(201);
    world.job(&gitlab(&json!({"project_path": "ACME/sub/Skills"})));
    for (changes, words) in [
        (json!({"pipeline_source": "merge_request_event"}), "`merge_request_event`"),
        (json!({"pipeline_source": "parent_pipeline"}), "`parent_pipeline`"),
        (json!({"ref_path": "refs/merge-requests/7/head"}), "of a merge request"),
        (json!({"pipeline_source": "external_pull_request_event"}), "`external_pull_request_event`"),
        (json!({"project_path": "what?"}), "no file of what?"),
        (json!({"project_path": "no-slash"}), "no file of no-slash"),
        (json!({"project_path": "skills"}), "no trusted publisher names the repository `skills`"),
        (json!({"ci_config_ref_uri": "what?"}), "`ci_config_ref_uri`"),
        (
            json!({"ci_config_ref_uri": "gitlab.com/evil/x//ci/publish.yml@refs/heads/main"}),
            "no file of acme",
        ),
        (json!({"ci_config_ref_uri": "gitlab.com/acme/sub/skills//x.yml@refs/heads/main"}), "`x.yml`"),
        (json!({"namespace_id": "999"}), "has the id 999"),
        (json!({"namespace_id": null}), "no claim `namespace_id`"),
    ] {
        refused(&world, &gitlab(&changes), words);
    }
}

#[test]
fn token_that_is_not_valid_is_refused() {
    let world = Trusting::start();
    world.trust(&json!({})).expect(201);
    for broken in ["broken", "", "a.b.c", "..", "e30.e30.e30"] {
        let why = world.exchange(broken).detail(400, "invalid_request");
        assert!(why.contains("`token`"), "{broken}: {why}");
    }
    for (changes, words) in [
        (json!({"iss": "https://evil.example"}), "does not know the issuer"),
        (json!({"aud": "https://other.example"}), "another audience"),
        (json!({"aud": ["https://other.example", super::AUDIENCE]}), "another audience"),
        (json!({"aud": null}), "`aud`"),
        (json!({"exp": now() - 3600}), "expired"),
        (json!({"exp": null}), "`exp`"),
        (json!({"nbf": now() + 3600}), "not valid yet"),
        (json!({"iat": now() + 3600}), "not valid yet"),
        (json!({"jti": null}), "`jti`"),
        (json!({"jti": ""}), "`jti`"),
        (json!({"jti": 7}), "`jti`"),
    ] {
        refused(&world, &github(&changes), words);
    }
    let signed = |header: &Value, words: &str| {
        let token = world.issuer.token_with(header, &github(&json!({})));
        let why = world.exchange(&token).detail(403, "forbidden");
        assert!(why.contains(words), "{header}: {why}");
    };
    signed(&json!({"alg": "EdDSA", "kid": "unknown"}), "key that");
    signed(&json!({"alg": "none"}), "algorithm");
    signed(&json!({"alg": "HS256", "kid": "one"}), "algorithm");
    signed(&json!({"alg": "ES256", "kid": "one"}), "key that");
    let stranger = Issuer::new().token(&github(&json!({})));
    assert!(world.exchange(&stranger).detail(403, "forbidden").contains("signature"));
    let (mut changed, token) = (github(&json!({})), world.issuer.token(&github(&json!({}))));
    changed["repository"] = json!("other/skills");
    let payload = data_encoding::BASE64URL_NOPAD.encode(changed.to_string().as_bytes());
    let parts: Vec<&str> = token.split('.').collect();
    let spliced = format!("{}.{payload}.{}", parts[0], parts[2]);
    assert!(world.exchange(&spliced).detail(403, "forbidden").contains("signature"));
}

#[test]
fn token_is_exchanged_once() {
    let world = Trusting::start();
    world.trust(&json!({})).expect(201);
    let token = world.issuer.token(&github(&json!({})));
    // What is refused for another reason can be sent again.
    world.exchange_for(&token, &json!({"namespace": "tools", "slug": "other"})).expect(403);
    world.exchange(&token).expect(200);
    assert!(world.exchange(&token).detail(403, "forbidden").contains("used before"));
    // Its id counts, not its text, and for its issuer alone.
    world.job(&github(&json!({"jti": "same"})));
    refused(&world, &github(&json!({"jti": "same", "exp": now() + 200})), "used before");
}

#[test]
fn keys_that_cannot_be_had_are_told_apart() {
    let issuer = Issuer::new();
    let settings = settings(&issuer);
    let registry = Registry::with_config(&settings);
    let world = Trusting::of(registry, issuer);
    world.trust(&json!({})).expect(201);
    std::fs::write(world.issuer.keys_file.path(), "{").unwrap();
    let response = world.exchange(&world.issuer.token(&github(&json!({}))));
    let why = response.detail(503, "unavailable");
    assert!(why.contains("operator") && response.header("retry-after").is_some(), "{why}");
}

#[test]
fn no_log_has_a_token() {
    let issuer = Issuer::new();
    let mut registry = Registry::configured(&format!("{}[log]\naccess = \"-\"\n", settings(&issuer)));
    registry.start_with_trace_log();
    let world = Trusting::of(registry, issuer);
    world.trust(&json!({})).expect(201);
    let good = world.issuer.token(&github(&json!({})));
    let bad = world.issuer.token(&github(&json!({"event_name": "workflow_run"})));
    let exchanged = world.exchange(&good).expect_json(200)["token"].as_str().unwrap().to_owned();
    let mut answers = vec![world.exchange(&good).text(), world.exchange(&bad).text()];
    let job = User { handle: "ann".to_owned(), token: exchanged.clone() };
    world.registry.publish(Skill::named("hello")).to("tools").by(&job).expect(201);
    // The problem of a body of another form does not repeat it.
    let odd = json!({"token": {"value": good}, "namespace": "tools"});
    answers.push(world.registry.anonymous().post_json("/api/v1/trusted/token", &odd).text());
    let path = format!("/api/v1/skills/tools/{exchanged}");
    world.registry.get(&path).expect(404);
    let log = std::fs::read_to_string(world.registry.folder().join("serve.log")).unwrap();
    let access = world.registry.printed();
    assert!(!log.is_empty() && access.contains("/api/v1/trusted/token"), "the logs were read");
    answers.extend([access, log]);
    answers.push(world.registry.command(["audit", "--json"]).ok().stdout);
    for secret in [&good, &bad, &exchanged] {
        let end = &secret[secret.len() - 40..];
        for said in &answers {
            assert!(!said.contains(end), "{said}");
        }
    }
}
