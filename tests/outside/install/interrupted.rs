//! Interrupted and concurrent installs.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::process::Stdio;

use crate::harness::{Project, Registry, Shared, Skill, folder_address, noise};

static REGISTRY: Shared<Registry> = Shared::new();

fn registry() -> Registry {
    let registry = Registry::start();
    let admin = registry.admin();
    for version in ["1.0.0", "1.1.0"] {
        registry.publish(Skill::named("hello").text(version)).version(version).by(&admin).expect(201);
    }
    registry.publish(Skill::named("other")).by(&admin).expect(201);
    registry.publish(Skill::named("large").file("noise.bin", noise(600_000, 7))).by(&admin).expect(201);
    registry
}

/// The scratch folder of a run that has ended.
fn dead(project: &Project) -> PathBuf {
    let dead = project.path("skills/.skillmirror/tmp-dead");
    fs::create_dir_all(&dead).unwrap();
    fs::set_permissions(&dead, Permissions::from_mode(0o700)).unwrap();
    dead
}

fn own(project: &Project) -> Vec<String> {
    project.snapshot("skills/.skillmirror").into_keys().collect()
}

#[test]
fn leftovers_of_a_killed_run_are_removed() {
    let registry = REGISTRY.get(registry);
    let (source, project) = (registry.base(), Project::new());
    project.run_with(source, "install hello@1.0.0").ok();
    dead(&project);
    project.write(".skillmirror/tmp-dead/new/hello/SKILL.md", "half");
    project.write(".skillmirror/tmp-dead/installed.json", "{\"version\": 1, \"ski");
    project.run_with(source, "install hello").ok();
    assert_eq!(own(&project), ["installed.json"]);
    assert!(project.read("hello/SKILL.md").contains("1.1.0"));
}

#[test]
fn installed_but_unrecorded_skill_is_recorded() {
    let registry = REGISTRY.get(registry);
    let (source, project) = (registry.base(), Project::new());
    project.run_with(source, "install hello@1.0.0").ok();
    let before = project.record();
    dead(&project);
    let record = project.path("skills/.skillmirror/installed.json");
    fs::rename(&record, project.path("skills/.skillmirror/tmp-dead/installed.json")).unwrap();
    let printed = project.json(source, "install hello@1.0.0");
    assert_eq!(printed["items"][0]["status"], "already_there");
    assert_eq!((own(&project), project.record()), (vec!["installed.json".to_owned()], before));
}

#[test]
fn moved_aside_skill_comes_back() {
    let registry = REGISTRY.get(registry);
    let (source, project) = (registry.base(), Project::new());
    project.run_with(source, "install hello@1.0.0").ok();
    let before = project.snapshot("");
    let aside = dead(&project).join("old");
    fs::create_dir_all(&aside).unwrap();
    fs::rename(project.path("skills/hello"), aside.join("hello")).unwrap();
    let record = project.path("skills/.skillmirror/installed.json");
    fs::copy(record, project.path("skills/.skillmirror/tmp-dead/installed.json")).unwrap();
    let printed = project.json(source, "install hello@1.0.0");
    assert_eq!(printed["items"][0]["status"], "already_there");
    assert_eq!(project.snapshot(""), before);
}

#[test]
fn unremovable_leftovers_do_not_block_an_install() {
    let registry = REGISTRY.get(registry);
    let mirror = folder_address(&registry.public());
    // Folders that may not be written, as some programs leave them behind.
    let project = Project::without_privileges();
    project.run_with(&mirror, "install hello@1.0.0").ok();
    project.write("hello/__pycache__/deep/a.pyc", "");
    for folder in ["skills/hello/__pycache__/deep", "skills/hello/__pycache__"] {
        fs::set_permissions(project.path(folder), Permissions::from_mode(0o555)).unwrap();
    }
    assert!(!project.run_with(&mirror, "install hello").ok().stdout.contains("cannot be removed"));
    assert_eq!(own(&project), ["installed.json"]);
    // A folder with another disk in it.
    let project = Project::with_disk_at("skills/.skillmirror/tmp-dead/new/hello", "size=64k");
    dead(&project);
    // The program works there where the disk is.
    let skills = project.path("skills").display().to_string();
    for words in ["install hello@1.0.0", "install hello", "uninstall hello"] {
        let output = project.run_any(&mirror, &format!("{words} --dir {skills}")).ok();
        assert!(output.stdout.contains("rubbish-dead is unused and cannot be removed"), "{output:?}");
    }
    let printed = project.json(&mirror, &format!("install hello --dir {skills}"));
    assert_eq!(
        printed["items"][0]["left"],
        serde_json::json!([format!("{skills}/.skillmirror/rubbish-dead")])
    );
}

#[test]
fn concurrent_installs_succeed() {
    let registry = REGISTRY.get(registry);
    let project = Project::new();
    let runs: Vec<_> = ["hello", "other", "hello", "large", "hello", "other"]
        .iter()
        .map(|skill| {
            let mut program = project.program();
            program.args(["install", *skill, "--registry", registry.base()]);
            program.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
            program.spawn().expect("the program starts")
        })
        .collect();
    for run in runs {
        let output = run.wait_with_output().unwrap();
        assert!(output.status.success(), "{output:?}");
    }
    let list: serde_json::Value = serde_json::from_str(&project.run("list --json").ok().stdout).unwrap();
    let states: Vec<_> = list["items"].as_array().unwrap().iter().map(|item| &item["state"]).collect();
    assert_eq!(states, ["unchanged"; 3], "{list}");
    assert_eq!(own(&project), ["installed.json"]);
}

#[test]
fn damaged_record_is_replaced_only_from_a_lock_file() {
    let registry = REGISTRY.get(registry);
    let (source, project) = (registry.base(), Project::new());
    project.run_with(source, "install hello@1.0.0").ok();
    let good = project.read(".skillmirror/installed.json");
    for (bad, code) in [
        (good[..good.len() / 2].to_owned(), "record_damaged"),
        (String::new(), "record_damaged"),
        (good.replace("@global/hello", "hello"), "record_damaged"),
        (good.replacen("\"version\": 2", "\"version\": 7", 1), "record_unknown"),
    ] {
        let lock = std::fs::read(project.path("skills.lock")).unwrap();
        std::fs::remove_file(project.path("skills.lock")).unwrap();
        project.write(".skillmirror/installed.json", &bad);
        for words in ["install hello", "install other --force", "list", "uninstall hello"] {
            let printed = match words {
                "install hello" | "install other --force" => project.refused(source, words, code),
                _ => project.run(words).stderr,
            };
            assert!(printed.contains("installed.json"), "{words}: {printed}");
        }
        std::fs::write(project.path("skills.lock"), lock).unwrap();
        match code {
            "record_damaged" => {
                project.run("install").ok();
                assert_eq!(project.record()["skills"]["hello"]["version"], "1.0.0");
            }
            _ => drop(project.refused(source, "install", code)),
        }
    }
    project.write(".skillmirror/installed.json", &good);
    project.run_with(source, "install hello").ok();
}

#[test]
fn full_or_read_only_disk_changes_nothing() {
    let registry = REGISTRY.get(registry);
    let mirror = folder_address(&registry.public());
    let project = Project::on_small_disk("size=256k");
    let skills = project.disk().seen(&project.path("small/skills"));
    project.run_with(&mirror, "install hello@1.0.0 --dir small/skills").ok();
    let all = || {
        let walk = walkdir::WalkDir::new(&skills).into_iter();
        let mut all: Vec<_> = walk.map(|entry| entry.unwrap().path().display().to_string()).collect();
        all.sort();
        all
    };
    let before = all();
    let printed = project.refused(&mirror, "install large --dir small/skills", "files");
    assert!(printed.contains("noise.bin") && printed.contains("space"), "{printed}");
    assert_eq!(all(), before);
    project.disk().remount("ro");
    let printed = project.refused(&mirror, "install hello --dir small/skills", "files");
    assert!(printed.contains("small/skills") && printed.contains("ead-only"), "{printed}");
    let printed = project.json(&mirror, "install hello@1.0.0 --dir small/skills");
    assert_eq!(printed["items"][0]["status"], "already_there", "what is there needs no writing");
    project.disk().remount("rw");
    project.run_with(&mirror, "install hello --dir small/skills").ok();
}
