//! What clients say about advisories, from a server, nginx, a folder and a snapshot.

use std::fs;

use serde_json::{Value, json};

use super::{hello, publish};
use crate::harness::{Nginx, Project, folder_address};
use crate::outside::mcp::Agent;

/// What every command says about the installed version 1.0.0, which has an advisory.
fn warned(base: &str, id: &str) {
    let project = Project::new();
    let line = format!("@team/hello 1.0.0 has the advisory {id} (high): It deletes files; fixed in 1.1.0");
    let output = project.run_with(base, "install @team/hello@1.0.0").ok();
    assert!(output.stderr.contains(&line), "{output:?}");
    let output = project.run("outdated");
    assert!(output.code == 1 && output.stdout.contains("1.0.0 (advisory)"), "{output:?}");
    assert!(output.stderr.contains(&line), "{output:?}");
    let output = project.run("list --verify").ok();
    assert!(output.stderr.contains(&line), "{output:?}");
    let output = project.run_with(base, "info @team/hello@1.0.0").ok();
    assert!(output.stdout.contains(&format!("advisory   {id} (high): It deletes files")), "{output:?}");
    let output = project.run_with(base, "advisory list @team/hello").ok();
    assert!(output.stdout.contains(id) && output.stdout.contains("<1.1.0"), "{output:?}");
    let output = project.run("advisory check");
    assert!(output.code == 1 && output.stdout.contains(id), "{output:?}");
    let output = project.run("advisory check --json");
    let printed: Value = serde_json::from_str(&output.stdout).expect("JSON");
    assert_eq!((output.code, &printed["items"][0]["advisory"]["id"]), (1, &json!(id)));
    project.run("advisory check --level critical").ok();
    let agent = Agent::started(&project, &format!("--registry {base} --allow-install other"));
    let done = agent.call("install_skill", json!({"skill": "@team/hello@1.0.0"}));
    assert_eq!(done["structuredContent"]["advisories"][0]["id"], id);
    let shown = agent.call("show_skill", json!({"skill": "@team/hello"}));
    assert_eq!(shown["structuredContent"].get("advisories"), Some(&json!([])), "the latest version is fixed");
    let output = project.run_with(base, "install @team/hello@1.1.0").ok();
    assert!(!output.stderr.contains("advisory"), "{output:?}");
    assert_eq!(project.run("advisory check").ok().stdout, "1 skill has no advisory\n");
}

#[test]
fn every_command_warns_from_every_kind_of_source() {
    let (registry, ann) = hello(&["1.0.0", "1.1.0"]);
    let published = publish(&registry, &ann, &json!({})).expect_json(201);
    let id = published["id"].as_str().expect("an id");
    warned(registry.base(), id);
    warned(&folder_address(&registry.public()), id);
    let nginx = Nginx::configured(&registry.public(), &registry.folder().join("nginx"));
    warned(&nginx.base, id);
    warned(&folder_address(&registry.carried()), id);
}

#[test]
fn check_names_an_installed_skill_that_was_removed() {
    let (registry, ann) = hello(&["1.0.0", "1.1.0"]);
    let project = Project::new();
    project.run_with(registry.base(), "install @team/hello@1.0.0").ok();
    publish(&registry, &ann, &json!({})).expect(201);
    registry.remove("team/hello", &ann).expect(204);
    for base in [registry.base().to_owned(), folder_address(&registry.public())] {
        let output = project.run(&format!("advisory check --registry {base}"));
        assert!(output.code == 1 && output.stdout.contains("It deletes files"), "{output:?}");
    }
    let output = project.run("outdated --json");
    let printed: Value = serde_json::from_str(&output.stdout).expect("JSON");
    assert_eq!(printed["items"][0]["advisories"][0]["level"], "high", "{output:?}");
    fs::remove_dir_all(project.path("skills")).expect("a folder");
    assert_eq!(project.run("advisory check").code, 1, "it is locked");
}

#[test]
fn command_publishes_and_withdraws() {
    let (registry, ann) = hello(&["1.0.0", "1.1.0"]);
    let project = Project::new();
    let token = [("SKILLMIRROR_TOKEN", ann.token.as_str())];
    let at = format!("--registry {}", registry.base());
    let words = format!("advisory publish @team/hello <1.1.0 --level low --title Slow --text Wait {at}");
    let output = project.run_in(&token, &words).ok();
    assert!(output.stdout.starts_with("published SKM-"), "{output:?}");
    let id = output.stdout.split_whitespace().nth(1).expect("an id").to_owned();
    let output =
        project.run_in(&token, &format!("advisory withdraw @team/hello {id} --reason mistake {at}")).ok();
    assert_eq!(output.stdout, format!("withdrew {id}: mistake\n"));
    let output = project.run_with(registry.base(), "advisory list @team/hello").ok();
    assert!(output.stdout.contains("withdrawn"), "{output:?}");
}
