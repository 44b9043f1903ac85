//! Hostile packages: each is refused with all its errors, and nothing of it is stored.
//!
//! Every refusal of the wire contract ("Packages", "Also refused in a zip") is
//! a row of a table here, crafted byte by byte.

mod contents;
mod entries;
mod frames;
mod front_matter;
mod limits;
mod paths;

use std::path::Path;

use crate::harness::{RawEntry, RawZip, Registry, Shared, tree};

/// Limits that a small archive can pass.
const CONFIG: &str = "[limits]\nfile = 2097152\nunpacked = 3145728\nfiles = 20\nratio = 50\n";

/// An archive, and all the findings that it has to be refused with.
struct Row {
    what: String,
    zip: Vec<u8>,
    /// Code and path; an empty path for the package as a whole. Sorted.
    findings: Vec<(&'static str, String)>,
    /// The line that each finding names, where it names one.
    line: Option<u64>,
    /// The expected finding.
    says: &'static str,
    refused: Refused,
}

/// The commands and routes that refuse a package.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Refused {
    Always,
    /// Tolerant reading repairs it.
    Strictly,
}

impl Row {
    fn new(what: &str, zip: &RawZip, findings: &[(&'static str, &str)]) -> Self {
        Self::of_bytes(what, zip.build(), findings)
    }

    fn of_bytes(what: &str, zip: Vec<u8>, findings: &[(&'static str, &str)]) -> Self {
        let mut findings: Vec<_> = findings.iter().map(|(code, path)| (*code, (*path).to_owned())).collect();
        findings.sort();
        Self { what: what.to_owned(), zip, findings, line: None, says: "", refused: Refused::Always }
    }

    /// SKILL.md, and two entries that `bend` has bent, both to be named.
    fn bent(what: &str, code: &'static str, bend: impl Fn(&mut RawEntry)) -> Self {
        let entry = |name: &str, text: &[u8]| RawEntry::deflated(name, text).but(&bend);
        let zip =
            RawZip::of([skill(), entry("a.txt", b"one one one one"), entry("b/c.txt", b"two two two two")]);
        Self::new(what, &zip, &[(code, "a.txt"), (code, "b/c.txt")])
    }

    fn says(mut self, words: &'static str) -> Self {
        self.says = words;
        self
    }
}

/// A `SKILL.md` with which nothing is wrong.
fn skill() -> RawEntry {
    RawEntry::stored("SKILL.md", "---\nname: hostile\ndescription: Means no good.\n---\n\nText.\n")
}

/// SKILL.md and these.
fn with(entries: impl IntoIterator<Item = RawEntry>) -> RawZip {
    RawZip::of(std::iter::once(skill()).chain(entries).collect::<Vec<_>>())
}

/// The state that no refusal may change.
fn kept(registry: &Registry) -> (Vec<String>, String, Vec<u8>) {
    let files = [registry.data(), registry.public()].iter().flat_map(|folder| tree::files(folder)).collect();
    let journal = registry.command(["journal", "check"]).ok().stdout;
    (files, journal, registry.tree_file("api/v1/mirror/head.json"))
}

static RUNNING: Shared<Registry> = Shared::new();

/// Publishes and imports each archive: all are refused, and nothing is kept.
#[track_caller]
fn refused(rows: &[Row]) {
    let registry = RUNNING.get(|| Registry::with_config(CONFIG));
    let before = kept(&registry);
    let mut wrong: Vec<String> = rows.iter().filter_map(|row| published(&registry, row).err()).collect();
    let forgiving: Vec<&Row> = rows.iter().filter(|row| row.refused == Refused::Always).collect();
    wrong.extend(imported(&registry, &rows.iter().collect::<Vec<_>>(), &[]));
    wrong.extend(imported(&registry, &forgiving, &["--tolerant"]));
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert_eq!(kept(&registry), before, "something was kept");
}

fn published(registry: &Registry, row: &Row) -> Result<(), String> {
    let response = registry.publish_bytes(row.zip.clone()).by(&registry.admin());
    if response.status != 422 || response.header("x-revision").is_some() {
        return Err(format!("{}: {response}", row.what));
    }
    let errors = response.refused_package();
    let text = |value: &serde_json::Value| value.as_str().unwrap_or_default().to_owned();
    let mut found: Vec<_> = errors.iter().map(|error| (text(&error["code"]), text(&error["path"]))).collect();
    found.sort();
    let is_said = errors.iter().all(|error| text(&error["message"]).contains(row.says));
    let is_placed = row.line.is_none_or(|line| errors.iter().all(|error| error["line"] == line));
    let wanted: Vec<_> = row.findings.iter().map(|(code, path)| ((*code).to_owned(), path.clone())).collect();
    if found != wanted || !is_said || !is_placed {
        return Err(format!("{}: wanted {wanted:?} {:?} {:?}, got {response}", row.what, row.line, row.says));
    }
    Ok(())
}

fn imported(registry: &Registry, rows: &[&Row], options: &[&str]) -> Vec<String> {
    if rows.is_empty() {
        return Vec::new();
    }
    let folder = tempfile::tempdir().expect("a folder");
    let name = |number: usize| format!("row-{number}.zip");
    for (number, row) in rows.iter().enumerate() {
        std::fs::write(folder.path().join(name(number)), &row.zip).expect("a file");
    }
    let arguments = [Path::new("import"), folder.path()];
    let output = registry.command(arguments.into_iter().chain(options.iter().map(Path::new)));
    if output.code != 1 || !output.stdout.contains("imported 0 versions") {
        return vec![format!("import {options:?}: {output:?}")];
    }
    let unnamed = |(number, row): (usize, &&Row)| {
        let line = output.stdout.lines().find(|line| line.contains(&format!("{} ", name(number))));
        let line = line.unwrap_or_default();
        let shown = |path: &str| path.escape_debug().to_string();
        let is_named = row.findings.iter().all(|(_, path)| line.contains(&shown(path)));
        (!is_named || !line.contains(row.says)).then(|| format!("import {options:?}: {}: {line}", row.what))
    };
    rows.iter().enumerate().filter_map(unnamed).collect()
}
