//! `install` without names on an empty machine.

use super::{LockedProject, tree_host, world};
use crate::harness::{Project, Registry, Skill, StaticHost, folder_address, tree};

/// Everything in the folders of skills, except records, which have the time of the installation.
fn skills(project: &Project) -> std::collections::BTreeMap<String, Vec<u8>> {
    let mut all = project.snapshot("");
    all.retain(|path, _| !path.starts_with("home/") && !path.contains("/.skillmirror/"));
    all
}

/// A project with a lock file of several skills from a source.
fn original(source: &str) -> Project {
    let project = Project::new();
    project.run_with(source, "install hello@1 --agent claude,codex").ok();
    project.run_with(source, "install @tools/lint@~0.1 --as check").ok();
    project.run_with(source, "install hello@stable --dir own/skills").ok();
    project
}

#[test]
fn lock_is_restored_byte_for_byte_from_every_kind_of_source() {
    let registry = world();
    let host = StaticHost::over(&registry.public());
    for source in [registry.base().to_owned(), host.base.clone(), folder_address(&registry.public())] {
        let original = original(&source);
        // Another home folder, and nothing but the lock file.
        let copy = Project::new();
        std::fs::write(copy.path("skills.lock"), original.lock()).unwrap();
        let output = copy.run("install --locked").ok();
        assert!(output.stdout.contains("installed @tools/lint 0.1.5 in skills/check"), "{output:?}");
        tree::assert_equal(&skills(&original), &skills(&copy));
        let run = std::process::Command::new(copy.path(".claude/skills/hello/scripts/run.sh")).output();
        assert_eq!(run.expect("it can be run").stdout, b"hello\n");
        let list = copy.run("list --verify").ok().stdout;
        assert_eq!(list.matches("verified").count(), 4, "{list}");
    }
}

#[test]
fn copy_of_the_registry_is_read_and_the_lock_keeps_its_address() {
    let registry = world();
    let original = original(registry.base());
    let host = StaticHost::over(&registry.public());
    for copy_of in [host.base.clone(), folder_address(&registry.public())] {
        let copy = Project::new();
        // The registry itself does not answer.
        std::fs::write(
            copy.path("skills.lock"),
            original.lock().replace(registry.base(), "http://127.0.0.1:1"),
        )
        .unwrap();
        let lock = copy.lock();
        copy.run_with(&copy_of, "install").ok();
        assert_eq!(copy.lock(), lock);
        let place = |project: &Project| tree::contents(&project.path(".agents/skills/hello"));
        tree::assert_equal(&place(&original), &place(&copy));
    }
}

#[test]
fn install_without_a_project_says_what_to_do() {
    let project = Project::new();
    for words in ["install", "install --locked", "update", "outdated"] {
        let why = super::error(&project, words);
        assert_eq!(why["code"], "no_project", "{words}");
        assert!(why["message"].as_str().unwrap().contains("skillmirror install hello"), "{why}");
    }
    assert!(project.snapshot("").is_empty());
}

#[test]
fn install_of_installed_skills_sends_no_request() {
    let registry = world();
    let admin = registry.admin();
    let mut many = Registry::not_started();
    many.restart();
    let names: Vec<String> = (1..=50).map(|number| format!("skill-{number:02}")).collect();
    for name in &names {
        many.publish(Skill::named(name).file("data", name)).by(&many.admin()).expect(201);
    }
    drop((registry, admin));
    let host = tree_host(&many);
    let project = Project::new();
    project.run_with(&host.base, &format!("install {}", names.join(" "))).ok();
    assert_eq!(project.locked().len(), 50);
    let (before, lock) = (host.paths().len(), project.lock());
    for words in ["install", "install --locked", "list"] {
        project.run(words).ok();
    }
    assert_eq!(host.paths().len(), before, "no request");
    assert_eq!(project.lock(), lock);
    // On an empty machine: the document of each version, and its package.
    let copy = Project::new();
    std::fs::write(copy.path("skills.lock"), &lock).unwrap();
    let output = copy.run("install").ok();
    assert_eq!(output.stdout.lines().count(), 50, "{output:?}");
    assert_eq!(host.paths().len(), before + 100);
    let output = copy.run("install").ok();
    assert_eq!(output.stdout, "50 skills are as skills.lock records them\n");
    assert_eq!(host.paths().len(), before + 100);
    // What is missing alone is asked for.
    std::fs::remove_dir_all(copy.path("skills/skill-07")).unwrap();
    let output = copy.run("install").ok();
    assert!(
        output.stdout.contains("installed skill-07 1.0.0") && output.stdout.contains("49 skills are"),
        "{output:?}"
    );
    assert_eq!(host.paths().len(), before + 102);
}

#[test]
fn two_locked_versions_with_the_same_bytes_are_recorded_as_they_are_locked() {
    let registry = Registry::start();
    let admin = registry.admin();
    for version in ["1.1.0", "2.0.0"] {
        registry.publish(Skill::named("twin")).version(version).by(&admin).expect(201);
    }
    let original = Project::new();
    for (version, folder) in [("1.1.0", "one"), ("2.0.0", "two"), ("2.0.0", "three"), ("1.1.0", "four")] {
        original.run_with(registry.base(), &format!("install twin@{version} --dir {folder}")).ok();
    }
    let copy = Project::new();
    std::fs::write(copy.path("skills.lock"), original.lock()).unwrap();
    for words in ["install --locked", "install", "install --force", "update"] {
        let output = copy.run(words).ok();
        assert!(words == "install --locked" || !output.stdout.contains("replaced"), "{words}: {output:?}");
        for (version, folder) in [("1.1.0", "one"), ("2.0.0", "two"), ("2.0.0", "three"), ("1.1.0", "four")] {
            let record = std::fs::read(copy.path(folder).join(".skillmirror/installed.json")).unwrap();
            let record: serde_json::Value = serde_json::from_slice(&record).unwrap();
            assert_eq!(record["skills"]["twin"]["version"], version, "{words} {folder}");
        }
        assert_eq!(copy.lock(), original.lock(), "{words}");
        // Also where a record says something else, and where records are made again.
        copy.change("three/.skillmirror/installed.json", "\"version\": \"2.0.0\"", "\"version\": \"1.1.0\"");
        assert_eq!(copy.run("install").ok().stdout, "4 skills are as skills.lock records them\n");
        std::fs::remove_dir_all(copy.path("one/.skillmirror")).unwrap();
        std::fs::remove_dir_all(copy.path("two/.skillmirror")).unwrap();
        copy.run("install").ok();
    }
}

#[test]
fn skills_without_their_record_are_adopted() {
    let registry = world();
    let project = original(registry.base());
    for folder in ["skills", ".claude/skills", ".agents/skills", "own/skills"] {
        std::fs::remove_dir_all(project.path(folder).join(".skillmirror")).unwrap();
    }
    let before = skills(&project);
    project.run("install").ok();
    tree::assert_equal(&before, &skills(&project));
    assert_eq!(project.run("install").ok().stdout, "4 skills are as skills.lock records them\n");
}
