//! Imports a corpus of six hundred real packages, if there is one.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::harness::{Registry, StaticHost, tree::unpacked};

/// At least so many of a hundred versions are accepted.
const ACCEPTED_PERCENT: usize = 95;

/// A version that the manifest names.
struct Named {
    namespace: String,
    slug: String,
    version: String,
    zip: PathBuf,
}

impl Named {
    /// The address of its package in a tree.
    fn package(&self) -> String {
        format!("api/v1/skills/{}/{}/versions/{}/download.zip", self.namespace, self.slug, self.version)
    }
}

fn manifest(corpus: &Path) -> Vec<Named> {
    let text = std::fs::read_to_string(corpus.join("manifest.jsonl")).expect("the corpus has a manifest");
    let mut all = Vec::new();
    for line in text.lines() {
        let skill: Value = serde_json::from_str(line).expect("a line is JSON");
        for version in skill["versions"].as_array().expect("versions") {
            let text = |value: &Value| value.as_str().expect("a text").to_owned();
            all.push(Named {
                namespace: text(&skill["ns"]),
                slug: text(&skill["slug"]),
                version: text(&version["version"]),
                zip: corpus.join(text(&version["zip"])),
            });
        }
    }
    all
}

/// The expected files: all files of a zip except ignored ones, without their common folder.
fn expected(zip: &[u8]) -> BTreeMap<String, Vec<u8>> {
    const DROPPED: &[&str] = &["__MACOSX", ".DS_Store", "Thumbs.db", ".git", "node_modules"];
    let is_dropped =
        |path: &str| path.split('/').any(|part| DROPPED.contains(&part) || part.starts_with("._"));
    let files: BTreeMap<String, Vec<u8>> = unpacked(zip)
        .into_iter()
        .map(|(path, (bytes, _))| (path.trim_start_matches("./").to_owned(), bytes))
        .filter(|(path, _)| !is_dropped(path))
        .collect();
    let top = files.keys().next().and_then(|path| path.split_once('/')).map(|(top, _)| format!("{top}/"));
    match top.filter(|top| files.keys().all(|path| path.starts_with(top.as_str()))) {
        Some(top) => files.into_iter().map(|(path, bytes)| (path[top.len()..].to_owned(), bytes)).collect(),
        None => files,
    }
}

#[test]
fn corpus_is_imported_and_read_back_byte_for_byte() {
    let Some(corpus) = std::env::var_os("SKILLMIRROR_CORPUS").map(PathBuf::from) else {
        eprintln!("SKILLMIRROR_CORPUS is not set: no corpus was imported");
        return;
    };
    let mut registry = Registry::start();
    registry.stop();
    let import = || registry.command(["import".as_ref(), corpus.as_os_str(), "--tolerant".as_ref()]);

    let first = import();
    let all = manifest(&corpus);
    let (accepted, refused): (Vec<&Named>, Vec<&Named>) =
        all.iter().partition(|named| registry.public().join(named.package()).exists());
    eprintln!("corpus: {} of {} versions accepted", accepted.len(), all.len());
    assert!(
        accepted.len() * 100 >= all.len() * ACCEPTED_PERCENT,
        "{} of {}: {first:?}",
        accepted.len(),
        all.len()
    );
    for named in &refused {
        let file = named.zip.file_name().expect("a name").to_string_lossy();
        assert!(
            first.printed().contains(file.as_ref()),
            "{file} is refused without a word: {}",
            first.printed()
        );
    }

    let head = registry.tree_file("api/v1/mirror/head.json");
    import();
    assert_eq!(registry.tree_file("api/v1/mirror/head.json"), head, "a second import adds nothing");

    let host = StaticHost::over(&registry.public());
    let client = host.client();
    for named in &accepted {
        let served = client.get(&format!("/{}", named.package())).expect(200).body;
        let there: BTreeMap<String, Vec<u8>> =
            unpacked(&served).into_iter().map(|(path, (bytes, _))| (path, bytes)).collect();
        let mut wanted = expected(&std::fs::read(&named.zip).expect("the corpus has the zip"));
        // The entry file is stored with the name that clients look for.
        let is_entry =
            |path: &&String| ["skill.md", "skills.md"].iter().any(|name| path.eq_ignore_ascii_case(name));
        if wanted.contains_key("SKILL.md") {
            // Another one beside it stays what it is.
        } else if let Some(entry) = wanted.keys().find(is_entry).cloned() {
            let bytes = wanted.remove(&entry).expect("it was found");
            wanted.insert("SKILL.md".to_owned(), bytes);
        }
        assert!(there == wanted, "{} is not what went in", named.package());
    }
    registry.command(["verify"]).ok();
}
