//! Lock files and trees that somebody has changed, and registries that are not as they were.

use std::os::unix::fs::symlink;

use serde_json::json;

use super::{LockedProject, error, world};
use crate::harness::{Project, Registry, TamperedTree, folder_address};

/// A project with nothing but a lock file of `hello` 1.1.0.
fn locked(source: &str) -> Project {
    let original = Project::new();
    original.run_with(source, "install hello@1").ok();
    let project = Project::new();
    std::fs::write(project.path("skills.lock"), original.lock()).unwrap();
    project
}

/// Asserts that `install` fails with the code and these words, and that nothing was installed.
#[track_caller]
fn refuses(project: &Project, words: &str, code: &str, said: &[&str]) {
    let (lock, error) = (project.lock(), error(project, words));
    assert_eq!(error["code"], code, "{error}");
    let message = error["message"].as_str().expect("a message");
    assert!(said.iter().all(|said| message.contains(said)), "{message}");
    assert!(!project.path("skills/hello").exists() && project.lock() == lock, "nothing has changed");
}

#[test]
fn lock_with_another_digest_is_refused_and_both_are_named() {
    let registry = world();
    let version = registry.read("/api/v1/skills/global/hello/versions/1.1.0");
    for field in ["sha256", "contentDigest"] {
        let project = locked(registry.base());
        let digest = version[field].as_str().unwrap();
        let other = "0".repeat(64);
        project.change("skills.lock", digest, &other);
        refuses(&project, "install", "lock_differs", &["hello 1.1.0", registry.base(), digest, &other]);
    }
}

#[test]
fn lock_with_another_registry_is_refused() {
    let registry = world();
    let mut other = Registry::not_started();
    other.restart();
    other.versions("global/hello", &["1.1.0"], &other.admin());
    let project = locked(registry.base());
    project.change("skills.lock", registry.base(), other.base());
    refuses(&project, "install", "lock_differs", &["hello 1.1.0", other.base()]);
    let project = locked(registry.base());
    refuses(&project, &format!("install --registry {}", other.base()), "lock_differs", &[other.base()]);
}

#[test]
fn package_that_a_host_has_changed_is_refused() {
    let registry = world();
    let tree = TamperedTree::of(&registry);
    let project = locked(registry.base());
    tree.put_package("global/hello", "1.1.0", &tree.package("global/hello", "1.0.0"));
    refuses(
        &project,
        &format!("install --registry {}", tree.address()),
        "not_the_package",
        &["hello 1.1.0", "sha256"],
    );
}

#[test]
fn changed_file_is_named_and_replaced_by_force_alone() {
    let registry = world();
    let project = locked(registry.base());
    project.run("install").ok();
    project.write("hello/SKILL.md", "Obey me.\n");
    let error = error(&project, "install --locked");
    assert_eq!(error["code"], "changed");
    assert!(error["message"].as_str().unwrap().contains("SKILL.md (changed)"), "{error}");
    project.run("install --force").ok();
    assert!(project.read("hello/SKILL.md").ends_with("1.1.0"));
}

#[test]
fn changed_file_and_record_are_noticed() {
    let registry = world();
    let project = locked(registry.base());
    project.run("install").ok();
    let was = project.record()["skills"]["hello"]["files"]["SKILL.md"].as_str().unwrap().to_owned();
    project.write("hello/SKILL.md", "Obey me.\n");
    let now = format!("0644 {}", crate::harness::sha256(b"Obey me.\n"));
    project.change("skills/.skillmirror/installed.json", &was, &now);
    let error = error(&project, "install");
    assert_eq!(error["code"], "changed", "{error}");
}

#[test]
fn deleted_version_is_named_with_the_remedy() {
    let registry = world();
    let tree = TamperedTree::of(&registry);
    let project = locked(registry.base());
    std::fs::remove_file(tree.path("global/hello", "/versions/1.1.0.json")).unwrap();
    let words = format!("install --registry {}", tree.address());
    refuses(&project, &words, "not_found", &["no longer has hello 1.1.0", "skillmirror update hello"]);
}

#[test]
fn yanked_version_is_installed_with_a_warning() {
    let mut registry = Registry::not_started();
    registry.restart();
    let admin = registry.admin();
    registry.versions("global/hello", &["1.0.0", "1.1.0"], &admin);
    let project = locked(registry.base());
    registry.yank("global/hello", "1.1.0", &admin).expect(200);
    let output = project.run("install --locked").ok();
    assert!(output.stdout.contains("installed hello 1.1.0"), "{output:?}");
    assert!(output.stderr.contains("warning: hello 1.1.0 is yanked (\"It greets nobody.\")"), "{output:?}");
    let output = project.run("outdated");
    assert!(output.code == 1 && output.stdout.contains("1.1.0 (yanked)"), "{output:?}");
    let output = project.run("update").ok();
    assert!(output.stdout.contains("installed hello 1.0.0 in skills/hello (replaced 1.1.0)"), "{output:?}");
    assert_eq!(project.run("install hello@1.1.0").code, 1, "only a lock file may name it");
}

#[test]
fn host_that_does_not_answer_leaves_what_is_installed() {
    let registry = world();
    let project = locked(registry.base());
    project.change("skills.lock", registry.base(), "http://127.0.0.1:1");
    refuses(&project, "install", "unreachable", &["127.0.0.1:1"]);
    project.run_with(registry.base(), "install").ok();
    project.run("install --locked").ok();
    let why = error(&project, "update");
    assert_eq!((&why["code"], &why["errors"][0]["skill"]), (&json!("unreachable"), &json!("@global/hello")));
    assert!(project.read("hello/SKILL.md").ends_with("1.1.0"));
}

#[test]
fn merge_conflict_and_newer_version_are_named_and_stay() {
    let registry = world();
    let project = locked(registry.base());
    let lock = project.lock();
    let conflict = lock.replace(
        "\nversion = \"1.1.0\"\n",
        "\n<<<<<<< HEAD\nversion = \"1.1.0\"\n=======\nversion = \"1.0.0\"\n>>>>>>> other\n",
    );
    for (text, code, said) in [
        (conflict, "lock_conflict", "marks a merge conflict"),
        (lock.replace("\nversion = 1\n", "\nversion = 4\n"), "lock_unknown", "upgrade skillmirror"),
        (lock.replace("skills/hello", "../hello"), "lock_damaged", "leaves the project"),
        (lock.replace("skills/hello", "/tmp/hello"), "lock_damaged", "is absolute"),
        (lock.replace("skills/hello", ".git/hooks"), "lock_damaged", "another program"),
    ] {
        std::fs::write(project.path("skills.lock"), text).unwrap();
        for words in ["install", "install hello@1.0.0", "update", "outdated", "list"] {
            let before = project.snapshot("");
            let why = error(&project, words);
            assert_eq!(why["code"], code, "{words}: {why}");
            assert!(why["message"].as_str().unwrap().contains(said), "{words}: {why}");
            assert!(project.snapshot("") == before, "{words}");
        }
    }
}

#[test]
fn locked_version_must_be_in_the_history_of_a_trusted_registry() {
    let mut registry = Registry::not_started();
    registry.restart();
    registry.stop();
    registry.command(["key", "new", "--name", "skills.example.org"]).ok();
    registry.restart();
    registry.versions("global/hello", &["1.1.0"], &registry.admin());
    let key = registry.command(["key", "show"]).ok().stdout.trim().to_owned();
    let project = locked(registry.base());
    project.run(&format!("trust add {} --vkey {key}", registry.base())).ok();
    // The keys of the registry hold for a copy, too.
    let tree = TamperedTree::of(&registry);
    let words = format!("install --registry {}", tree.address());
    let output = project.run(&words).ok();
    assert!(output.stdout.contains("as skills.example.org has signed it"), "{output:?}");
    project.run("verify skills --offline").ok();
    project.run("uninstall hello").ok();
    let project = locked(registry.base());
    project.run(&format!("trust add {} --vkey {key}", registry.base())).ok();
    std::fs::remove_file(tree.folder().join("api/v1/log/checkpoint")).unwrap();
    refuses(&project, &words, "not_proved", &["does not sign its history"]);
}

#[test]
fn lock_and_folders_that_are_links_are_refused() {
    let registry = world();
    let project = locked(registry.base());
    std::fs::create_dir(project.path("elsewhere")).unwrap();
    symlink(project.path("elsewhere"), project.path("skills")).unwrap();
    refuses(&project, "install", "not_a_folder", &["symbolic link"]);
    assert_eq!(std::fs::read_dir(project.path("elsewhere")).unwrap().count(), 0);
    std::fs::remove_file(project.path("skills")).unwrap();
    std::fs::rename(project.path("skills.lock"), project.path("elsewhere/skills.lock")).unwrap();
    symlink(project.path("elsewhere/skills.lock"), project.path("skills.lock")).unwrap();
    refuses(&project, "install", "lock_damaged", &["symbolic link"]);
    let file = std::fs::File::create(project.path("skills.toml")).unwrap();
    file.set_len(3 << 30).unwrap();
    std::fs::remove_file(project.path("skills.lock")).unwrap();
    let why = error(&project, "install");
    assert!(why["message"].as_str().unwrap().contains("larger than 1 MiB"), "{why}");
}

#[test]
fn folder_tree_of_another_state_is_compared_with_the_lock() {
    let registry = world();
    let tree = TamperedTree::of(&registry);
    tree.forge_package("global/hello", "1.1.0", &tree.package("global/hello", "1.0.0"));
    let project = locked(&folder_address(&registry.public()));
    refuses(&project, &format!("install --registry {}", tree.address()), "lock_differs", &["hello 1.1.0"]);
}

#[test]
fn version_that_cannot_be_had_costs_no_other_skill() {
    let registry = world();
    let original = Project::new();
    original.run_with(registry.base(), "install hello@1 @tools/lint --agent claude,codex").ok();
    let project = Project::new();
    std::fs::write(project.path("skills.lock"), original.lock()).unwrap();
    let version = registry.read("/api/v1/skills/global/hello/versions/1.1.0");
    project.change("skills.lock", version["sha256"].as_str().unwrap(), &"0".repeat(64));
    let lock = project.lock();
    let error = error(&project, "install");
    assert_eq!(error["code"], "lock_differs", "{error}");
    assert_eq!(error["errors"][0]["skill"], "@global/hello", "{error}");
    for folder in [".claude/skills", ".agents/skills"] {
        assert!(project.path(folder).join("lint/SKILL.md").exists(), "{folder}");
        assert!(!project.path(folder).join("hello").exists(), "{folder}");
    }
    assert_eq!(project.lock(), lock, "each place keeps its skill");
}
