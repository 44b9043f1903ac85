//! The token of a job is exchanged for one that publishes one skill, and nothing else.

use serde_json::{Value, json};

use super::{Trusting, github, gitlab};
use crate::harness::{FakeHost, Reply, Skill, User};

#[test]
fn job_of_github_publishes_its_skill() {
    let world = Trusting::start();
    world.trust(&json!({})).expect(201);
    let exchanged = world.exchange(&world.issuer.token(&github(&json!({})))).expect(200);
    assert_eq!(exchanged.header("cache-control"), Some("no-store"));
    let exchanged = exchanged.json();
    assert_eq!((&exchanged["namespace"], &exchanged["slug"]), (&json!("tools"), &json!("hello")));
    let token = exchanged["token"].as_str().unwrap();
    assert!(token.starts_with("smj_"), "{token}");
    let job = User { handle: "ann".to_owned(), token: token.to_owned() };
    // It can be used more than once: a publication is repeated when its answer is lost.
    for status in [201, 200] {
        world.registry.publish(Skill::named("hello")).to("tools").by(&job).expect(status);
    }
    let shown = world.registry.read("/api/v1/skills/tools/hello/versions/1.0.0");
    assert_eq!(shown["publishedBy"]["handle"], "ann");
    assert_eq!(
        shown["provenance"],
        json!({
            "issuer": super::GITHUB, "repository": "github.com/acme/skills", "commit": super::issuer::COMMIT,
            "ref": "refs/tags/v1.0.0", "workflow": "publish.yml", "run": "4242",
        })
    );
}

#[test]
fn case_counts_in_names_of_environments_but_not_of_repositories() {
    let world = Trusting::start();
    world.trust(&json!({"environment": "Prod", "workflow": ".github/workflows/publish.yml"})).expect(201);
    let reference = "ACME/skillS/.github/workflows/publish.yml@refs/heads/main";
    let claims = json!({"repository": "ACME/skillS", "workflow_ref": reference, "environment": "Prod"});
    world.job(&github(&claims));
    // At some systems this is another environment, which nobody protects.
    let token = world.issuer.token(&github(&json!({"environment": "PROD"})));
    let asked = json!({"namespace": "tools", "slug": "hello"});
    world.exchange_for(&token, &asked).detail(403, "forbidden");
    // The names of tags may have an `@`.
    let reference = "acme/skills/.github/workflows/publish.yml@refs/tags/hello@1.0.0";
    world.job(&github(&json!({"workflow_ref": reference, "environment": "Prod"})));
    // Without an environment in its entry, any will do.
    world.trust(&json!({"skill": "other"})).expect(201);
    let token = world.issuer.token(&github(&json!({"environment": "test"})));
    world.exchange_for(&token, &json!({"namespace": "tools", "slug": "other"})).expect(200);
}

#[test]
fn job_of_gitlab_and_of_another_issuer_publish() {
    let world = Trusting::start();
    world
        .trust(&json!({
            "issuer": "gitlab", "repository": "acme/sub/skills", "ownerId": "77", "workflow": "ci/publish.yml",
        }))
        .expect(201);
    world.publish("1.0.0", &gitlab(&json!({})));
    // The project is private, and nobody said that it may be shown.
    let shown = world.registry.read("/api/v1/skills/tools/hello/versions/1.0.0");
    assert_eq!(shown.get("provenance"), None);
    assert!(!shown.to_string().contains("acme"), "{shown}");

    world
        .trust(&json!({
            "issuer": "forge", "repository": "a/b", "ownerId": "1", "workflow": "job:7", "showPrivate": true,
        }))
        .expect(201);
    let mut claims =
        github(&json!({"iss": "https://forge.example.org", "repo": "a/b", "org": 1, "sub": "job:7"}));
    claims["rev"] = json!("abc");
    world.publish("1.1.0", &claims);
    let shown = world.registry.read("/api/v1/skills/tools/hello/versions/1.1.0");
    assert_eq!(shown["provenance"]["repository"], "forge.example.org/a/b");
    assert_eq!(shown["provenance"]["ref"], Value::Null);
}

#[test]
fn token_of_a_job_does_nothing_else() {
    let world = Trusting::start();
    world.trust(&json!({})).expect(201);
    let registry = &world.registry;
    registry.publish(Skill::named("hello")).to("tools").by(&world.ann).expect(201);
    registry.publish(Skill::named("other")).to("tools").by(&world.ann).expect(201);
    let job = world.job(&github(&json!({})));
    let client = registry.as_user(&job);
    let skill = "/api/v1/skills/tools/hello";
    for (method, path, body) in [
        ("GET", "/api/v1/whoami", None),
        ("GET", "/api/v1/auth/me", None),
        ("GET", "/api/v1/tokens", None),
        ("GET", "/api/v1/namespaces/tools/members", None),
        ("GET", "/api/v1/namespaces/tools/publishers", None),
        ("PUT", "/api/v1/skills/tools/hello/tags/stable", Some(json!({"version": "1.0.0"}))),
        ("POST", "/api/v1/skills/tools/hello/versions/1.0.0/yank", Some(json!({}))),
        ("PUT", "/api/v1/skills/tools/hello/star", None),
        ("POST", "/api/v1/skills/tools/hello/rating", Some(json!({"score": 5}))),
        ("POST", "/api/v1/tokens", Some(json!({"name": "more"}))),
        ("POST", "/api/v1/namespaces", Some(json!({"slug": "mine"}))),
        ("DELETE", skill, None),
        ("POST", "/api/v1/auth/logout", None),
    ] {
        let body = body.map(|body| body.to_string().into_bytes());
        let refused = client.with("content-type", "application/json").request(method, path, body);
        assert!([403, 404, 405].contains(&refused.status), "{method} {path}: {refused}");
    }
    // Nor another skill, also not by its name in the package, of a dry run, or in another namespace.
    for (named, namespace) in [("other", "tools"), ("new", "tools"), ("hello", "global")] {
        for dry in ["false", "true"] {
            let form =
                registry.publish(Skill::named(named).text("Other.\n")).to(namespace).field("dryRun", dry);
            let why = form.by(&job).detail(403, "forbidden");
            assert!(why.contains("@tools/hello"), "{why}");
        }
    }
    // A submission of the person in whose name it acts is not its own.
    let submitted = registry.publish(Skill::named("waiting")).by(&world.ann).expect_json(201);
    let path =
        format!("/api/v1/namespaces/global/reviews/{}/withdraw", submitted["reviewId"].as_str().unwrap());
    let why = client.post_json(&path, &json!({})).detail(403, "forbidden");
    assert!(why.contains("only publishes"), "{why}");
    registry.as_user(&world.ann).post_json(&path, &json!({})).expect(200);
    // With its tags it moves only those of its own new version.
    let form =
        registry.publish(Skill::named("hello").text("Next.\n")).to("tools").version("2.0.0").tags("stable");
    form.by(&job).expect(201);
    assert_eq!(registry.read(skill)["tags"]["stable"], "2.0.0");
}

#[test]
fn token_ends_with_its_publisher_and_its_person() {
    let world = Trusting::start();
    let added = world.trust(&json!({})).expect_json(201);
    let publish = |job: &User, version: &str| {
        let skill = Skill::named("hello").text(&format!("{version}\n"));
        world.registry.publish(skill).to("tools").version(version).by(job)
    };
    let job = world.job(&github(&json!({})));
    publish(&job, "1.0.0").expect(201);
    let path = format!("/api/v1/namespaces/tools/publishers/{}/remove", added["id"].as_str().unwrap());
    let password = json!({"password": crate::harness::PASSWORD});
    world.registry.as_user(&world.ann).post_json(&path, &password).expect(204);
    publish(&job, "1.1.0").detail(401, "unauthenticated");

    world.trust(&json!({})).expect(201);
    let (job, admin) = (world.job(&github(&json!({}))), world.registry.admin());
    world.registry.as_user(&admin).request("POST", "/api/v1/users/ann/disable", None).expect(204);
    publish(&job, "1.2.0").detail(401, "unauthenticated");
    let why = world.exchange(&world.issuer.token(&github(&json!({})))).detail(403, "forbidden");
    assert!(why.contains("`ann`"), "{why}");
}

#[test]
fn publisher_of_a_namespace_admits_to_each_skill_of_it() {
    let world = Trusting::start();
    world.trust(&json!({"skill": null})).expect(201);
    let token = || world.issuer.token(&github(&json!({})));
    let exchanged = world.exchange_for(&token(), &json!({"namespace": "tools"})).expect_json(200);
    assert_eq!(exchanged["slug"], Value::Null);
    let all = User { handle: "ann".to_owned(), token: exchanged["token"].as_str().unwrap().to_owned() };
    for name in ["one", "two"] {
        world.registry.publish(Skill::named(name)).to("tools").by(&all).expect(201);
    }
    world.registry.publish(Skill::named("one").text("x\n")).to("global").by(&all).detail(403, "forbidden");
    // One skill alone can be asked for, too. It need not exist.
    let job = world.job(&github(&json!({})));
    world.registry.publish(Skill::named("hello")).to("tools").by(&job).expect(201);
    world.registry.publish(Skill::named("one").text("x\n")).to("tools").by(&job).detail(403, "forbidden");
}

#[test]
fn keys_are_asked_for_only_when_a_publisher_needs_them() {
    let issuer = super::Issuer::new();
    let keys = issuer.keys();
    let address = std::sync::Arc::new(std::sync::OnceLock::<String>::new());
    let known = std::sync::Arc::clone(&address);
    let host = FakeHost::answering(move |asked| match asked.path.as_str() {
        "/keys" => Reply::json(&keys),
        _ => {
            let base = known.get().unwrap();
            Reply::json(&json!({"issuer": base, "jwks_uri": format!("{base}/keys")}))
        }
    });
    address.set(host.base.clone()).unwrap();
    let settings = format!(
        "[trusted.forge]\nissuer = \"{}\"\nkind = \"github\"\naudience = \"{}\"\n",
        host.base,
        super::AUDIENCE
    );
    let world = Trusting::of(crate::harness::Registry::with_config(&settings), issuer);
    let claims = || github(&json!({"iss": host.base}));
    let why = world.exchange(&world.issuer.token(&claims())).detail(403, "forbidden");
    assert!(why.contains("no trusted publisher"), "{why}");
    assert_eq!(host.paths(), [""; 0], "a stranger makes the registry ask nobody");
    world.trust(&json!({"issuer": "forge"})).expect(201);
    for _ in 0..3 {
        world.job(&claims());
    }
    assert_eq!(host.paths(), ["/.well-known/openid-configuration", "/keys"]);
}
