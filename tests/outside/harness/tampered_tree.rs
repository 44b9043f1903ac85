//! A copy of a tree that a test changes.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use tempfile::TempDir;

use super::project::folder_address;
use super::{Registry, sha256};

/// A copy of a tree. Dropping it removes it.
pub struct TamperedTree {
    folder: TempDir,
}

impl TamperedTree {
    /// Copies a registry's tree.
    pub fn of(registry: &Registry) -> Self {
        let folder = tempfile::Builder::new().prefix("skillmirror-").tempdir().expect("a temporary folder");
        for entry in walkdir::WalkDir::new(registry.public()).min_depth(1) {
            let entry = entry.expect("a tree can be read");
            let to = folder.path().join(entry.path().strip_prefix(registry.public()).expect("below it"));
            if entry.file_type().is_dir() {
                std::fs::create_dir(to).expect("a folder");
            } else {
                std::fs::copy(entry.path(), to).expect("a file");
            }
        }
        Self { folder }
    }

    /// The folder of the copy.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// The `file:` address of the copy.
    pub fn address(&self) -> String {
        folder_address(self.folder())
    }

    /// The path of a document: `skill` is `namespace/slug`, and `rest` follows it.
    pub fn path(&self, skill: &str, rest: &str) -> PathBuf {
        self.folder().join(format!("api/v1/skills/{skill}{rest}"))
    }

    /// The package of a version.
    pub fn package(&self, skill: &str, version: &str) -> Vec<u8> {
        std::fs::read(self.package_path(skill, version)).expect("a package")
    }

    fn package_path(&self, skill: &str, version: &str) -> PathBuf {
        self.path(skill, &format!("/versions/{version}/download.zip"))
    }

    /// Replaces the bytes of a package and changes no document.
    pub fn put_package(&self, skill: &str, version: &str, bytes: &[u8]) {
        std::fs::write(self.package_path(skill, version), bytes).expect("a package");
    }

    /// Changes fields of a document.
    #[track_caller]
    pub fn change(&self, skill: &str, rest: &str, fields: &Value) {
        let path = self.path(skill, rest);
        let mut document: Value = serde_json::from_slice(
            &std::fs::read(&path).unwrap_or_else(|why| panic!("{}: {why}", path.display())),
        )
        .expect("a document is JSON");
        for (name, value) in fields.as_object().expect("fields") {
            assert!(document.get(name).is_some(), "{} has no {name}", path.display());
            document[name] = value.clone();
        }
        std::fs::write(path, document.to_string()).expect("a document");
    }

    /// Replaces a row on the only page of the feed, and the digest of the page in the head. Nothing
    /// takes the place of the row if `by` is empty.
    #[track_caller]
    pub fn change_row(&self, kind: &str, by: impl FnOnce(&str) -> String) {
        let at = |file: &str| self.folder().join("api/v1/mirror").join(file);
        let page = std::fs::read_to_string(at("changes/1.json")).expect("a page");
        let kind = format!("\"kind\":\"{kind}\"");
        let row = page.split(",{\"revision\"").find(|row| row.contains(&kind)).expect("a row of this kind");
        let row = format!("{{\"revision\"{}", row.strip_suffix("]}\n").unwrap_or(row));
        let (old, new) = match by(&row) {
            gone if gone.is_empty() => (format!(",{row}"), gone),
            other => (row, other),
        };
        assert!(page.contains(&old), "{old}");
        let changed = page.replace(&old, &new);
        let head = std::fs::read_to_string(at("head.json")).expect("a head");
        let head = head.replace(&sha256(page.as_bytes()), &sha256(changed.as_bytes()));
        std::fs::write(at("changes/1.json"), changed).expect("a page");
        std::fs::write(at("head.json"), head).expect("a head");
    }

    /// Replaces the bytes of the latest package and changes the documents to match.
    #[track_caller]
    pub fn forge_package(&self, skill: &str, version: &str, bytes: &[u8]) {
        self.put_package(skill, version, bytes);
        let sha256 = sha256(bytes);
        self.change(skill, "/resolve.json", &json!({"sha256": sha256}));
        let fields = json!({"sha256": sha256, "packageSize": bytes.len()});
        self.change(skill, &format!("/versions/{version}.json"), &fields);
    }
}
