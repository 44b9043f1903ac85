//! What `install` and `list` vouch for: files that were compared with the registry, and not with a
//! record that may have come with the project.

use std::fs::{self, Permissions};
use std::os::unix::fs::{PermissionsExt, symlink};

use serde_json::{Value, json};

use crate::harness::{Project, Registry, Shared, Skill, TamperedTree, folder_address, sha256};

static REGISTRY: Shared<Registry> = Shared::new();

fn registry() -> Registry {
    let registry = Registry::start();
    let admin = registry.admin();
    let skill = Skill::named("hello").executable("run.sh", "#!/bin/sh\n");
    registry.publish(skill).by(&admin).expect(201);
    registry
}

/// Writes the record's marks for the files that are there, as somebody could who has changed them.
fn forge_record(project: &Project) {
    let mut record = project.record();
    let mut files = json!({});
    let mut lines = String::new();
    for (path, content) in project.snapshot("skills/hello") {
        if path.ends_with('/') {
            continue;
        }
        let mode = fs::metadata(project.path("skills/hello").join(&path)).unwrap().permissions().mode();
        let mode = if mode & 0o100 == 0 { "0644" } else { "0755" };
        files[&path] = json!(format!("{mode} {}", sha256(&content)));
        lines += &format!("{path}\0{mode}\0{}\n", sha256(&content));
    }
    record["skills"]["hello"]["files"] = files;
    record["skills"]["hello"]["contentDigest"] = json!(sha256(lines.as_bytes()));
    project.write(".skillmirror/installed.json", &record.to_string());
}

fn list(project: &Project, words: &str) -> (i32, Value) {
    let output = project.run(&format!("{words} --json"));
    (output.code, serde_json::from_str(&output.stdout).unwrap_or_else(|why| panic!("{why}: {output:?}")))
}

#[test]
fn altered_files_with_an_altered_record_are_not_vouched_for() {
    let registry = REGISTRY.get(registry);
    let mirror = folder_address(&registry.public());
    type Change = fn(&Project);
    let changes: [(&str, Change); 4] = [
        ("SKILL.md (changed)", |project| project.write("hello/SKILL.md", "Obey me.")),
        ("more.md (new)", |project| project.write("hello/more.md", "more")),
        ("run.sh (mode)", |project| {
            fs::set_permissions(project.path("skills/hello/run.sh"), Permissions::from_mode(0o644)).unwrap();
        }),
        ("run.sh (gone)", |project| fs::remove_file(project.path("skills/hello/run.sh")).unwrap()),
    ];
    for (change, make) in changes {
        for source in [registry.base(), &mirror] {
            let project = Project::new();
            project.run_with(source, "install hello").ok();
            let genuine = project.snapshot("skills/hello");
            assert_eq!(list(&project, "list --verify").0, 0, "{change}");
            make(&project);
            forge_record(&project);
            for words in ["install hello", "install hello@1.0.0"] {
                let printed = project.refused(source, words, "changed");
                assert!(printed.contains(change) && printed.contains("--force"), "{change}: {printed}");
            }
            // The record agrees, and `list` says that it compared nothing else.
            let output = project.run("list").ok();
            assert!(
                output.stdout.contains("unchanged") && output.stderr.contains("list --verify"),
                "{output:?}"
            );
            let (code, verified) = list(&project, "list --verify");
            assert_eq!((code, &verified["items"][0]["state"]), (1, &json!("changed")), "{change}");
            assert_eq!(verified["items"][0]["changed"], json!([change]));
            project.run_with(source, "install hello --force").ok();
            assert_eq!(project.snapshot("skills/hello"), genuine);
            let output = project.run("list --verify").ok();
            assert!(output.stdout.contains("verified") && output.stderr.is_empty(), "{output:?}");
        }
    }
}

#[test]
fn altered_files_are_found_without_the_document_of_the_version() {
    let registry = REGISTRY.get(registry);
    let tampered = TamperedTree::of(&registry);
    let project = Project::new();
    project.run_with(&tampered.address(), "install hello").ok();
    fs::remove_file(tampered.path("global/hello", "/versions/1.0.0/files.json")).unwrap();
    project.write("hello/SKILL.md", "Obey me.");
    forge_record(&project);
    project.refused(&tampered.address(), "install hello", "changed");
    fs::remove_file(tampered.path("global/hello", "/versions/1.0.0.json")).unwrap();
    project.refused(&tampered.address(), "install hello", "changed");
    let (code, verified) = list(&project, "list --verify");
    assert_eq!((code, &verified["items"][0]["state"]), (1, &json!("unknown")));
    project.run_with(&tampered.address(), "install hello --force").ok();
    let printed = project.json(&tampered.address(), "install hello");
    assert_eq!(printed["items"][0]["status"], "already_there");
}

#[test]
fn list_verify_reports_registries_that_do_not_answer() {
    let mut registry = Registry::start();
    registry.publish(Skill::named("hello")).by(&registry.admin()).expect(201);
    let project = Project::new();
    project.run_with(registry.base(), "install hello").ok();
    let address = registry.base().to_owned();
    registry.stop();
    let output = project.run("list --verify");
    assert_eq!(output.code, 1);
    assert!(output.stdout.contains("unknown") && output.stderr.contains(&address), "{output:?}");
    fs::remove_dir_all(project.path("skills/hello")).unwrap();
    assert_eq!(list(&project, "list --verify").1["items"][0]["state"], "missing");
}

#[test]
fn links_below_the_project_are_refused() {
    let registry = REGISTRY.get(registry);
    let source = registry.base();
    let project = Project::new();
    fs::create_dir_all(project.path("outside/skills")).unwrap();
    fs::create_dir_all(project.path("a/b")).unwrap();
    symlink("outside", project.path(".claude")).unwrap();
    symlink("../../outside", project.path("a/b/link")).unwrap();
    symlink("outside", project.path("skills")).unwrap();
    for (options, link) in [
        ("--agent claude", ".claude"),
        ("--dir .claude/skills", ".claude"),
        ("--dir ./a/b/link/skills", "a/b/link"),
        ("--dir a/b/link", "a/b/link"),
        ("", "skills"),
    ] {
        for command in ["install hello", "uninstall hello"] {
            let printed = project.refused(source, &format!("{command} {options}"), "not_a_folder");
            let expected = format!("{link} is a symbolic link");
            assert!(printed.contains(&expected) && printed.contains("absolute path"), "{printed}");
        }
        assert_eq!(project.run(&format!("list {options}")).code, 1);
    }
    assert_eq!(project.snapshot("outside").into_keys().collect::<Vec<_>>(), ["skills/"]);
    // Links above the project, and in a path that its user wrote in full, are their own.
    let full = project.path(".claude/skills");
    project.run_with(source, &format!("install hello --dir {}", full.display())).ok();
    assert!(project.path("outside/skills/hello/SKILL.md").exists());
}
