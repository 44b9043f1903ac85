//! What a skill with three versions costs in files and bytes.

use std::collections::{BTreeMap, HashSet};
use std::ffi::OsStr;
use std::fs::Metadata;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use generator::address::{ClawhubDocument, Document, Pointer, locate};
use walkdir::WalkDir;

use crate::Failure;
use crate::effort::Effort;
use crate::program::run;
use crate::table::Row;
use crate::world::{Size, World};

/// Files of one kind.
#[derive(Default)]
struct Cost {
    files: usize,
    /// Files that are no further names of others.
    own: usize,
    bytes: u64,
    /// Bytes of the blocks on the disk.
    on_disk: u64,
}

impl Cost {
    fn add(&mut self, found: &Metadata, is_first: bool) {
        self.files += 1;
        if is_first {
            self.own += 1;
            self.bytes += if found.is_dir() { 0 } else { found.len() };
            // `stat` counts blocks of 512 bytes, regardless of the block size of the disk.
            self.on_disk += found.blocks() * 512;
        }
    }
}

/// Counts the tree of 1,000 skills and divides by their number.
pub fn measure(effort: Effort, scratch: &Path) -> Result<Vec<Row>, Failure> {
    let size = Size { skills: effort.of(1_000), versions: 3, packages: true };
    let [data, public] = ["data", "public"].map(|name| scratch.join(name));
    World::of(size)?.copy_to(&data)?;
    let [generate, data_at, out] = ["generate", "--data", "--out"].map(OsStr::new);
    run(&[generate, data_at, data.as_os_str(), out, public.as_os_str()])?;
    let mut costs: BTreeMap<&'static str, Cost> = BTreeMap::new();
    let mut seen = HashSet::new();
    for entry in WalkDir::new(&public).sort_by_file_name() {
        let entry = entry?;
        let found = entry.metadata()?;
        let path = entry.path().strip_prefix(&public)?.to_string_lossy().into_owned();
        let kind = if found.is_dir() { Some("folders") } else { kind(&path)? };
        if let Some(kind) = kind {
            costs.entry(kind).or_default().add(&found, found.is_dir() || seen.insert(found.ino()));
        }
    }
    Ok(rows(&costs, size.skills))
}

/// The kind of a file, as the table names it. `None` if the file does not belong to one skill.
fn kind(path: &str) -> Result<Option<&'static str>, Failure> {
    let document = locate(&format!("/{path}"), "")?;
    Ok(document.and_then(|document| match document {
        Document::Package(..) => Some("packages of versions"),
        Document::CompatPackage(_, Pointer::Version(_)) => Some("packages of versions, third-party URL"),
        Document::CompatPackage(..) | Document::LatestPackage(_) => {
            Some("packages of tags and of the latest")
        }
        Document::Version(..) => Some("versions"),
        Document::Files(..) => Some("file lists"),
        Document::Attestation(..) => Some("attestations"),
        Document::Resolve(..) => Some("resolutions"),
        Document::CompatResolve(..) => Some("resolutions, third-party URL"),
        Document::Skill(_) => Some("skills"),
        Document::Versions(_) => Some("lists of versions"),
        Document::AgentSkill(_) => Some("indexes for npx skills"),
        Document::ApmVersions(_) => Some("lists of versions, for apm"),
        Document::SkillMarkdown(_) => Some("Markdown"),
        Document::EntryFile(_) => Some("SKILL.md"),
        Document::Clawhub(ClawhubDocument::Skill(_)) => Some("skills, for ClawHub clients"),
        _ => None,
    }))
}

/// A row of each kind: how many files a skill has of it; in words, how many of
/// them are further names of others, and what they hold.
fn rows(costs: &BTreeMap<&'static str, Cost>, skills: usize) -> Vec<Row> {
    let mut rows = Vec::new();
    let mut sum = Cost::default();
    for (kind, cost) in costs {
        let unit = if *kind == "folders" { "folders" } else { "files" };
        rows.push(row(kind, cost, skills, unit));
        sum.files += cost.files;
        sum.own += cost.own;
        sum.bytes += cost.bytes;
        sum.on_disk += cost.on_disk;
    }
    rows.push(row("all of these", &sum, skills, "files and folders"));
    rows.push(Row::of("all of these, content", sum.bytes as f64 / skills as f64, "bytes"));
    rows.push(Row::of("all of these, on disk", sum.on_disk as f64 / skills as f64, "bytes"));
    rows
}

fn row(kind: &str, cost: &Cost, skills: usize, unit: &'static str) -> Row {
    let each = |total: f64| total / skills as f64;
    let [bytes, on_disk] = [cost.bytes, cost.on_disk].map(|bytes| each(bytes as f64));
    let names = match cost.files - cost.own {
        0 => String::new(),
        names => format!(", {:.0} of them further names", each(names as f64)),
    };
    let what = format!("{kind}{names}: {bytes:.0} bytes, {on_disk:.0} on disk");
    Row::of(what, each(cost.files as f64), unit)
}
