//! Several commands at once, and commands that are killed.

use std::fs::File;
use std::io::{BufRead as _, BufReader};
use std::process::Stdio;

use serde_json::{Value, json};

use super::{LockedProject, world};
use crate::harness::{FakeHost, Project, Reply, eventually, tree};

#[test]
fn installs_at_once_are_all_recorded() {
    let registry = world();
    let project = Project::new();
    let start = |words: &[&str]| {
        let mut program = project.program();
        program.arg("install").args(words).args(["--registry", registry.base()]);
        program.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("the program starts")
    };
    let all = [
        start(&["hello@1.0.0"]),
        start(&["hello@1.1.0"]),
        start(&["@tools/lint@0.1"]),
        start(&["hello@2", "--agent", "claude"]),
        start(&["hello@1", "--as", "hi"]),
    ];
    for mut child in all {
        assert!(child.wait().expect("it ends").success());
    }
    let locked = project.locked();
    assert_eq!(locked.len(), 4, "{locked:?}");
    // The lock file and the folder have the version of the same run.
    project.run("install --locked").ok();
    let hello = project.read("hello/SKILL.md");
    assert!(
        locked
            .iter()
            .any(|line| line.ends_with("skills/hello") && hello.ends_with(line.split(' ').nth(1).unwrap())),
        "{locked:?} {hello}"
    );
}

#[test]
fn install_in_a_locked_folder_says_that_it_waits() {
    let registry = world();
    let project = Project::new();
    let other = File::open(project.path(".")).unwrap();
    other.lock().unwrap();
    let mut program = project.program();
    program.args(["install", "hello@1", "--registry", registry.base()]);
    let mut child = program.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().expect("the program starts");
    let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
    assert_eq!(lines.next().unwrap().unwrap(), "waiting for another skillmirror in this folder");
    drop(other);
    assert!(child.wait().unwrap().success());
    assert_eq!(lines.count(), 0, "it says so once");
}

#[test]
fn failure_of_a_registry_names_each_skill() {
    let project = Project::new();
    let output = project.run("install hello @tools/lint --registry http://127.0.0.1:1 --json");
    let why: Value = serde_json::from_str(&output.stderr).unwrap();
    let skills: Vec<_> =
        why["error"]["errors"].as_array().unwrap().iter().map(|error| &error["skill"]).collect();
    assert_eq!(skills, ["hello", "@tools/lint"], "{why}");
    let output = project.run("install hello --registry nowhere --json");
    let why: Value = serde_json::from_str(&output.stderr).unwrap();
    let error = &why["error"];
    assert_eq!((&error["code"], &error["errors"][0]["skill"]), (&json!("invalid_address"), &json!("hello")));
}

#[test]
fn install_killed_in_the_middle_is_finished_by_the_next() {
    let registry = world();
    let original = Project::new();
    original.run_with(registry.base(), "install hello@1 --agent claude,codex").ok();
    original.run_with(registry.base(), "install @tools/lint@0.1").ok();
    let public = registry.public();
    // The package of lint never arrives.
    let host = FakeHost::answering(move |asked| {
        let found = std::fs::read(public.join(asked.path.trim_start_matches('/')));
        let reply = found.map_or_else(|_| Reply::status(404), Reply::bytes);
        if asked.path.contains("lint") && asked.path.ends_with("download.zip") {
            reply.announcing(1_000_000)
        } else {
            reply
        }
    });
    let project = Project::new();
    std::fs::write(project.path("skills.lock"), original.lock()).unwrap();
    let mut program = project.program();
    program.args(["install", "--registry", &host.base]).stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = program.spawn().expect("the program starts");
    eventually("the packages are asked for", || {
        let asked = host.paths().iter().filter(|path| path.ends_with("download.zip")).count();
        (asked >= 2 && project.path(".agents/skills/hello").exists()).then_some(())
    });
    child.kill().unwrap();
    child.wait().unwrap();
    assert_eq!(project.lock(), original.lock(), "a restore does not write the lock file");
    project.run("install --locked").ok();
    for place in ["skills/lint", ".claude/skills/hello", ".agents/skills/hello"] {
        tree::assert_equal(&tree::contents(&original.path(place)), &tree::contents(&project.path(place)));
    }
    let hidden: Vec<_> =
        std::fs::read_dir(project.path("")).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert!(!hidden.iter().any(|name| name.to_string_lossy().ends_with(".new")), "{hidden:?}");
}
