//! Skill folders from untrusted projects: no command reads or changes anything outside of them.

use std::fs::{self, Permissions};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};

use crate::harness::{Project, Registry, Shared, Skill};

static REGISTRY: Shared<Registry> = Shared::new();

const RECORD: &str = "skills/.skillmirror/installed.json";

fn registry() -> Registry {
    let registry = Registry::start();
    let admin = registry.admin();
    for version in ["1.0.0", "1.1.0"] {
        registry.publish(Skill::named("hello").text(version)).version(version).by(&admin).expect(201);
    }
    registry
}

/// A project with `hello`, and files beside its skill folder that no command may touch.
fn project(source: &str) -> Project {
    let project = Project::new();
    project.run_with(source, "install hello@1.0.0").ok();
    project.write("../private/secrets/key", "private");
    project.write("../private/notes.txt", "private");
    project
}

/// The record, with `secrets` in it as if it had been installed.
fn with_secrets(project: &Project) -> String {
    let mut record: Value = project.record();
    let mut secrets = record["skills"]["hello"].clone();
    secrets["coordinate"] = json!("@global/secrets");
    record["skills"]["secrets"] = secrets;
    record.to_string()
}

fn scratch(project: &Project, mode: u32) -> std::path::PathBuf {
    let scratch = project.path("skills/.skillmirror/tmp-abc");
    fs::create_dir(&scratch).unwrap();
    fs::set_permissions(&scratch, Permissions::from_mode(mode)).unwrap();
    scratch
}

fn pipe(path: &Path) {
    assert!(Command::new("mkfifo").arg(path).status().unwrap().success());
}

/// Runs every command that reads the folder, regardless of the result.
fn all_commands(project: &Project, source: &str) {
    for words in ["list", "install hello", "uninstall secrets --force", "install hello --force"] {
        project.run_any(source, words);
    }
    project.run_any(source, "uninstall hello --force");
}

#[test]
fn links_in_scratch_folders_are_not_followed() {
    let registry = REGISTRY.get(registry);
    let source = registry.base();
    type Trap = fn(&Project, &Path);
    let traps: [(&str, Trap); 7] = [
        ("old is a link", |project, scratch| {
            fs::write(scratch.join("installed.json"), with_secrets(project)).unwrap();
            symlink("../../../private", scratch.join("old")).unwrap();
        }),
        ("an old folder is a link", |project, scratch| {
            fs::write(scratch.join("installed.json"), with_secrets(project)).unwrap();
            fs::create_dir(scratch.join("old")).unwrap();
            symlink("../../../../private/secrets", scratch.join("old/secrets")).unwrap();
        }),
        ("a name that is written to is a link", |project, scratch| {
            fs::rename(project.path(RECORD), scratch.join("installed.json")).unwrap();
            symlink("../../../private/notes.txt", scratch.join("recovered.json")).unwrap();
        }),
        ("the record is a link", |project, scratch| {
            fs::write(project.path("private/notes.txt"), with_secrets(project)).unwrap();
            symlink("../../../private/notes.txt", scratch.join("installed.json")).unwrap();
        }),
        ("the record never ends", |_, scratch| {
            symlink("/dev/zero", scratch.join("installed.json")).unwrap();
        }),
        ("the record is a pipe", |_, scratch| pipe(&scratch.join("installed.json"))),
        ("it is a link itself", |project, scratch| {
            fs::remove_dir(scratch).unwrap();
            symlink("../../private", scratch).unwrap();
            fs::write(project.path("private/installed.json"), with_secrets(project)).unwrap();
        }),
    ];
    for (name, trap) in traps {
        // As unpacking an archive may leave it, or a checkout.
        for mode in [0o700, 0o755] {
            let project = project(source);
            trap(&project, &scratch(&project, mode));
            let private = project.snapshot("private");
            all_commands(&project, source);
            assert_eq!(project.snapshot("private"), private, "{name} {mode:o}");
            assert!(!project.path("skills/secrets").exists(), "{name} {mode:o}");
            let rubbish = project.path("skills/.skillmirror/tmp-abc");
            let is_kept = mode == 0o755 || rubbish.is_symlink();
            assert_eq!(fs::symlink_metadata(&rubbish).is_ok(), is_kept, "{name} {mode:o}");
        }
    }
}

#[test]
fn record_must_be_a_plain_file_of_limited_size() {
    let registry = REGISTRY.get(registry);
    let source = registry.base();
    let project = project(source);
    let record = project.path(RECORD);
    fs::rename(&record, project.path("private/record")).unwrap();
    for (found, make) in [
        ("symbolic link", (|record| symlink("../../private/record", record).unwrap()) as fn(&Path)),
        ("symbolic link", |record| symlink("/dev/zero", record).unwrap()),
        ("not a regular file", pipe),
        ("64 MiB", |record| fs::File::create(record).unwrap().set_len((64 << 20) + 1).unwrap()),
    ] {
        make(&record);
        for words in ["install hello", "list", "uninstall hello"] {
            let output = project.run_any(source, words);
            assert!(output.code == 1 && output.stderr.contains(found), "{words}: {output:?}");
        }
        fs::remove_file(&record).unwrap();
    }
    fs::create_dir(&record).unwrap();
    assert_eq!(project.run("list").code, 1);
}

#[test]
fn paths_in_a_record_stay_inside_the_folder() {
    let registry = REGISTRY.get(registry);
    let source = registry.base();
    let project = project(source);
    let private = project.snapshot("private");
    let good = with_secrets(&project);
    let lock = project.path("skills.lock");
    let locked = fs::read(&lock).unwrap();
    for name in ["..", ".", "../private", "/etc", "a/b", ".skillmirror", ""] {
        for (from, to) in
            [("\"secrets\":", format!("{name:?}:")), ("@global/secrets", format!("@global/{name}"))]
        {
            let bad = good.replace(from, &to);
            let _ = fs::remove_file(&lock);
            fs::write(project.path(RECORD), &bad).unwrap();
            let printed = project.refused(source, "install hello", "record_damaged");
            assert!(printed.contains("installed.json"), "{printed}");
            // A lock file says what it had, and nothing of the record is used.
            fs::write(&lock, &locked).unwrap();
            project.run_any(source, "install hello --force").ok();
            let skills = project.record()["skills"].as_object().unwrap().keys().cloned().collect::<Vec<_>>();
            assert_eq!(skills, ["hello"], "{bad}");
            project.run_any(source, "install hello@1.0.0").ok();
            let _ = fs::remove_file(&lock);
        }
        let both = good.replace("\"secrets\":", &format!("{name:?}:"));
        fs::write(project.path(RECORD), both.replace("@global/secrets", &format!("@global/{name}"))).unwrap();
        project.refused(source, "install hello --force", "record_damaged");
        all_commands(&project, source);
    }
    assert_eq!(project.snapshot("private"), private);
}

#[test]
fn links_instead_of_skill_file_or_lock_are_refused() {
    let registry = REGISTRY.get(registry);
    let source = registry.base();
    let project = project(source);
    let private = project.snapshot("private");
    // A recorded skill that is a link to a folder, with what the record says in it or not.
    fs::write(project.path(RECORD), with_secrets(&project)).unwrap();
    symlink("../private/secrets", project.path("skills/secrets")).unwrap();
    let printed = project.refused(source, "uninstall secrets --force", "not_a_folder");
    assert!(printed.contains("symbolic link"), "{printed}");
    assert!(project.run("list").ok().stdout.contains("missing"));
    // Links in a skill are removed with it, and their targets stay.
    symlink("../../private", project.path("skills/hello/folder")).unwrap();
    symlink("../../private/notes.txt", project.path("skills/hello/file")).unwrap();
    let printed = project.refused(source, "install hello", "changed");
    assert!(printed.contains("folder (new)") && printed.contains("file (new)"), "{printed}");
    project.run_with(source, "install hello --force").ok();
    symlink("../../private", project.path("skills/hello/folder")).unwrap();
    project.run_any(source, "uninstall hello --force").ok();
    assert_eq!(project.snapshot("private"), private);
    let lock = project.path("skills/.skillmirror/lock");
    for target in ["../../private/new", "../../private/notes.txt"] {
        fs::remove_file(&lock).unwrap();
        symlink(target, &lock).unwrap();
        assert_eq!(project.run_any(source, "install hello").code, 1);
    }
    assert_eq!(project.snapshot("private"), private);
}

#[test]
fn file_instead_of_folder_is_refused() {
    let registry = REGISTRY.get(registry);
    let source = registry.base();
    let project = Project::new();
    fs::write(project.path("file"), "kept").unwrap();
    symlink("nothing", project.path("link")).unwrap();
    for (words, found) in [("--dir file", "is a file"), ("--dir link", "symbolic link")] {
        for command in ["install hello", "list", "uninstall hello"] {
            let output = project.run_any(source, &format!("{command} {words}"));
            assert!(
                output.code == 1 && output.stderr.contains(found) && output.stderr.contains("--dir"),
                "{output:?}"
            );
        }
    }
    assert_eq!(fs::read_to_string(project.path("file")).unwrap(), "kept");
    assert!(!project.path("nothing").exists());
}
