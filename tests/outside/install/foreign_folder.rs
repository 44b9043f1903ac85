//! Folders of skills that came with somebody else's project: whatever is in one, nothing
//! outside of it is read, moved, changed or removed.

use std::fs::{self, Permissions};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};

use crate::harness::{Desk, Registry, Shared, Skill};

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

/// A project with `hello` in it, and beside its folder of skills what is nobody's
/// business.
fn project(source: &str) -> Desk {
    let desk = Desk::new();
    desk.of(source, "install hello@1.0.0").ok();
    desk.write("../private/secrets/key", "private");
    desk.write("../private/notes.txt", "private");
    desk
}

/// The record, with `secrets` in it as if it had been installed.
fn with_secrets(desk: &Desk) -> String {
    let mut record: Value = desk.record();
    let mut secrets = record["skills"]["hello"].clone();
    secrets["coordinate"] = json!("@global/secrets");
    record["skills"]["secrets"] = secrets;
    record.to_string()
}

fn scratch(desk: &Desk, mode: u32) -> std::path::PathBuf {
    let scratch = desk.path("skills/.skillmirror/tmp-abc");
    fs::create_dir(&scratch).unwrap();
    fs::set_permissions(&scratch, Permissions::from_mode(mode)).unwrap();
    scratch
}

fn pipe(path: &Path) {
    assert!(Command::new("mkfifo").arg(path).status().unwrap().success());
}

/// Runs every command that looks there, whatever comes of it.
fn all_commands(desk: &Desk, source: &str) {
    for words in ["list", "install hello", "uninstall secrets --force", "install hello --force"] {
        desk.of_any(source, words);
    }
    desk.of_any(source, "uninstall hello --force");
}

#[test]
fn scratch_folders_lead_nowhere() {
    let registry = REGISTRY.get(registry);
    let source = registry.base();
    type Trap = fn(&Desk, &Path);
    let traps: [(&str, Trap); 7] = [
        ("old is a link", |desk, scratch| {
            fs::write(scratch.join("installed.json"), with_secrets(desk)).unwrap();
            symlink("../../../private", scratch.join("old")).unwrap();
        }),
        ("an old folder is a link", |desk, scratch| {
            fs::write(scratch.join("installed.json"), with_secrets(desk)).unwrap();
            fs::create_dir(scratch.join("old")).unwrap();
            symlink("../../../../private/secrets", scratch.join("old/secrets")).unwrap();
        }),
        ("a name that is written to is a link", |desk, scratch| {
            fs::rename(desk.path(RECORD), scratch.join("installed.json")).unwrap();
            symlink("../../../private/notes.txt", scratch.join("recovered.json")).unwrap();
        }),
        ("the record is a link", |desk, scratch| {
            fs::write(desk.path("private/notes.txt"), with_secrets(desk)).unwrap();
            symlink("../../../private/notes.txt", scratch.join("installed.json")).unwrap();
        }),
        ("the record never ends", |_, scratch| {
            symlink("/dev/zero", scratch.join("installed.json")).unwrap();
        }),
        ("the record is a pipe", |_, scratch| pipe(&scratch.join("installed.json"))),
        ("it is a link itself", |desk, scratch| {
            fs::remove_dir(scratch).unwrap();
            symlink("../../private", scratch).unwrap();
            fs::write(desk.path("private/installed.json"), with_secrets(desk)).unwrap();
        }),
    ];
    for (name, trap) in traps {
        // As whoever unpacks an archive may have it; as a checkout makes it.
        for mode in [0o700, 0o755] {
            let desk = project(source);
            trap(&desk, &scratch(&desk, mode));
            let private = desk.snapshot("private");
            all_commands(&desk, source);
            assert_eq!(desk.snapshot("private"), private, "{name} {mode:o}");
            assert!(!desk.path("skills/secrets").exists(), "{name} {mode:o}");
            let rubbish = desk.path("skills/.skillmirror/tmp-abc");
            let is_kept = mode == 0o755 || rubbish.is_symlink();
            assert_eq!(fs::symlink_metadata(&rubbish).is_ok(), is_kept, "{name} {mode:o}");
        }
    }
}

#[test]
fn a_record_is_a_plain_file_of_some_size() {
    let registry = REGISTRY.get(registry);
    let source = registry.base();
    let desk = project(source);
    let record = desk.path(RECORD);
    fs::rename(&record, desk.path("private/record")).unwrap();
    for (found, make) in [
        ("symbolic link", (|record| symlink("../../private/record", record).unwrap()) as fn(&Path)),
        ("symbolic link", |record| symlink("/dev/zero", record).unwrap()),
        ("no plain file", pipe),
        ("64 MiB", |record| fs::File::create(record).unwrap().set_len((64 << 20) + 1).unwrap()),
    ] {
        make(&record);
        for words in ["install hello", "list", "uninstall hello"] {
            let ran = desk.of_any(source, words);
            assert!(ran.code == 1 && ran.err.contains(found), "{words}: {ran:?}");
        }
        fs::remove_file(&record).unwrap();
    }
    fs::create_dir(&record).unwrap();
    assert_eq!(desk.run("list").code, 1);
}

#[test]
fn names_in_a_record_lead_nowhere() {
    let registry = REGISTRY.get(registry);
    let source = registry.base();
    let desk = project(source);
    let private = desk.snapshot("private");
    let good = with_secrets(&desk);
    for name in ["..", ".", "../private", "/etc", "a/b", ".skillmirror", ""] {
        for (from, to) in
            [("\"secrets\":", format!("{name:?}:")), ("@global/secrets", format!("@global/{name}"))]
        {
            fs::write(desk.path(RECORD), good.replace(from, &to)).unwrap();
            let said = desk.refused(source, "install hello", "record_damaged");
            assert!(said.contains("installed.json"), "{said}");
        }
        let both = good.replace("\"secrets\":", &format!("{name:?}:"));
        fs::write(desk.path(RECORD), both.replace("@global/secrets", &format!("@global/{name}"))).unwrap();
        desk.refused(source, "install hello --force", "record_damaged");
        all_commands(&desk, source);
    }
    assert_eq!(desk.snapshot("private"), private);
}

#[test]
fn links_in_the_place_of_a_skill_a_file_or_the_lock() {
    let registry = REGISTRY.get(registry);
    let source = registry.base();
    let desk = project(source);
    let private = desk.snapshot("private");
    // A recorded skill that is a link to a folder, with what the record says in it or not.
    fs::write(desk.path(RECORD), with_secrets(&desk)).unwrap();
    symlink("../private/secrets", desk.path("skills/secrets")).unwrap();
    let said = desk.refused(source, "uninstall secrets --force", "not_a_folder");
    assert!(said.contains("symbolic link"), "{said}");
    assert!(desk.run("list").ok().out.contains("missing"));
    // Links in a skill go with it, and what they lead to stays.
    symlink("../../private", desk.path("skills/hello/folder")).unwrap();
    symlink("../../private/notes.txt", desk.path("skills/hello/file")).unwrap();
    let said = desk.refused(source, "install hello", "changed");
    assert!(said.contains("folder (new)") && said.contains("file (new)"), "{said}");
    desk.of(source, "install hello --force").ok();
    symlink("../../private", desk.path("skills/hello/folder")).unwrap();
    desk.of_any(source, "uninstall hello --force").ok();
    assert_eq!(desk.snapshot("private"), private);
    let lock = desk.path("skills/.skillmirror/lock");
    for target in ["../../private/new", "../../private/notes.txt"] {
        fs::remove_file(&lock).unwrap();
        symlink(target, &lock).unwrap();
        assert_eq!(desk.of_any(source, "install hello").code, 1);
    }
    assert_eq!(desk.snapshot("private"), private);
}

#[test]
fn a_file_in_the_place_of_the_folder() {
    let registry = REGISTRY.get(registry);
    let source = registry.base();
    let desk = Desk::new();
    fs::write(desk.path("file"), "kept").unwrap();
    symlink("nothing", desk.path("link")).unwrap();
    for (words, found) in [("--dir file", "is a file"), ("--dir link", "symbolic link")] {
        for command in ["install hello", "list", "uninstall hello"] {
            let ran = desk.of_any(source, &format!("{command} {words}"));
            assert!(ran.code == 1 && ran.err.contains(found) && ran.err.contains("--dir"), "{ran:?}");
        }
    }
    assert_eq!(fs::read_to_string(desk.path("file")).unwrap(), "kept");
    assert!(!desk.path("nothing").exists());
}
