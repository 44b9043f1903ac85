//! The report on the counted logs.

use std::collections::HashMap;
use std::path::Path;

use registry::public::PublicCatalog;
use serde_json::{Value, json};

use super::tally::Tally;
use crate::output::{escape_line, print_error};

/// The counted logs, in order.
#[derive(Default)]
pub struct Report {
    files: Vec<File>,
}

struct File {
    path: String,
    tally: Tally,
    /// The error that ended the reading early.
    error: Option<String>,
}

impl Report {
    /// Adds a log.
    pub fn add(&mut self, path: &Path, tally: Tally, error: Option<String>) {
        if let Some(why) = &error {
            print_error(format_args!("{} was not read to its end: {why}", path.display()));
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

    /// The report for people.
    pub fn text(&self) -> String {
        let total = self.total();
        let mut text = format!(
            "read {} in {}\ncounted {} of {}\n",
            count(total.lines, "new line"),
            count(self.files.len() as u64, "file"),
            count(total.downloads(), "download"),
            count(total.counted.len() as u64, "version")
        );
        let rest = [
            (total.repeated, "the same client already had the same version on the same day"),
            (total.incomplete, "incomplete, or a part that does not start with the first byte"),
            (
                total.unnamed,
                "the log does not have the address of the client, so clients cannot be told apart",
            ),
            (total.unknown, "no such skill or version in this registry"),
            (total.other, "not the download of a package"),
        ];
        for (lines, why) in rest.into_iter().filter(|(lines, _)| *lines > 0) {
            text += &format!("{} did not count: {why}\n", count(lines, "line"));
        }
        if total.unreadable > 0 {
            let first = self.files.iter().find_map(|file| Some((file, file.tally.first_unreadable?)));
            let first = first
                .map(|(file, line)| format!(": the first is line {line} of {}", escape_line(&file.path)));
            text += &format!(
                "{} cannot be parsed{}\n",
                count(total.unreadable, "line"),
                first.unwrap_or_default()
            );
        }
        text
    }

    /// The report as one JSON object.
    pub fn json(&self, catalog: &PublicCatalog) -> String {
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
        format!("{all}\n")
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

/// A number with its noun: `1 line`, `2 lines`.
fn count(count: u64, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}
