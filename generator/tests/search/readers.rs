//! What the reader in Rust finds, and whether the one in JavaScript finds the same.

use std::fmt::Write;
use std::process::Command;

use generator::search::{Index, Query};
use registry::names::Digest;
use serde::Serialize;

const SCRIPT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/search/vectors.mjs");

#[derive(Serialize)]
struct Vector<'a> {
    q: &'a str,
    namespace: Option<&'a str>,
    total: usize,
    hits: Vec<(&'a str, u64)>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    unknown: Vec<(&'a str, Option<&'a str>)>,
    near: u64,
    sha256: String,
}

/// What a query of an index finds.
pub fn line(index: &Index, q: &str, namespace: Option<&str>) -> String {
    let name = namespace.map(|name| name.parse().unwrap());
    let found = index.find(&Query::new(q), name.as_ref()).unwrap();
    let hits: Vec<_> = found.hits.iter().map(|hit| (found.card(hit).unwrap().slug, hit.score)).collect();
    let mut all = String::new();
    hits.iter().for_each(|(slug, score)| writeln!(all, "{slug} {score}").unwrap());
    let sha256 = Digest::of(all.as_bytes()).to_string();
    let first = hits.iter().take(5).copied().collect();
    let unknown = found.unknown.iter().map(|each| (&*each.word, each.instead.as_deref())).collect();
    serde_json::to_string(&Vector {
        q,
        namespace,
        total: hits.len(),
        hits: first,
        unknown,
        near: found.near(),
        sha256,
    })
    .unwrap()
}

/// Asserts that `search.js` finds in this index what these lines say.
pub fn assert_node_agrees(index: &Index, lines: &str) {
    let tree = tempfile::tempdir().unwrap();
    let folder = tree.path().join("api/v1/search/_index");
    std::fs::create_dir_all(&folder).unwrap();
    for name in index.pieces() {
        std::fs::write(folder.join(format!("{name}.bin")), index.piece(name).unwrap()).unwrap();
    }
    std::fs::write(folder.join("manifest.bin"), index.manifest().encode()).unwrap();
    let table = tree.path().join("vectors.jsonl");
    std::fs::write(&table, lines).unwrap();
    // `tests/run` installs node.
    let node = Command::new("node").arg(SCRIPT).arg(tree.path()).arg(table).output().unwrap();
    let output = String::from_utf8_lossy(&node.stdout).into_owned() + &String::from_utf8_lossy(&node.stderr);
    assert!(node.status.success(), "{output}");
    assert!(output.contains(&format!("{} of {0} queries agree", lines.lines().count())), "{output}");
}
