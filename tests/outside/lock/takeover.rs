//! Projects from before there was a lock file.

use super::{LockedProject, error, world};
use crate::harness::Project;

/// A project without its lock file.
fn old() -> Project {
    let registry = world();
    let project = Project::new();
    project.run_with(registry.base(), "install hello@stable").ok();
    project.run_with(registry.base(), "install @tools/lint@0.1.0 --agent claude").ok();
    std::fs::remove_file(project.path("skills.lock")).unwrap();
    project
}

#[test]
fn records_become_a_lock_file_with_the_next_command() {
    for words in ["install", "update", "uninstall nothing", "install hello@stable"] {
        let project = old();
        let registry = world();
        assert_eq!(error(&project, "install --locked")["code"], "lock_outdated");
        assert!(!project.path("skills.lock").exists());
        project.run_any(registry.base(), words);
        assert_eq!(
            project.locked(),
            ["@global/hello 1.0.0 stable skills/hello", "@tools/lint 0.1.0 =0.1.0 .claude/skills/lint"],
            "{words}"
        );
        project.run("install --locked").ok();
    }
}

#[test]
fn record_of_the_first_format_is_read() {
    let project = old();
    project.change("skills/.skillmirror/installed.json", "\"version\": 2", "\"version\": 1");
    project.run("install").ok();
    assert_eq!(project.locked().len(), 2);
    project.change("skills/.skillmirror/installed.json", "\"version\": 1", "\"version\": 3");
    assert_eq!(error(&project, "list")["code"], "record_unknown");
}

#[test]
fn damaged_record_of_another_agent_is_left_out() {
    let project = old();
    std::fs::write(project.path(".claude/skills/.skillmirror/installed.json"), "{").unwrap();
    project.run("install").ok();
    assert_eq!(project.locked(), ["@global/hello 1.0.0 stable skills/hello"]);
    std::fs::remove_file(project.path("skills.lock")).unwrap();
    assert_eq!(error(&project, "install --agent claude")["code"], "record_damaged");
}
