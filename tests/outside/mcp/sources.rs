//! `skillmirror mcp` reads a server, a folder, a static host and a snapshot alike.

use std::path::Path;

use serde_json::json;

use super::agent::Agent;
use super::stocked;
use crate::harness::{FakeHost, Project, Reply, StaticHost, folder_address};

#[test]
fn every_kind_of_registry_answers_alike() {
    let (registry, _) = stocked();
    let host = StaticHost::over(&registry.public());
    let project = Project::new();
    let snapshot = registry.folder().join("all.tar.zst");
    registry.command(["snapshot", "create", "--out", snapshot.to_str().unwrap()]).ok();
    let answers = |agent: &Agent| {
        let mut answers = vec![agent.result("skills/list", json!({}))];
        for (tool, arguments) in
            [("search_skills", json!({"query": "pdf"})), ("show_skill", json!({"skill": "tools/pdf-forms"}))]
        {
            answers.push(agent.call(tool, arguments)["structuredContent"].clone());
        }
        answers.push(json!(agent.read("skill://tools/pdf-forms/assets/logo.png")));
        answers
    };
    let expected = answers(&Agent::at(registry.base()));
    for arguments in [
        format!("--registry {}", registry.base()),
        format!("--registry {}", folder_address(&registry.public())),
        format!("--registry {}", host.base),
        format!("--snapshot {}", snapshot.display()),
        // The folder beside it exists now.
        format!("--snapshot {}", snapshot.display()),
    ] {
        assert_eq!(answers(&Agent::started(&project, &arguments)), expected, "{arguments}");
    }
    let first = Agent::started(&project, &format!("--snapshot {}", snapshot.display()));
    let second = Agent::started(&project, &format!("--snapshot {}", snapshot.display()));
    assert_eq!(answers(&first), answers(&second));
    served_snapshot_answers_too(&registry, &snapshot, &expected, answers);
}

fn served_snapshot_answers_too(
    registry: &crate::harness::Registry,
    snapshot: &Path,
    expected: &[serde_json::Value],
    answers: impl Fn(&Agent) -> Vec<serde_json::Value>,
) {
    let served =
        registry.start_other(&["snapshot", "serve", snapshot.to_str().unwrap(), "--listen", "127.0.0.1:0"]);
    assert_eq!(answers(&Agent::at(&served.base)), expected);
    let refused = served.client().get("/mcp").expect(405);
    assert_eq!(refused.require_header("allow"), "POST");
}

#[test]
fn wrong_source_is_refused_before_anything_is_printed() {
    let project = Project::new();
    for (arguments, why) in [
        ("--registry nonsense", "invalid registry address"),
        ("--registry https://a.example --snapshot b.tar.zst", "cannot be used with"),
        ("--snapshot missing.tar.zst", "cannot read missing.tar.zst"),
        ("--registry https://a.example --vkey a+00000000+AZ", ""),
    ] {
        let output = project.run(&format!("mcp {arguments}"));
        assert!(output.code != 0 && output.stdout.is_empty(), "{output:?}");
        assert!(output.stderr.contains(why), "{output:?}");
    }
}

#[test]
fn closed_registry_is_read_with_the_saved_credential() {
    let (registry, _) = stocked();
    let tree = registry.public();
    let host = FakeHost::answering(move |asked| match asked.header("authorization") {
        Some("Bearer smt_of_the_reader") => {
            let path = asked.path.split('?').next().unwrap().trim_start_matches('/');
            std::fs::read(tree.join(path)).map_or(Reply::status(404), Reply::bytes)
        }
        _ => Reply::status(401),
    });
    let project = Project::new();
    std::fs::write(project.path("token"), "smt_of_the_reader\n").unwrap();
    project.run(&format!("login --registry {} --credential-command cat token", host.base)).ok();
    let agent = Agent::started(&project, &format!("--registry {}", host.base));
    let expected = Agent::at(registry.base()).result("skills/list", json!({}));
    assert_eq!(agent.result("skills/list", json!({})), expected);
    assert_eq!(host.asked().iter().filter(|asked| asked.header("authorization").is_none()).count(), 1);
}
