//! The command `publish` in a job, and the commands about publishers.

use serde_json::json;

use super::issuer::COMMIT;
use super::{Issuer, Trusting, github, gitlab, settings};
use crate::harness::{FakeHost, PASSWORD, Project, Registry, Reply};

/// A registry whose address is the audience of tokens, as for everybody who sets none.
fn world() -> Trusting {
    let issuer = Issuer::new();
    let settings = settings(&issuer).replace(&format!("audience = \"{}\"\n", super::AUDIENCE), "");
    Trusting::of(Registry::with_config(&settings), issuer)
}

fn project() -> Project {
    let project = Project::new();
    let text = "---\nname: hello\ndescription: Greets people by name. Use it for greetings.\n---\n\nHello.\n";
    std::fs::create_dir_all(project.path("hello")).unwrap();
    std::fs::write(project.path("hello/SKILL.md"), text).unwrap();
    project
}

#[test]
fn job_of_github_publishes_with_its_token_and_no_other() {
    let world = world();
    world.trust(&json!({})).expect(201);
    let base = world.registry.base().to_owned();
    let token = world.issuer.token(&github(&json!({"aud": base})));
    let answer = token.clone();
    let host = FakeHost::answering(move |_| Reply::json(&json!({"value": answer})));
    let url = format!("{}/token?api-version=2.0", host.base);
    let job = [
        ("ACTIONS_ID_TOKEN_REQUEST_URL", url.as_str()),
        ("ACTIONS_ID_TOKEN_REQUEST_TOKEN", "credential-of-the-job"),
    ];
    let project = project();
    let words = format!("publish hello --namespace tools --registry {base}");
    let output = project.run_in(&job, &words).ok();
    assert!(output.stderr.contains("with the token of this job (GitHub Actions)"), "{output:?}");
    assert!(output.stdout.contains("published @tools/hello 1.0.0"), "{output:?}");
    assert!(!output.printed().contains(&token) && !output.printed().contains("smj_"), "{output:?}");
    let [asked] = &host.asked()[..] else { panic!("one request: {:?}", host.paths()) };
    assert_eq!(asked.header("authorization"), Some("Bearer credential-of-the-job"));
    let audience = base.replace(':', "%3A").replace('/', "%2F");
    assert_eq!(asked.path, format!("/token?api-version=2.0&audience={audience}"));
    // With a token of a person, only `--trusted` asks for one of the job.
    let with_token = [&job[..], &[("SKILLMIRROR_TOKEN", world.ann.token.as_str())]].concat();
    project.run_in(&with_token, &words).ok();
    assert_eq!(host.asked().len(), 1);
    let output = project.run_in(&with_token, &format!("{words} --trusted"));
    assert!(output.code == 1 && output.stderr.contains("used before"), "{output:?}");
    assert_eq!(host.asked().len(), 2);
}

#[test]
fn job_of_gitlab_publishes_and_reasons_are_told() {
    let world = world();
    let base = world.registry.base().to_owned();
    let (project, words) = (project(), format!("publish hello --namespace tools --registry {base}"));
    let with = |token: &str| project.run_in(&[("SKILLMIRROR_ID_TOKEN", token)], &words);
    let token = || world.issuer.token(&gitlab(&json!({"aud": base})));
    let output = with(&token());
    assert!(output.code == 1 && output.stderr.contains("no trusted publisher"), "{output:?}");
    let terms = json!({
        "issuer": "gitlab", "repository": "acme/sub/skills", "ownerId": "77", "workflow": "ci/publish.yml",
    });
    world.trust(&terms).expect(201);
    let output = with(&token()).ok();
    assert!(output.stderr.contains("SKILLMIRROR_ID_TOKEN"), "{output:?}");
    let output = project.run(&format!("{words} --trusted"));
    assert!(output.code == 1 && output.stderr.contains("id-token: write"), "{output:?}");
    let output = project.run(&words);
    assert!(output.code == 1 && output.stderr.contains("skillmirror login"), "{output:?}");
    // The credential of a job goes to no other address than the one that its environment names.
    let host = FakeHost::answering(|_| Reply::redirect(302, "http://127.0.0.2:1/stolen"));
    let url = format!("{}/token", host.base);
    let job =
        [("ACTIONS_ID_TOKEN_REQUEST_URL", url.as_str()), ("ACTIONS_ID_TOKEN_REQUEST_TOKEN", "secret-x")];
    let output = project.run_in(&job, &words);
    assert!(output.code == 1 && !output.printed().contains("secret-x"), "{output:?}");
}

#[test]
fn job_with_one_token_publishes_several_skills() {
    let world = world();
    let base = world.registry.base().to_owned();
    let of = |skill: Option<&str>| {
        json!({
            "issuer": "gitlab", "repository": "acme/sub/skills", "ownerId": "77", "workflow": "ci/publish.yml",
            "skill": skill,
        })
    };
    let project = project();
    let get = || {
        let token = world.issuer.token(&gitlab(&json!({"aud": base})));
        let words = format!("publisher token tools --registry {base}");
        project.run_in(&[("SKILLMIRROR_ID_TOKEN", &token)], &words)
    };
    world.trust(&of(Some("hello"))).expect(201);
    assert!(get().stderr.contains("whole namespace"));
    world.trust(&of(None)).expect(201);
    let token = get().ok().stdout.trim().to_owned();
    for slug in ["one", "two"] {
        let job = [("SKILLMIRROR_TOKEN", token.as_str())];
        let words = format!("publish hello --namespace tools --slug {slug} --registry {base}");
        project.run_in(&job, &words).ok();
    }
    let output = project.run(&format!("publisher token tools --registry {base}"));
    assert!(output.code == 1 && output.stderr.contains("id-token: write"), "{output:?}");
}

#[test]
fn publishers_are_managed_by_commands() {
    let world = world();
    let base = world.registry.base();
    let home = crate::harness::Home::new();
    home.login(base, &world.ann);
    let add = [
        "publisher",
        "add",
        "tools",
        "acme/skills",
        "--skill",
        "hello",
        "--owner-id",
        "42",
        "--password-stdin",
    ];
    let output = home.run_with_input(&add, "wrong password\n");
    assert!(output.code == 1 && output.stderr.contains("not your password"), "{output:?}");
    let output = home.run_with_input(&add, &format!("{PASSWORD}\n")).ok();
    assert!(output.stdout.contains("publish.yml in acme/skills may publish @tools/hello now"), "{output:?}");
    let listed = home.run(&["publisher", "list", "tools"]).ok().stdout;
    assert!(listed.contains("@tools/hello") && listed.contains("acme/skills"), "{listed}");
    let id = home.json(&["publisher", "list", "tools"])["items"][0]["id"].as_str().unwrap().to_owned();
    home.run_with_input(&["publisher", "remove", "tools", &id, "--password-stdin"], &format!("{PASSWORD}\n"))
        .ok();
    let listed = home.run(&["publisher", "list", "tools"]).ok().stdout;
    assert!(listed.contains("no job may publish"), "{listed}");
    // `info` says where a version is from.
    world.trust(&json!({})).expect(201);
    world.publish("1.0.0", &github(&json!({"aud": base})));
    let info = home.run(&["info", "@tools/hello"]).ok().stdout;
    let line =
        format!("built from github.com/acme/skills at {COMMIT} (refs/tags/v1.0.0) by publish.yml, run 4242");
    assert!(info.contains(&line), "{info}");
}
