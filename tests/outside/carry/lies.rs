//! Snapshots that lie. Each is refused with a sentence, and nothing of it gets into a mirror.

use serde_json::json;
use tar::EntryType;

use crate::harness::Registry;

use super::archive::{Archive, Entry};
use super::{apply, create, lived_in, snapshot, vkey};

/// A registry and its snapshot.
struct Honest {
    registry: Registry,
    archive: Archive,
}

impl Honest {
    fn new() -> Self {
        let (registry, _) = lived_in();
        let archive = Archive::read(&create(&registry, "honest.tar.zst", &[]));
        Self { registry, archive }
    }

    /// Asserts that `apply` and `verify` refuse a file, and that no mirror is made.
    #[track_caller]
    fn assert_refused(&self, bytes: &[u8], words: &str) {
        let file = self.registry.write("lie.tar.zst", bytes);
        let mirror = self.registry.folder().join("mirror");
        let applied = apply(&self.registry, &file, &mirror);
        let verified = snapshot(&self.registry, &["verify", file.to_str().unwrap()]);
        for output in [applied, verified] {
            assert!(output.code == 1 && output.stderr.contains(words), "{words}: {output:?}");
        }
        assert!(!mirror.exists(), "nothing is left");
        assert!(!self.registry.folder().join("evil").exists());
    }

    #[track_caller]
    fn assert_archive_refused(&self, archive: &Archive, words: &str) {
        self.assert_refused(&zstd::encode_all(&archive.tar()[..], 1).unwrap(), words);
    }

    /// The archive with an entry before the first document, fitted.
    fn with(&self, entry: impl FnOnce(&Entry) -> Entry) -> Archive {
        let mut archive = self.archive.clone();
        let made = entry(&archive.0[1]);
        archive.0.insert(1, made);
        archive.fitted()
    }
}

#[test]
fn manifest_that_is_no_text_is_named() {
    let honest = Honest::new();
    let mut tar = honest.archive.tar();
    // After the header and the first quotation mark.
    tar[512 + 4] = 0xff;
    honest.assert_refused(&zstd::encode_all(&tar[..], 1).unwrap(), "the snapshot is refused: ");
}

#[test]
fn rewritten_snapshot_without_a_change_is_accepted() {
    let honest = Honest::new();
    let file = honest.registry.folder().join("again.tar.zst");
    honest.archive.clone().fitted().write(&file);
    snapshot(&honest.registry, &["verify", file.to_str().unwrap()]).ok();
}

#[test]
fn file_that_no_tree_has_is_refused() {
    let honest = Honest::new();
    for path in [
        "../evil",
        "/evil",
        "api/../evil",
        "evil",
        "api/v1/skills/../../evil.json",
        "snapshot.json",
        ".tmp/x",
    ] {
        let lie = honest.with(|model| Entry::like(model, path, b"evil"));
        honest.assert_archive_refused(&lie, "is not a file of a registry's tree");
    }
    for kind in
        [EntryType::Symlink, EntryType::Char, EntryType::Fifo, EntryType::Directory, EntryType::XHeader]
    {
        let lie =
            honest.with(|model| Entry::like(model, "api/v1/a.json", b"").linking(kind, "../../../evil"));
        honest.assert_archive_refused(&lie, "is not a file of a registry's tree");
        let lie = honest.with(|model| Entry::like(model, "404.html", b"").linking(kind, "../evil"));
        honest.assert_archive_refused(&lie, "is neither a file nor a second name of a package");
    }
    for target in ["/etc/passwd", "../evil", "index.html", "api/v1/download/tools--world/0.1.0.zip"] {
        let path = "api/v1/download/tools--hello/1.0.0.zip";
        let lie = honest.with(|model| Entry::like(model, path, b"").linking(EntryType::Link, target));
        honest.assert_archive_refused(&lie, "which cannot be the same package");
    }
    let lie = honest.with(|model| {
        let path = "api/v1/download/tools--hello/0.1.0.zip";
        let target = "api/v1/skills/tools/hello/versions/0.1.0/download.zip";
        Entry::like(model, path, b"").linking(EntryType::Link, target)
    });
    honest.assert_archive_refused(&lie, "which is not before it");
    let lie = honest.with(|model| {
        let target = "api/v1/skills/tools/hello/versions/1.0.0/download.zip";
        Entry::like(model, "api/v1/skills/tools/hello/download.zip", b"").linking(EntryType::Link, target)
    });
    honest.assert_archive_refused(&lie, "which is not before it");
    let lie = honest.with(|model| {
        let mut entry = Entry::like(model, ".a", b"");
        entry.header = model.header.clone();
        entry.header.set_mode(0o4777);
        entry.header.set_cksum();
        entry
    });
    honest.assert_archive_refused(&lie, "has another header than snapshots have");
}

#[test]
fn damaged_snapshot_is_refused() {
    let honest = Honest::new();
    let whole = std::fs::read(honest.registry.folder().join("honest.tar.zst")).unwrap();
    for length in [0, 3, 100, whole.len() / 2, whole.len() - 1] {
        honest.assert_refused(&whole[..length], "the snapshot ends too early");
    }
    let tar = honest.archive.tar();
    let end = tar.len() - 1024;
    for length in [512, 1024, end / 1024 * 512, end - 1024, end, end + 512] {
        let words =
            if length == end + 512 { "is not followed by the end" } else { "the snapshot ends too early" };
        honest.assert_refused(&zstd::encode_all(&tar[..length], 1).unwrap(), words);
    }
    let mut changed = whole.clone();
    changed[whole.len() / 2] ^= 1;
    honest.assert_refused(&changed, "the snapshot");
    let (more, mut twice) = ([&whole[..], b"x"].concat(), whole.clone());
    twice.extend_from_slice(&whole);
    honest.assert_refused(&more, "bytes follow");
    honest.assert_refused(&twice, "bytes follow");
    honest.assert_refused(b"PK\x03\x04 and so on, as a zip begins", "the snapshot");
    honest.assert_refused(&zstd::encode_all(&b"text"[..], 1).unwrap(), "the snapshot ends too early");
}

#[test]
fn bomb_is_refused_before_it_is_unpacked() {
    let honest = Honest::new();
    let mut lie = honest.archive.clone();
    lie.set_manifest(&[("bytes", json!(1_u64 << 50))]);
    honest.assert_archive_refused(&lie, "raise `mirror.feed_max_total`");
    let mut lie = honest.archive.clone();
    lie.set_manifest(&[("files", json!(1_u64 << 50))]);
    honest.assert_archive_refused(&lie, "raise `mirror.feed_max_total`");
    // The header alone is enough.
    let mut lie = honest.archive.clone();
    let page = lie.position("index.html");
    lie.0[page].header.set_size(1 << 33);
    lie.0[page].header.set_cksum();
    honest.assert_archive_refused(&lie, "is more than snapshot.json says");
    let mut lie = honest.archive.clone();
    let package = lie.position("api/v1/skills/tools/hello/versions/1.0.0/download.zip");
    lie.0[package].header.set_size(1 << 33);
    lie.0[package].header.set_cksum();
    lie.set_manifest(&[("bytes", json!(1_u64 << 34))]);
    honest.assert_archive_refused(&lie, "raise `mirror.feed_max_package`");
    let mut lie = honest.archive.clone();
    lie.0[0].set_content(vec![b' '; 1 << 20]);
    honest.assert_archive_refused(&lie, "snapshot.json is not as snapshots have it");
}

#[test]
fn other_order_or_count_is_refused() {
    let honest = Honest::new();
    let mut lie = honest.archive.clone();
    lie.0.swap(3, 4);
    honest.assert_archive_refused(&lie.fitted(), "files are sorted");
    let lie = honest.with(Clone::clone);
    honest.assert_archive_refused(&lie, "files are sorted, and each is there once");
    let mut lie = honest.archive.clone();
    lie.0.remove(lie.position("index.html"));
    honest.assert_archive_refused(&lie, "snapshot.json says that the snapshot has");
    let mut lie = honest.archive.clone();
    lie.0.remove(0);
    honest.assert_archive_refused(&lie, "is not the first file");
    let mut lie = honest.archive.clone();
    lie.0.pop();
    honest.assert_archive_refused(&lie.fitted(), "api/v1/mirror/head.json is not the last file");
    let mut lie = honest.archive.clone();
    lie.0.push(lie.0[1].clone());
    honest.assert_archive_refused(&lie.fitted(), "files are sorted");
    let lie = honest.with(|model| Entry::like(model, "snapshot-removed", b"index.html\n"));
    honest.assert_archive_refused(&lie, "snapshot-removed is in a delta only");
    let mut lie = honest.archive.clone();
    lie.set_manifest(&[("format", json!(2))]);
    honest.assert_archive_refused(&lie, "has format 2");
    let mut lie = honest.archive.clone();
    lie.set_manifest(&[("revision", json!(1))]);
    honest.assert_archive_refused(&lie, "has another time than its revision");
}

#[test]
fn changed_rows_or_packages_are_refused() {
    let honest = Honest::new();
    let change = |path: &str, from: &str, to: &str| {
        let mut lie = honest.archive.clone();
        let at = lie.position(path);
        let text = String::from_utf8(lie.0[at].content.clone()).unwrap();
        assert!(text.contains(from), "{text}");
        lie.0[at].set_content(text.replacen(from, to, 1).into_bytes());
        lie
    };
    let lie = change("api/v1/mirror/changes/1.json", "Greets", "Greats").fitted();
    honest.assert_archive_refused(&lie, "lie.tar.zst does not match its rows");
    let lie = change("api/v1/mirror/head.json", "\"pages\":1", "\"pages\":2");
    honest.assert_archive_refused(&lie.fitted(), "lie.tar.zst does not exist");
    let lie = change("api/v1/mirror/settings.json", "true", "false").fitted();
    honest.assert_archive_refused(&lie, "does not have the sha256 that the head names");
    let mut lie = honest.archive.clone();
    let package = lie.position("api/v1/skills/tools/hello/versions/1.0.0/download.zip");
    lie.0[package].content[40] ^= 1;
    honest.assert_archive_refused(&lie.fitted(), "is not the package that the feed names");
}

/// `apply` does not use these documents: it makes them of rows and packages.
#[test]
fn changed_documents_are_found_by_verify_and_not_applied() {
    let honest = Honest::new();
    let folder = honest.registry.folder();
    let file = folder.join("lie.tar.zst");
    let verify = |archive: Archive, words: &str| {
        archive.fitted().write(&file);
        let output = snapshot(&honest.registry, &["verify", file.to_str().unwrap()]);
        assert!(output.code == 1 && output.stderr.contains(words), "{words}: {output:?}");
    };
    let mut lie = honest.archive.clone();
    lie.0.remove(lie.position("index.html"));
    verify(lie, "lists too few files");
    let mut lie = honest.archive.clone();
    let more = Entry::like(&lie.0[1], "api/v1/skills/tools/hellp.json", b"{}");
    lie.0.insert(lie.position("api/v1/skills/tools/hello.json") + 1, more);
    verify(lie, "api/v1/skills/tools/hellp.json is not in the tree of these rows");
    let mut lie = honest.archive.clone();
    let page = lie.position("tools/hello/index.html");
    lie.0[page].content[100] ^= 1;
    verify(lie, "tools/hello/index.html is another one than in the tree of these rows");
    let mirror = folder.join("mirror");
    apply(&honest.registry, &file, &mirror).ok();
    super::assert_mirrors(&honest.registry, &mirror);
}

#[test]
fn history_that_no_trusted_key_signed_is_refused() {
    let honest = Honest::new();
    let (other, admin) = lived_in();
    // Registries of the same second may have the same rows.
    super::grow(&other, &admin, "more");
    let file = honest.registry.folder().join("honest.tar.zst");
    let mirror = honest.registry.folder().join("mirror");
    let with_key = |file: &std::path::Path, key: &str| {
        let (file, to) = (file.to_str().unwrap(), mirror.to_str().unwrap());
        snapshot(&honest.registry, &["apply", file, "--to", to, "--vkey", key])
    };
    let output = with_key(&file, &vkey(&other));
    assert!(
        output.code == 1 && output.stderr.contains("not signed with a key that is trusted"),
        "{output:?}"
    );
    // A whole history of somebody else, with the checkpoint of the right one.
    let checkpoint = |archive: &Archive| archive.position("api/v1/log/checkpoint");
    let mut lie = Archive::read(&create(&other, "other.tar.zst", &[]));
    let (from, to) = (checkpoint(&honest.archive), checkpoint(&lie));
    lie.0[to].set_content(honest.archive.0[from].content.clone());
    let forged = honest.registry.folder().join("forged.tar.zst");
    lie.clone().fitted().write(&forged);
    let output = with_key(&forged, &vkey(&honest.registry));
    assert!(output.code == 1 && output.stderr.contains("waiting until the others are signed"), "{output:?}");
    lie.0.remove(to);
    lie.fitted().write(&forged);
    let output = with_key(&forged, &vkey(&honest.registry));
    assert!(output.code == 1 && output.stderr.contains("the source does not sign"), "{output:?}");
    assert!(!mirror.join("api").exists());
    with_key(&file, &vkey(&honest.registry)).ok();
}
