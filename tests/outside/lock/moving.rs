//! Requirements, `update` and `outdated`.

use serde_json::{Value, json};

use super::{LockedProject, error, world};
use crate::harness::{Project, Registry, TamperedTree};

#[test]
fn each_requirement_chooses_and_records_its_version() {
    let registry = world();
    for (asked, version, requirement) in [
        ("hello", "2.0.0", "latest"),
        ("hello@latest", "2.0.0", "latest"),
        ("hello@1", "1.1.0", "^1"),
        ("hello@v1", "1.1.0", "^1"),
        ("hello@1.0", "1.1.0", "^1.0"),
        ("hello@^1.0.0", "1.1.0", "^1.0.0"),
        ("hello@~1.0", "1.0.0", "~1.0"),
        ("hello@1.0.0", "1.0.0", "=1.0.0"),
        ("hello@=1.0.0", "1.0.0", "=1.0.0"),
        ("hello@>=1,<3", "2.0.0", ">=1, <3"),
        ("hello@*", "2.0.0", "*"),
        ("hello@^3.0.0-rc.1", "3.0.0-rc.1", "^3.0.0-rc.1"),
        ("hello@stable", "1.0.0", "stable"),
        ("@tools/lint@0.1", "0.1.5", "^0.1"),
    ] {
        let project = Project::new();
        let item = project.json(registry.base(), &format!("install {asked}"))["items"][0].clone();
        assert_eq!(item["version"], version, "{asked}");
        let exact = requirement.starts_with('=');
        assert_eq!(item["requested"], if exact { Value::Null } else { json!(requirement) }, "{asked}");
        assert!(
            project.locked()[0].contains(&format!(" {version} {requirement} ")),
            "{asked}: {:?}",
            project.locked()
        );
        if !asked.contains(['<', '*']) {
            let resolved = project.json(registry.base(), &format!("resolve {asked}"));
            assert_eq!(resolved["version"], version, "{asked}");
            let info = project.json(registry.base(), &format!("info {asked}"));
            assert!(
                !asked.contains('@') || info.get("shown") == Some(&json!(version)) || asked.starts_with('@'),
                "{asked}"
            );
        }
    }
}

#[test]
fn requirement_without_a_version_names_those_there_are() {
    let registry = world();
    let project = Project::new();
    let why = error(&project, &format!("install hello@4 --registry {}", registry.base()));
    assert_eq!(why["code"], "not_found");
    let message = why["message"].as_str().unwrap();
    assert!(message.contains("no version that fits `^4`") && message.contains("1.1.0"), "{message}");
    let why = error(&project, &format!("install hello@1-rc.1 --registry {}", registry.base()));
    assert_eq!(why["code"], "invalid_reference");
}

#[test]
fn update_moves_skills_as_far_as_their_requirements_allow() {
    let mut registry = Registry::not_started();
    registry.restart();
    let admin = registry.admin();
    for skill in ["a", "b", "c", "d"] {
        registry.versions(&format!("global/{skill}"), &["1.0.0"], &admin);
        registry.tag(&format!("global/{skill}"), "stable", "1.0.0", &admin).expect(201);
    }
    let project = Project::new();
    project.run_with(registry.base(), "install a@1 b@1.0.0 c@stable d").ok();
    let output = project.run("outdated").ok();
    assert_eq!(output.stdout, "no skill is outdated\n");
    for skill in ["a", "b", "c", "d"] {
        registry.versions(&format!("global/{skill}"), &["1.1.0", "2.0.0"], &admin);
    }
    registry.tag("global/c", "stable", "1.1.0", &admin).expect(200);

    let output = project.run("outdated --json");
    assert_eq!(output.code, 1, "{output:?}");
    let items: Value = serde_json::from_str(&output.stdout).unwrap();
    let seen: Vec<_> = items["items"]
        .as_array()
        .unwrap()
        .iter()
        .map(|item| {
            [&item["coordinate"], &item["version"], &item["wanted"], &item["latest"]]
                .map(|it| it.as_str().unwrap().to_owned())
        })
        .collect();
    let row = |name: &str, wanted: &str| [name, "1.0.0", wanted, "2.0.0"].map(str::to_owned);
    assert_eq!(
        seen,
        [
            row("@global/a", "1.1.0"),
            row("@global/b", "1.0.0"),
            row("@global/c", "1.1.0"),
            row("@global/d", "2.0.0")
        ]
    );

    let before = project.snapshot("");
    let output = project.run("update --dry-run").ok();
    assert_eq!(
        output.stdout,
        "would update a 1.0.0 -> 1.1.0 in skills/a\nwould update c 1.0.0 -> 1.1.0 in skills/c\n\
         would update d 1.0.0 -> 2.0.0 in skills/d\n"
    );
    assert!(project.snapshot("") == before, "a dry run changes nothing");

    project.run("update a").ok();
    assert_eq!(
        project.locked(),
        [
            "@global/a 1.1.0 ^1 skills/a",
            "@global/b 1.0.0 =1.0.0 skills/b",
            "@global/c 1.0.0 stable skills/c",
            "@global/d 1.0.0 latest skills/d"
        ]
    );
    project.run("update").ok();
    assert_eq!(
        project.locked(),
        [
            "@global/a 1.1.0 ^1 skills/a",
            "@global/b 1.0.0 =1.0.0 skills/b",
            "@global/c 1.1.0 stable skills/c",
            "@global/d 2.0.0 latest skills/d"
        ]
    );
    assert!(project.read("d/SKILL.md").contains("This is 2.0.0"));
    let output = project.run("update").ok();
    assert!(output.stdout.starts_with("nothing to update"), "{output:?}");
    let output = project.run("outdated");
    assert!(output.code == 1 && output.stdout.lines().count() == 4, "{output:?}");
    project.run("install --locked").ok();
    assert_eq!(error(&project, "update nobody")["code"], "not_locked");
    assert_eq!(error(&project, "update a@2")["code"], "invalid_reference");
}

#[test]
fn update_of_a_missing_skill_restores_it() {
    let registry = world();
    for words in ["update hello", "update lint hello", "update", "update --force"] {
        let project = Project::new();
        project.run_with(registry.base(), "install hello@1.0.0 @tools/lint@0.1").ok();
        let (lock, before) = (project.lock(), project.snapshot("skills/hello"));
        std::fs::remove_dir_all(project.path("skills/hello")).unwrap();
        let output = project.run("outdated");
        assert!(
            output.stderr.contains("skills/hello is missing")
                && output.stderr.contains("`skillmirror install`"),
            "{output:?}"
        );
        let output = project.run(&format!("{words} --dry-run")).ok();
        assert_eq!(
            output.stdout, "would install hello 1.0.0 again in skills/hello, where it is missing\n",
            "{words}"
        );
        let output = project.run(words).ok();
        assert_eq!(output.stdout, "installed hello 1.0.0 in skills/hello\n", "{words}");
        assert!(output.stderr.contains("skills/hello is missing"), "{output:?}");
        assert!(project.snapshot("skills/hello") == before && project.lock() == lock);
    }
    // Also without its record, and several at once.
    let project = Project::new();
    project.run_with(registry.base(), "install hello@1 @tools/lint@0.1").ok();
    std::fs::remove_dir_all(project.path("skills")).unwrap();
    let list = project.run("list").ok().stdout;
    assert_eq!(list.matches("missing").count(), 2, "{list}");
    project.run("update").ok();
    assert_eq!(project.run("list").ok().stdout.matches("unchanged").count(), 2);
    // In a folder for all projects.
    project.run_with(registry.base(), "install hello@1.0.0 --agent claude --global").ok();
    std::fs::remove_dir_all(project.path("home/.claude/skills/hello")).unwrap();
    let output = project.run("update --agent claude --global --dry-run").ok();
    assert!(output.stdout.starts_with("would install hello 1.0.0 again in "), "{output:?}");
    let output = project.run("update --agent claude --global").ok();
    assert!(output.stdout.contains("hello 1.0.0") && output.stderr.contains("is missing"), "{output:?}");
    assert!(project.path("home/.claude/skills/hello/SKILL.md").exists());
}

#[test]
fn removed_skill_is_outdated_and_gone() {
    let mut registry = Registry::not_started();
    registry.restart();
    let admin = registry.admin();
    registry.versions("global/a", &["1.0.0"], &admin);
    let project = Project::new();
    project.run_with(registry.base(), "install a").ok();
    registry.remove("global/a", &admin).expect(204);
    let output = project.run("outdated");
    assert!(output.code == 1 && output.stdout.contains("1.0.0 (gone)"), "{output:?}");
    project.run("install --locked").ok();
}

#[test]
fn outdated_copy_does_not_take_a_skill_back() {
    let mut registry = Registry::not_started();
    registry.restart();
    let admin = registry.admin();
    registry.versions("global/hello", &["1.0.0"], &admin);
    let old = TamperedTree::of(&registry);
    registry.versions("global/hello", &["1.1.0"], &admin);
    let project = Project::new();
    project.run_with(registry.base(), "install hello@1").ok();
    let why = error(&project, &format!("update --registry {}", old.address()));
    let first = &why["errors"][0];
    assert!(first["message"].as_str().unwrap().contains("hello 1.1.0 is locked"), "{why}");
    assert!(project.locked()[0].contains("1.1.0"));
    project.run(&format!("update --force --registry {}", old.address())).ok();
    assert!(project.locked()[0].contains("1.0.0"));
}
