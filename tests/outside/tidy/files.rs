//! Limits of file sizes, and lints of all crates.

use std::path::Path;

use super::assert_none;
use super::source::{Source, repository, rust};

/// No source is longer, its tests left out …
const LONGEST: usize = 300;
/// … and at least this share of them …
const MOST_PERCENT: usize = 70;
/// … is not longer than this.
const SHORT: usize = 150;

#[test]
fn sources_over_300_lines_are_refused() {
    let too_long: Vec<String> = sizes(rust(""))
        .into_iter()
        .filter(|(_, lines)| *lines > LONGEST)
        .map(|(path, lines)| format!("{path}: {lines} lines"))
        .collect();
    assert_none("no source has more than 300 lines outside its tests", &too_long);
}

#[test]
fn most_sources_have_at_most_150_lines() {
    let sizes = sizes(rust(""));
    let longer: Vec<String> = sizes
        .iter()
        .filter(|(_, lines)| *lines > SHORT)
        .map(|(path, lines)| format!("{path}: {lines} lines"))
        .collect();
    let short = sizes.len() - longer.len();
    assert!(
        short * 100 >= sizes.len() * MOST_PERCENT,
        "{short} of {} sources have at most {SHORT} lines; the others:\n  {}",
        sizes.len(),
        longer.join("\n  ")
    );
}

#[test]
fn test_files_over_300_lines_are_refused() {
    let too_long: Vec<String> = sizes(repository(&[".rs"]).into_iter().filter(Source::is_test))
        .into_iter()
        .filter(|(_, lines)| *lines > LONGEST)
        .map(|(path, lines)| format!("{path}: {lines} lines"))
        .collect();
    assert_none("no test file has more than 300 lines", &too_long);
}

/// Path and length of each.
fn sizes(sources: impl IntoIterator<Item = Source>) -> Vec<(String, usize)> {
    sources.into_iter().map(|source| (source.path.clone(), source.lines().count())).collect()
}

#[test]
fn every_crate_uses_the_workspace_lints() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let read =
        |path: &str| -> toml::Table { std::fs::read_to_string(root.join(path)).unwrap().parse().unwrap() };
    let workspace = read("Cargo.toml");
    assert_eq!(workspace["workspace"]["lints"]["rust"]["unsafe_code"].as_str(), Some("forbid"));
    let members = workspace["workspace"]["members"].as_array().unwrap();
    let mut manifests = vec!["Cargo.toml".to_owned()];
    manifests.extend(members.iter().map(|member| format!("{}/Cargo.toml", member.as_str().unwrap())));
    manifests.retain(|path| {
        let inherits = read(path).get("lints").and_then(|lints| lints.get("workspace")?.as_bool());
        inherits != Some(true)
    });
    assert_none("every crate has `[lints] workspace = true`", &manifests);
}
