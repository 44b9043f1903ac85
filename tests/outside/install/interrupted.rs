//! Installations that end half way, or go on beside each other.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::process::Stdio;

use crate::harness::{Desk, Registry, Shared, Skill, folder_address, noise};

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

/// A scratch folder of a run that is no more.
fn dead(desk: &Desk) -> PathBuf {
    let dead = desk.path("skills/.skillmirror/tmp-dead");
    fs::create_dir_all(&dead).unwrap();
    fs::set_permissions(&dead, Permissions::from_mode(0o700)).unwrap();
    dead
}

fn own(desk: &Desk) -> Vec<String> {
    desk.snapshot("skills/.skillmirror").into_keys().collect()
}

#[test]
fn what_a_killed_run_left_is_cleared() {
    let registry = REGISTRY.get(registry);
    let (source, desk) = (registry.base(), Desk::new());
    desk.of(source, "install hello@1.0.0").ok();
    dead(&desk);
    desk.write(".skillmirror/tmp-dead/new/hello/SKILL.md", "half");
    desk.write(".skillmirror/tmp-dead/installed.json", "{\"version\": 1, \"ski");
    desk.of(source, "install hello").ok();
    assert_eq!(own(&desk), ["installed.json"]);
    assert!(desk.read("hello/SKILL.md").contains("1.1.0"));
}

#[test]
fn what_was_finished_but_for_the_record_is_recorded() {
    let registry = REGISTRY.get(registry);
    let (source, desk) = (registry.base(), Desk::new());
    desk.of(source, "install hello@1.0.0").ok();
    let before = desk.record();
    dead(&desk);
    let record = desk.path("skills/.skillmirror/installed.json");
    fs::rename(&record, desk.path("skills/.skillmirror/tmp-dead/installed.json")).unwrap();
    let said = desk.json(source, "install hello@1.0.0");
    assert_eq!(said["items"][0]["status"], "already_there");
    assert_eq!((own(&desk), desk.record()), (vec!["installed.json".to_owned()], before));
}

#[test]
fn what_was_moved_aside_comes_back() {
    let registry = REGISTRY.get(registry);
    let (source, desk) = (registry.base(), Desk::new());
    desk.of(source, "install hello@1.0.0").ok();
    let before = desk.snapshot("");
    let aside = dead(&desk).join("old");
    fs::create_dir_all(&aside).unwrap();
    fs::rename(desk.path("skills/hello"), aside.join("hello")).unwrap();
    let record = desk.path("skills/.skillmirror/installed.json");
    fs::copy(record, desk.path("skills/.skillmirror/tmp-dead/installed.json")).unwrap();
    let said = desk.json(source, "install hello@1.0.0");
    assert_eq!(said["items"][0]["status"], "already_there");
    assert_eq!(desk.snapshot(""), before);
}

#[test]
fn what_cannot_be_removed_is_in_nobodys_way() {
    let registry = REGISTRY.get(registry);
    let mirror = folder_address(&registry.public());
    // Folders that may not be written, as some programs leave them behind.
    let desk = Desk::without_privileges();
    desk.of(&mirror, "install hello@1.0.0").ok();
    desk.write("hello/__pycache__/deep/a.pyc", "");
    for folder in ["skills/hello/__pycache__/deep", "skills/hello/__pycache__"] {
        fs::set_permissions(desk.path(folder), Permissions::from_mode(0o555)).unwrap();
    }
    assert!(!desk.of(&mirror, "install hello").ok().out.contains("can't be removed"));
    assert_eq!(own(&desk), ["installed.json"]);
    // One in which another disk is.
    let desk = Desk::with_disk_at("skills/.skillmirror/tmp-dead/new/hello", "size=64k");
    dead(&desk);
    // The program works there where the disk is.
    let skills = desk.path("skills").display().to_string();
    for words in ["install hello@1.0.0", "install hello", "uninstall hello"] {
        let ran = desk.of_any(&mirror, &format!("{words} --dir {skills}")).ok();
        assert!(ran.out.contains("rubbish-dead is of no use and can't be removed"), "{ran:?}");
    }
    let said = desk.json(&mirror, &format!("install hello --dir {skills}"));
    assert_eq!(said["items"][0]["left"], serde_json::json!([format!("{skills}/.skillmirror/rubbish-dead")]));
}

#[test]
fn several_at_once() {
    let registry = REGISTRY.get(registry);
    let desk = Desk::new();
    let runs: Vec<_> = ["hello", "other", "hello", "large", "hello", "other"]
        .iter()
        .map(|skill| {
            let mut program = desk.program();
            program.args(["install", *skill, "--registry", registry.base()]);
            program.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
            program.spawn().expect("the program starts")
        })
        .collect();
    for run in runs {
        let output = run.wait_with_output().unwrap();
        assert!(output.status.success(), "{output:?}");
    }
    let list: serde_json::Value = serde_json::from_str(&desk.run("list --json").ok().out).unwrap();
    let states: Vec<_> = list["items"].as_array().unwrap().iter().map(|item| &item["state"]).collect();
    assert_eq!(states, ["unchanged"; 3], "{list}");
    assert_eq!(own(&desk), ["installed.json"]);
}

#[test]
fn a_damaged_record_is_not_replaced() {
    let registry = REGISTRY.get(registry);
    let (source, desk) = (registry.base(), Desk::new());
    desk.of(source, "install hello@1.0.0").ok();
    let good = desk.read(".skillmirror/installed.json");
    for (bad, code) in [
        (good[..good.len() / 2].to_owned(), "record_damaged"),
        (String::new(), "record_damaged"),
        (good.replace("@global/hello", "@global/other"), "record_damaged"),
        (good.replacen("\"version\": 1", "\"version\": 7", 1), "record_unknown"),
    ] {
        desk.write(".skillmirror/installed.json", &bad);
        for words in ["install hello", "install other --force", "list", "uninstall hello"] {
            let said = match words {
                "install hello" | "install other --force" => desk.refused(source, words, code),
                _ => desk.run(words).err,
            };
            assert!(said.contains("installed.json"), "{words}: {said}");
        }
    }
    desk.write(".skillmirror/installed.json", &good);
    desk.of(source, "install hello").ok();
}

#[test]
fn a_full_disk_and_one_that_nobody_may_write() {
    let registry = REGISTRY.get(registry);
    let mirror = folder_address(&registry.public());
    let desk = Desk::on_small_disk("size=256k");
    let skills = desk.disk().seen(&desk.path("small/skills"));
    desk.of(&mirror, "install hello@1.0.0 --dir small/skills").ok();
    let all = || {
        let walk = walkdir::WalkDir::new(&skills).into_iter();
        let mut all: Vec<_> = walk.map(|entry| entry.unwrap().path().display().to_string()).collect();
        all.sort();
        all
    };
    let before = all();
    let said = desk.refused(&mirror, "install large --dir small/skills", "files");
    assert!(said.contains("noise.bin") && said.contains("space"), "{said}");
    assert_eq!(all(), before);
    desk.disk().remount("ro");
    let said = desk.refused(&mirror, "install hello --dir small/skills", "files");
    assert!(said.contains("small/skills") && said.contains("ead-only"), "{said}");
    let said = desk.json(&mirror, "install hello@1.0.0 --dir small/skills");
    assert_eq!(said["items"][0]["status"], "already_there", "what is there needs no writing");
    desk.disk().remount("rw");
    desk.of(&mirror, "install hello --dir small/skills").ok();
}
