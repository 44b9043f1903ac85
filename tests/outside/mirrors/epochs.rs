//! A source that has restored a backup: its key signs that the history goes on.

use std::fs;
use std::path::PathBuf;

use crate::harness::{CommandOutput, Registry, User, tree};

const STATEMENT: &str = "api/v1/log/epoch";
const NAME: &str = "skills.example.org";

/// A registry that signs, with a mirror and a backup of an earlier state than that of the mirror.
struct Restorable {
    registry: Registry,
    admin: User,
    key: String,
    /// The number of rows in the backup.
    rows: u64,
}

impl Restorable {
    fn start() -> Self {
        let mut registry = Registry::configured("[mirror]\ncounter_interval = 86400\n");
        let key = registry.command(["key", "new", "--name", NAME]).ok().stdout.trim().to_owned();
        registry.restart();
        let admin = registry.admin();
        registry.versions("global/kept", &["1.0.0"], &admin);
        registry.command(["journal", "backup", "backup.zip"]).ok();
        let rows = size(&registry);
        registry.versions("global/lost", &["1.0.0", "1.1.0"], &admin);
        let restorable = Self { registry, admin, key, rows };
        restorable.mirror(&[]).ok();
        restorable
    }

    fn restore(&mut self) {
        self.restore_with(&[]);
    }

    /// Restores the backup, and starts the server with further arguments.
    fn restore_with(&mut self, further: &[&str]) {
        self.registry.stop();
        self.registry.command(["journal", "restore", "backup.zip"]).ok();
        self.registry.start_with(further);
        self.registry.versions("global/new", &["1.0.0"], &self.admin);
    }

    fn folder(&self) -> PathBuf {
        self.registry.folder().join("mirror")
    }

    fn mirror(&self, further: &[&str]) -> CommandOutput {
        let (source, mirror) = (self.registry.public(), self.folder());
        let [source, mirror] = [&source, &mirror].map(|path| path.to_str().unwrap());
        let arguments = ["generate", "--feed", source, "--out", mirror, "--vkey", &self.key];
        self.registry.command([&arguments[..], further].concat())
    }

    fn assert_same(&self) {
        tree::assert_equal(&tree::contents(&self.folder()), &self.registry.tree_bytes());
    }
}

fn size(registry: &Registry) -> u64 {
    registry.tree_json("api/v1/mirror/head.json")["log"]["size"].as_u64().unwrap()
}

fn epoch(registry: &Registry) -> String {
    registry.tree_json("api/v1/mirror/head.json")["epoch"].as_str().unwrap().to_owned()
}

#[test]
fn mirror_follows_a_new_epoch_that_the_key_has_signed() {
    let mut source = Restorable::start();
    assert!(!source.registry.public().join(STATEMENT).exists(), "no backup was restored");
    source.registry.get("/api/v1/log/epoch").expect(404);
    let mut epochs = vec![epoch(&source.registry)];
    for _ in 0..2 {
        source.restore();
        epochs.push(epoch(&source.registry));
    }
    let statement = source.registry.get("/api/v1/log/epoch").expect(200).text();
    let (current, mut earlier) = (epochs.pop().unwrap(), epochs);
    earlier.sort();
    let expected = format!("{NAME}/epoch\nskillmirror.epoch/1\nepoch {current}\nbackup ");
    assert!(statement.starts_with(&expected), "{statement}");
    let log = format!("\nlog {} ", source.rows);
    let end = format!("\nearlier {}\nearlier {}\n\n— {NAME} ", earlier[0], earlier[1]);
    assert!(statement.contains(&log) && statement.contains(&end), "{statement}");

    source.mirror(&[]).ok();
    source.assert_same();
    // A new mirror has it, too, and so has one without a key.
    for keys in [&["--vkey", &source.key][..], &[]] {
        fs::remove_dir_all(source.folder()).unwrap();
        fs::remove_dir_all(source.folder().with_extension("state")).unwrap();
        let public = source.registry.public();
        let arguments = ["generate", "--feed", public.to_str().unwrap(), "--out", "mirror"];
        source.registry.command([&arguments[..], keys].concat()).ok();
        source.assert_same();
    }
    source.registry.command(["verify"]).ok();
}

#[test]
fn carried_mirror_follows_a_new_epoch_that_the_key_has_signed() {
    let mut source = Restorable::start();
    let carry = |source: &Restorable, keys: &[&str]| {
        source.registry.command(["snapshot", "create", "--out", "s.tar.zst"]).ok();
        let apply = ["snapshot", "apply", "s.tar.zst", "--to", "carried"];
        source.registry.command([&apply[..], keys].concat())
    };
    carry(&source, &[]).ok();
    source.restore();
    let refused = carry(&source, &[]);
    assert!(refused.stderr.contains("without --vkey nobody can tell"), "{refused:?}");
    carry(&source, &["--vkey", &source.key]).ok();
    let carried = tree::contents(&source.registry.folder().join("carried"));
    tree::assert_equal(&carried, &source.registry.tree_bytes());
}

#[test]
fn mirror_refuses_a_new_epoch_without_the_right_statement() {
    let mut source = Restorable::start();
    let before = tree::contents(&source.folder());
    let old = epoch(&source.registry);
    source.restore();
    source.registry.stop();
    let path = source.registry.public().join(STATEMENT);
    let statement = fs::read_to_string(&path).unwrap();
    let new = epoch(&source.registry);
    let lies = [
        (None, "would say that it continues this one, but does not exist"),
        (Some(String::new()), "not a signed statement about an epoch"),
        (Some(statement.replace(&old, &"0".repeat(32))), "on the statement is false"),
        (Some(statement.replace(&new, &old)), "on the statement is false"),
        (Some(statement.replace("— skills", "— others")), "not signed with a key that is trusted here"),
    ];
    for (lie, why) in lies {
        match lie {
            Some(text) => fs::write(&path, text).unwrap(),
            None => fs::remove_file(&path).unwrap(),
        }
        let refused = source.mirror(&[]);
        assert!(refused.code == 1 && refused.stderr.contains(why), "{why}: {refused:?}");
        tree::assert_equal(&tree::contents(&source.folder()), &before);
    }
    // Another registry with the same key: its statement names other epochs.
    let mut other = Registry::configured("[mirror]\ncounter_interval = 86400\n");
    copy_keys(&source.registry, &other);
    other.restart();
    other.command(["journal", "backup", "backup.zip"]).ok();
    other.stop();
    other.command(["journal", "restore", "backup.zip"]).ok();
    other.restart();
    let (tree, mirror) = (other.public(), source.folder());
    let [tree, mirror] = [&tree, &mirror].map(|path| path.to_str().unwrap());
    let arguments = ["generate", "--feed", tree, "--out", mirror, "--vkey", &source.key];
    let refused = source.registry.command(arguments);
    assert!(refused.stderr.contains("does not name the epoch of this mirror"), "{refused:?}");

    fs::write(&path, statement).unwrap();
    let without = source.registry.command(&arguments[..5]);
    assert!(without.stderr.contains("without --vkey nobody can tell"), "{without:?}");
    source.mirror(&[]).ok();
    source.assert_same();
}

#[test]
fn retired_key_cannot_begin_an_epoch() {
    let mut source = Restorable::start();
    let keys = source.registry.folder().join("keys");
    let (old, stolen) = (source.key.clone(), source.registry.folder().join("stolen"));
    let stolen_id = old.split('+').nth(1).unwrap().to_owned();
    fs::copy(keys.join(format!("{stolen_id}.key")), &stolen).unwrap();
    source.registry.command(["key", "new"]).ok();
    source.registry.command(["key", "retire", &stolen_id, "--yes"]).ok();
    source.registry.stop();
    source.registry.restart();
    source.key = source.registry.command(["key", "show"]).ok().stdout.trim().to_owned();
    source.mirror(&["--vkey", &old]).ok();
    let before = tree::contents(&source.folder());

    // The thief has the retired key, and settings that say nothing about it.
    fs::remove_dir_all(&keys).unwrap();
    fs::create_dir(&keys).unwrap();
    fs::rename(&stolen, keys.join(format!("{stolen_id}.key"))).unwrap();
    source.restore_with(&["--unsigned"]);
    let refused = source.mirror(&["--vkey", &old]);
    assert!(
        refused.code == 1 && refused.stderr.contains("not signed with a key that is trusted here"),
        "{refused:?}"
    );
    tree::assert_equal(&tree::contents(&source.folder()), &before);
}

fn copy_keys(from: &Registry, to: &Registry) {
    fs::create_dir(to.folder().join("keys")).unwrap();
    for entry in fs::read_dir(from.folder().join("keys")).unwrap() {
        let path = entry.unwrap().path();
        // Copies the mode, too.
        fs::copy(&path, to.folder().join("keys").join(path.file_name().unwrap())).unwrap();
    }
}
