//! Snapshots of lists of files.

use std::path::Path;

/// The counter shards always exist, so one line stands for all of them.
const SHARDS: &str = "api/v1/mirror/counters/";

/// The names of index pieces depend on their content.
const PIECES: &str = "api/v1/search/_index/";

/// The assets have their own test, and the name of their folder depends on their content.
const ASSETS: &str = "assets/";

/// Asserts that `files` equals the snapshot `name`. With `UPDATE_SNAPSHOTS` it writes the snapshot
/// instead.
#[track_caller]
pub fn assert(name: &str, files: &[String]) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/outside/snapshots/{name}.txt"));
    let there = folded(files).join("\n") + "\n";
    if std::env::var_os("UPDATE_SNAPSHOTS").is_some() {
        std::fs::write(&path, &there).expect("the snapshot can be written");
        return;
    }
    let kept = std::fs::read_to_string(&path)
        .unwrap_or_else(|error| panic!("no snapshot {name} ({error}): make it with UPDATE_SNAPSHOTS=1"));
    let missing: Vec<&str> = kept.lines().filter(|line| !there.lines().any(|l| l == *line)).collect();
    let added: Vec<&str> = there.lines().filter(|line| !kept.lines().any(|l| l == *line)).collect();
    assert!(
        missing.is_empty() && added.is_empty(),
        "the tree is not that of the snapshot {name}\nmissing: {missing:#?}\nadded: {added:#?}\n\
         If this is meant: UPDATE_SNAPSHOTS=1 cargo test --features engines --test outside"
    );
    assert_eq!(there, kept, "the order of {name}");
}

/// The list with one line for all 256 counter shards, one for the index pieces, and one for the
/// assets.
fn folded(files: &[String]) -> Vec<String> {
    let all: Vec<String> = (0..=255).map(|byte| format!("{SHARDS}{byte:02x}.json")).collect();
    let mut lines = files.to_vec();
    let mut fold = |is_one: &dyn Fn(&str) -> bool, line: String| {
        let before = lines.len();
        lines.retain(|file| !is_one(file));
        if lines.len() < before {
            lines.push(line);
        }
    };
    let is_piece = |file: &str| file.starts_with(PIECES) && !file.ends_with("/manifest.bin");
    fold(&is_piece, format!("{PIECES}{{pieces}}.bin"));
    fold(&|file| file.starts_with(ASSETS), format!("{ASSETS}{{set}}/{{files}}"));
    if all.iter().all(|shard| files.contains(shard)) {
        lines.retain(|file| !all.contains(file));
        lines.push(format!("{SHARDS}{{00..ff}}.json"));
    }
    lines.sort();
    lines
}
