//! A damaged journal: no process starts on it, the error names the revision and the remedy, and the
//! files stay unchanged.

use std::path::PathBuf;
use std::process::Command;

use crate::harness::{Registry, Skill};

/// A stopped registry of a few revisions, of which the last is a publication.
fn stopped() -> Registry {
    let mut registry = Registry::start();
    for slug in ["one", "two", "three"] {
        registry.publish(Skill::named(slug)).by(&registry.admin()).expect(201);
    }
    registry.stop();
    registry
}

fn journal(registry: &Registry) -> PathBuf {
    registry.data().join("journal.sqlite")
}

/// Changes the journal as its own writer would. `{last}` is the number of the last row; `chain`
/// computes its link again.
fn rewrite(registry: &Registry, sql: &str) {
    const SCRIPT: &str = r#"
import hashlib, sqlite3, struct, sys
db = sqlite3.connect(sys.argv[1])
last = db.execute("SELECT max(revision) FROM rows").fetchone()[0]
db.execute(sys.argv[2].replace("{last}", str(last)))
link, text = bytes(32), lambda t: hashlib.sha256(t.encode()).digest()
for revision, at, private, public in db.execute("SELECT revision, at, private, public FROM rows ORDER BY 1").fetchall():
    rest = b"\0" if public is None else b"\1" + text(public)
    link = hashlib.sha256(link + struct.pack(">Qq", revision, at) + text(private) + rest).digest()
    if sys.argv[3] == "chain":
        db.execute("UPDATE rows SET chain = ? WHERE revision = ?", (link, revision))
db.commit()
db.execute("PRAGMA wal_checkpoint(truncate)")
db.close()
print(last)
"#;
    let chain = if sql.contains("/* unlinked */") { "as it is" } else { "chain" };
    let output =
        Command::new("python3").args(["-c", SCRIPT]).arg(journal(registry)).args([sql, chain]).output();
    let output = output.expect("python3 starts");
    assert!(output.status.success(), "{output:?}");
}

/// Both commands end with 1 and say all of `words`; the file stays as it is.
#[track_caller]
fn refused(registry: &Registry, what: &str, words: &[&str]) {
    let before = std::fs::read(journal(registry)).ok();
    for command in [&["serve", "--listen", "127.0.0.1:0"][..], &["journal", "check"]] {
        let output = registry.command(command);
        assert_eq!(output.code, 1, "{what}: {command:?}: {output:?}");
        for word in words.iter().chain(&["backup"]) {
            assert!(output.printed().contains(word), "{what}: {command:?} does not say {word:?}: {output:?}");
        }
        assert!(
            !output.printed().contains("panicked") && !output.printed().contains("listening"),
            "{what}: {output:?}"
        );
        assert!(std::fs::read(journal(registry)).ok() == before, "{what}: {command:?} changed the file");
    }
}

#[test]
fn unknown_row_stops_the_start() {
    for (what, sql) in [
        (
            "an unknown kind",
            r#"UPDATE rows SET public = json_set(public, '$.kind', 'teleported') WHERE revision = {last}"#,
        ),
        ("an unknown v", r#"UPDATE rows SET public = json_set(public, '$.v', 99) WHERE revision = {last}"#),
        ("no object", r#"UPDATE rows SET public = '[]' WHERE revision = {last}"#),
        ("no JSON", r#"UPDATE rows SET private = '{' WHERE revision = {last}"#),
    ] {
        let registry = stopped();
        rewrite(&registry, sql);
        let last = last(&registry);
        refused(&registry, what, &[&format!("revision {last}")]);
    }
}

/// The number of the last row.
fn last(registry: &Registry) -> u64 {
    registry.tree_json("api/v1/mirror/head.json")["revision"].as_u64().unwrap()
}

#[test]
fn changed_or_missing_row_is_named() {
    for (what, sql, back) in [
        ("a changed row", "UPDATE rows SET at = at + 1 WHERE revision = {last} - 1 /* unlinked */", 1),
        ("a missing row", "DELETE FROM rows WHERE revision = {last} - 1 /* unlinked */", 1),
        ("a wrong link", "UPDATE rows SET chain = zeroblob(32) WHERE revision = {last} /* unlinked */", 0),
    ] {
        let registry = stopped();
        let row = last(&registry) - back;
        rewrite(&registry, sql);
        refused(&registry, what, &[&format!("row {row}")]);
    }
}

#[test]
fn truncated_journal_is_not_a_new_registry() {
    let registry = stopped();
    let whole = std::fs::read(journal(&registry)).unwrap();
    let page = 8192;
    let zeroed = |number: usize| {
        let mut bytes = whole.clone();
        bytes[number * page..(number + 1) * page].fill(0);
        bytes
    };
    let mut torn: Vec<(String, Vec<u8>)> =
        [0, 1, 50, 100, 600, page, page + 1, whole.len() / 2, whole.len() - page]
            .map(|length| (format!("cut to {length} bytes"), whole[..length].to_vec()))
            .into();
    torn.extend((0..3).map(|number| (format!("page {number} zeroed"), zeroed(number))));
    torn.push(("another file".to_owned(), b"no database, but a text\n".repeat(400)));
    for (what, bytes) in torn {
        std::fs::write(journal(&registry), bytes).unwrap();
        refused(&registry, &what, &["journal.sqlite"]);
        for suffix in ["-wal", "-shm"] {
            let _ = std::fs::remove_file(registry.data().join(format!("journal.sqlite{suffix}")));
        }
    }
    std::fs::write(journal(&registry), whole).unwrap();
    registry.command(["journal", "check"]).ok();
}

#[test]
fn row_log_without_journal_is_not_a_new_registry() {
    let mut registry = Registry::start();
    registry.publish(Skill::named("one")).by(&registry.admin()).expect(201);
    registry.kill();
    let log = registry.data().join("journal.sqlite-wal");
    assert!(log.metadata().unwrap().len() > 0, "the log of a server that was killed");
    std::fs::remove_file(journal(&registry)).unwrap();
    let output = registry.command(["serve", "--listen", "127.0.0.1:0"]);
    assert!(
        output.code == 1 && output.stderr.contains("journal.sqlite-wal") && output.stderr.contains("backup"),
        "{output:?}"
    );
    assert_eq!(registry.command(["journal", "check"]).code, 1);
    assert!(log.exists() && !journal(&registry).exists());
}
