//! Several agents, other folder names, and folders outside of the project.

use super::{LockedProject, error, world};
use crate::harness::{Project, Registry};

#[test]
fn install_for_several_agents_downloads_once_and_locks_each_folder() {
    let registry = world();
    let host = super::tree_host(&registry);
    let project = Project::new();
    // Cursor looks into the same folder as Codex.
    let output = project.run_with(&host.base, "install hello@1.0.0 --agent claude,codex,cursor").ok();
    assert_eq!(
        output.stdout,
        "installed hello 1.0.0 in .claude/skills/hello\ninstalled hello 1.0.0 in .agents/skills/hello\n"
    );
    assert_eq!(host.paths().iter().filter(|path| path.ends_with("download.zip")).count(), 1);
    assert_eq!(project.locked().len(), 2);
    let list = project.run("list").ok().stdout;
    assert!(list.contains(".claude/skills") && list.contains(".agents/skills"), "{list}");
    project.run("uninstall hello --agent claude").ok();
    assert_eq!(project.locked(), ["@global/hello 1.0.0 =1.0.0 .agents/skills/hello"]);
    assert!(!project.path(".claude/skills/hello").exists());
}

#[test]
fn skill_with_another_folder_name_is_listed_moved_and_removed_by_it() {
    let registry = world();
    let project = Project::new();
    project.run_with(registry.base(), "install hello@1.0.0 --as hi").ok();
    project.run_with(registry.base(), "install hello@2").ok();
    assert!(
        project.read("hi/SKILL.md").ends_with("1.0.0") && project.read("hello/SKILL.md").ends_with("2.0.0")
    );
    let list = project.run("list --verify").ok().stdout;
    assert!(list.contains("skills/hi") && list.matches("verified").count() == 2, "{list}");
    project.run_with(registry.base(), "install hello@1 --as hi").ok();
    assert!(project.read("hi/SKILL.md").ends_with("1.1.0"));
    project.run("uninstall hi").ok();
    assert_eq!(project.locked(), ["@global/hello 2.0.0 ^2 skills/hello"]);
    let output = project.run_with(registry.base(), "install hello @tools/lint --as x");
    assert!(output.code == 1 && output.stderr.contains("--as names the folder of one skill"), "{output:?}");
    assert_eq!(project.run_with(registry.base(), "install hello --as ../x").code, 2);
}

#[test]
fn folders_outside_of_the_project_are_not_locked() {
    let registry = world();
    let project = Project::new();
    let outside = Project::new();
    project.run_with(registry.base(), "install hello@1 --agent claude --global").ok();
    project
        .run_with(registry.base(), &format!("install hello@1 --dir {}", outside.path("shared").display()))
        .ok();
    assert!(!project.path("skills.lock").exists());
    let words = format!("uninstall hello --dir {}", outside.path("shared").display());
    project.run(&words).ok();
    assert!(!outside.path("shared/hello").exists());
    for words in ["install", "outdated"] {
        assert_eq!(error(&project, &format!("{words} --agent claude --global"))["code"], "unsupported");
    }
}

#[test]
fn update_of_a_folder_for_all_projects_follows_its_record() {
    let mut registry = Registry::not_started();
    registry.restart();
    let admin = registry.admin();
    registry.versions("global/a", &["1.0.0"], &admin);
    registry.versions("global/b", &["1.0.0"], &admin);
    let project = Project::new();
    project.run_with(registry.base(), "install a@1 b@1.0.0 --agent claude --global").ok();
    project.run_with(registry.base(), "install a@1").ok();
    registry.versions("global/a", &["1.1.0", "2.0.0"], &admin);
    registry.versions("global/b", &["1.1.0"], &admin);
    let output = project.run("update --agent claude --global --dry-run").ok();
    assert!(
        output.stdout.contains("would update a 1.0.0 -> 1.1.0 in ") && output.stdout.lines().count() == 1
    );
    project.run("update --agent claude --global").ok();
    let text = |path: &str| std::fs::read_to_string(project.path(path)).unwrap();
    assert!(text("home/.claude/skills/a/SKILL.md").contains("This is 1.1.0"));
    assert!(text("home/.claude/skills/b/SKILL.md").contains("This is 1.0.0"));
    assert!(text("skills/a/SKILL.md").contains("This is 1.0.0"), "the project is another folder");
    let output = project.run("update --agent claude --global").ok();
    assert!(output.stdout.starts_with("nothing to update"), "{output:?}");
    let why = error(&project, "update a typo --agent claude --global");
    assert_eq!(
        (why["code"].as_str(), why["errors"][0]["skill"].as_str()),
        (Some("not_locked"), Some("typo"))
    );
    // It is removed from that of the folders where it is.
    project.run("uninstall b --agent codex,claude --global").ok();
    assert!(!project.path("home/.claude/skills/b").exists());
    assert_eq!(error(&project, "uninstall b --agent codex,claude --global")["code"], "not_installed");
}

#[test]
fn install_of_nothing_says_so() {
    let registry = world();
    let project = Project::new();
    project.run_with(registry.base(), "install hello@1").ok();
    let output = project.run("install --agent claude").ok();
    assert!(output.stdout.starts_with("nothing to install"), "{output:?}");
    project.run("uninstall hello").ok();
    let output = project.run("install --locked").ok();
    assert!(output.stdout.starts_with("nothing to install"), "{output:?}");
}

#[test]
fn folder_in_the_folder_of_another_skill_is_refused() {
    let registry = world();
    let project = Project::new();
    project.run_with(registry.base(), "install hello@1").ok();
    let lock = project.lock();
    let why =
        error(&project, &format!("install @tools/lint --dir skills/hello --registry {}", registry.base()));
    assert_eq!(why["code"], "not_a_folder", "{why}");
    assert_eq!(project.lock(), lock);
    project.run("install --locked").ok();
}

#[test]
fn locked_install_of_names_takes_only_these() {
    let registry = world();
    let original = Project::new();
    original.run_with(registry.base(), "install hello@1 @tools/lint@0.1").ok();
    let project = Project::new();
    std::fs::write(project.path("skills.lock"), original.lock()).unwrap();
    project.run("install lint --locked").ok();
    assert!(project.path("skills/lint/SKILL.md").exists() && !project.path("skills/hello").exists());
    let why = error(&project, "install hello@2 --locked");
    assert_eq!(why["code"], "lock_outdated", "{why}");
    assert_eq!(error(&project, "install other --locked")["code"], "not_locked");
    project.run("install hello@1.1.0 --locked").ok();
    assert_eq!(project.lock(), original.lock());
}
