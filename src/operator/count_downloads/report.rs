//! What is said of the logs that were read.

use std::collections::HashMap;
use std::path::Path;

use registry::public::PublicCatalog;
use serde_json::{Value, json};

use super::tally::Tally;
use crate::output;

/// The logs, in the order in which they were read.
#[derive(Default)]
pub struct Report {
    files: Vec<File>,
}

struct File {
    path: String,
    tally: Tally,
    /// Why it was not read to its end.
    error: Option<String>,
}

impl Report {
    /// Adds a log.
    pub fn add(&mut self, path: &Path, tally: Tally, error: Option<String>) {
        if let Some(why) = &error {
            eprintln!("skillmirror: {} was not read to its end: {why}", output::escape_line(path.display()));
        }
        self.files.push(File { path: path.display().to_string(), tally, error });
    }

    /// Whether every log was read to its end.
    pub fn is_complete(&self) -> bool {
        self.files.iter().all(|file| file.error.is_none())
    }

    fn total(&self) -> Tally {
        let mut total = Tally::default();
        for file in &self.files {
            total.merge(file.tally.clone());
        }
        total
    }

    /// Prints sentences.
    pub fn print(&self) {
        let total = self.total();
        println!("read {} in {}", some(total.lines, "new line"), some(self.files.len() as u64, "file"));
        println!(
            "counted {} of {}",
            some(total.downloads(), "download"),
            some(total.counted.len() as u64, "version")
        );
        let rest = [
            (total.repeated, "the same client had the same version on the same day already"),
            (total.incomplete, "broken off, or a part that does not begin with the first byte"),
            (
                total.unnamed,
                "the log does not name the client by an address, so that it cannot be told from others",
            ),
            (total.unknown, "no such skill or version is in this registry"),
            (total.other, "no download of a package"),
        ];
        for (lines, why) in rest.into_iter().filter(|(lines, _)| *lines > 0) {
            println!("{} did not count: {why}", some(lines, "line"));
        }
        if total.unreadable > 0 {
            let first = self.files.iter().find_map(|file| Some((file, file.tally.first_unreadable?)));
            let first = first.map(|(file, line)| {
                format!(": the first is line {line} of {}", output::escape_line(&file.path))
            });
            println!("{} cannot be read{}", some(total.unreadable, "line"), first.unwrap_or_default());
        }
    }

    /// Prints one object.
    pub fn print_json(&self, catalog: &PublicCatalog) {
        let total = self.total();
        let mut names = HashMap::new();
        for skill in catalog.skills() {
            for version in &skill.versions {
                names.insert((skill.id, version.id), (&skill.coordinate, &version.version));
            }
        }
        let mut versions: Vec<Value> = total
            .counted
            .iter()
            .filter_map(|(ids, count)| {
                let (coordinate, version) = names.get(ids)?;
                Some(json!({
                    "namespace": coordinate.namespace,
                    "slug": coordinate.slug,
                    "version": version,
                    "downloads": count,
                }))
            })
            .collect();
        versions.sort_by_key(|version| version.to_string());
        let files: Vec<Value> = self
            .files
            .iter()
            .map(|file| {
                let mut record = numbers(&file.tally);
                record["file"] = json!(file.path);
                record["firstUnreadable"] = json!(file.tally.first_unreadable);
                record["error"] = json!(file.error);
                record
            })
            .collect();
        let mut all = numbers(&total);
        all["versions"] = json!(versions);
        all["files"] = json!(files);
        println!("{all}");
    }
}

fn numbers(tally: &Tally) -> Value {
    json!({
        "lines": tally.lines,
        "counted": tally.downloads(),
        "repeated": tally.repeated,
        "incomplete": tally.incomplete,
        "unnamed": tally.unnamed,
        "unknown": tally.unknown,
        "other": tally.other,
        "unreadable": tally.unreadable,
    })
}

/// `1 line`, `2 lines`.
fn some(count: u64, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}
