//! `skillmirror journal redact`: text that has to go for good.

use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

use serde_json::json;
use walkdir::WalkDir;

use crate::harness::{CommandOutput, Registry, Skill, TamperedTree, User, run, sha256, tree};

/// A word that is in the redacted version and nowhere else.
const SECRET: &str = "Xylophonsonate";

/// A registry that signs, with a version that must not exist between two good ones.
fn signing() -> (Registry, User) {
    let mut registry = Registry::configured("[mirror]\ncounter_interval = 86400\n");
    registry.command(["key", "new", "--name", "skills.example.org"]).ok();
    registry.restart();
    let admin = registry.admin();
    registry.team("tools", &admin);
    registry.versions("tools/hello", &["1.0.0"], &admin);
    let skill = Skill::named("hello").text(SECRET).file(&format!("{SECRET}.txt"), SECRET);
    registry.publish(skill).to("tools").version("1.1.0").by(&admin).expect(201);
    registry.tag("tools/hello", "beta", "1.1.0", &admin).expect(201);
    registry.versions("tools/hello", &["0.9.0"], &admin);
    (registry, admin)
}

fn redact(registry: &Registry, target: &str) -> CommandOutput {
    registry.command(["journal", "redact", target, "--reason", "A court has decided so.", "--yes"])
}

fn generate(registry: &Registry, source: &Path, to: &Path, key: Option<&str>) -> CommandOutput {
    let mut arguments = vec!["generate", "--feed", source.to_str().unwrap(), "--out", to.to_str().unwrap()];
    key.into_iter().for_each(|key| arguments.extend(["--vkey", key]));
    run(registry.folder(), &arguments.into_iter().map(Into::into).collect::<Vec<_>>())
}

/// The files that have the word, also inside of packages and compressed files.
fn with_secret(folder: &Path) -> Vec<PathBuf> {
    let has = |bytes: &[u8]| bytes.windows(SECRET.len()).any(|window| window == SECRET.as_bytes());
    let has_inside = |path: &Path, bytes: &[u8]| match path.extension().and_then(|end| end.to_str()) {
        Some("gz") => {
            let mut text = Vec::new();
            let read = std::process::Command::new("gzip").arg("-dc").arg(path).output();
            text.extend(read.map(|output| output.stdout).unwrap_or_default());
            has(&text)
        }
        Some("zst") => {
            has(&std::process::Command::new("zstd").arg("-dcq").arg(path).output().unwrap().stdout)
        }
        _ if bytes.starts_with(b"PK") => {
            let Ok(mut zip) = zip::ZipArchive::new(std::io::Cursor::new(bytes)) else { return false };
            (0..zip.len()).any(|index| {
                let mut content = Vec::new();
                let _ = zip.by_index(index).unwrap().read_to_end(&mut content);
                has(&content)
            })
        }
        _ => false,
    };
    let files = WalkDir::new(folder).into_iter().flatten().filter(|entry| entry.file_type().is_file());
    files
        .filter(|entry| {
            let bytes = fs::read(entry.path()).unwrap();
            has(&bytes) || has_inside(entry.path(), &bytes)
        })
        .map(|entry| entry.path().to_owned())
        .collect()
}

#[test]
fn redacted_version_is_in_no_file_any_more() {
    let (mut registry, _) = signing();
    let key = registry.command(["key", "show"]).ok().stdout.trim().to_owned();
    let (public, mirror) = (registry.public(), registry.folder().join("mirror"));
    generate(&registry, &public, &mirror, Some(&key)).ok();
    let before = registry.tree_json("api/v1/mirror/head.json");
    assert!(!with_secret(&registry.folder().join("data")).is_empty() && !with_secret(&mirror).is_empty());

    let busy = redact(&registry, "@tools/hello@1.1.0");
    assert!(busy.code == 1, "{busy:?}");
    registry.stop();
    // A row that no mirror takes would stop all of them.
    for reason in ["", " ", "two\nlines", "bell\u{7}", "a\u{200b}b", "a\u{202e}b", &"x".repeat(1025)] {
        let arguments = ["journal", "redact", "@tools/hello@1.1.0", "--reason", reason, "--yes"];
        let said = registry.command(arguments);
        assert!(said.code == 1 && said.stderr.contains("--reason"), "{reason:?}: {said:?}");
    }
    let output = redact(&registry, "@tools/hello@1.1.0").ok();
    assert!(output.stdout.contains("its digest stays in the log"), "{output:?}");
    registry.restart();
    registry.command(["journal", "check"]).ok();
    registry.command(["verify"]).ok();
    generate(&registry, &public, &mirror, Some(&key)).ok();
    registry.command(["snapshot", "create", "--out", "after.tar.zst"]).ok();
    assert_eq!(with_secret(registry.folder()), Vec::<PathBuf>::new());
    tree::assert_equal(&tree::contents(&mirror), &registry.tree_bytes());

    // The rows before are the same leaves.
    let after = registry.tree_json("api/v1/mirror/head.json");
    assert_ne!(before["epoch"], after["epoch"]);
    let size = before["log"]["size"].as_u64().unwrap();
    assert_eq!(after["log"]["size"], size + 2, "one row says why, one that the history goes on");
    let rows = registry.tree_json("api/v1/mirror/changes/1.json");
    let rows = rows["changes"].as_array().unwrap();
    let stub = rows.iter().find(|row| row["kind"] == "redacted").expect("a stub");
    let why = rows.iter().find(|row| row["kind"] == "row_redacted").expect("a reason");
    assert_eq!((&why["row"], &why["reason"]), (&stub["revision"], &json!("A court has decided so.")));

    // Everything else goes on.
    let skill = registry.read("/api/v1/skills/tools/hello");
    assert_eq!((&skill["version"], &skill["tags"]), (&json!("1.0.0"), &json!({})));
    registry.get("/api/v1/skills/tools/hello/versions/1.1.0/download").expect(404);
    let again = registry.command(["journal", "redact", "@tools/hello@1.1.0", "--reason", "x", "--yes"]);
    assert!(again.code == 1 && again.stderr.contains("there is no such public row"), "{again:?}");
    let admin = registry.admin();
    registry.versions("tools/hello", &["1.2.0"], &admin);
}

#[test]
fn redacted_submission_leaves_the_journal_too() {
    let mut registry = Registry::start();
    let admin = registry.admin();
    let ann = registry.user("ann");
    registry.reviewing_team("tools", &admin);
    registry.join("tools", &admin, &ann, "member");
    let skill = Skill::named("hello").text(SECRET);
    let pending = registry.publish(skill).to("tools").version("1.0.0").by(&ann).expect_json(201);
    registry.decide(&admin, "approve", ("tools", &pending["reviewId"])).expect(200);
    registry.stop();
    redact(&registry, "@tools/hello@1.0.0").ok();
    assert_eq!(with_secret(&registry.folder().join("data")), Vec::<PathBuf>::new());
    registry.restart();
    registry.get("/api/v1/skills/tools/hello").expect(404);
    registry.command(["journal", "check"]).ok();
}

#[test]
fn only_texts_can_be_redacted() {
    let (mut registry, admin) = signing();
    registry.yank("tools/hello", "1.0.0", &admin).expect(200);
    registry.stop();
    for (target, said) in [
        ("1", "only versions, the reasons of yanks, what scanners said, advisories and bundles"),
        ("99999", "there is no such public row"),
        ("@tools/never@1.0.0", "there is no such public row"),
        ("hello", "neither the number of a row nor a version"),
    ] {
        let refused = redact(&registry, target);
        assert!(refused.code == 1 && refused.stderr.contains(said), "{target}: {refused:?}");
    }
    let unasked = registry.command(["journal", "redact", "@tools/hello@1.0.0", "--reason", "x"]);
    assert!(unasked.code == 1 && unasked.stderr.contains("Use --yes if you mean it"), "{unasked:?}");
    registry.restart();
    assert_eq!(registry.read("/api/v1/skills/tools/hello/versions")["total"], 3);
}

#[test]
fn text_that_nobody_says_was_redacted_is_missed() {
    let (registry, _) = signing();
    let liar = TamperedTree::of(&registry);
    liar.change_row("tag_set", |row| {
        let value: serde_json::Value = serde_json::from_str(row).unwrap();
        let digest = sha256(row.as_bytes());
        let (revision, at) = (&value["revision"], &value["at"]);
        json!({"revision": revision, "at": at, "kind": "redacted", "v": 1, "sha256": digest}).to_string()
    });
    let key = registry.command(["key", "show"]).ok().stdout.trim().to_owned();
    let refused = generate(&registry, liar.folder(), &registry.folder().join("mirror"), Some(&key));
    assert!(
        refused.code == 1 && refused.stderr.contains("no later row says that it was redacted"),
        "{refused:?}"
    );
}
