//! The report on the counted logs.

use std::path::Path;

use registry::public::PublicCatalog;
use serde_json::{Value, json};

use super::tally::{Skipped, Tally};
use crate::output::{count, escape_line, print_error};

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
    /// Adds a log. If it was not read to its end, prints a warning at once.
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
            total.merge(&file.tally);
        }
        total
    }

    /// The report for people.
    pub fn text(&self) -> String {
        let total = self.total();
        let mut text = format!(
            "read {} in {}\ncounted {} of {}\n",
            count(total.lines, "new line"),
            count(self.files.len(), "file"),
            count(total.downloads(), "download"),
            count(total.counted.len(), "version")
        );
        for (why, _, reason) in Skipped::ALL {
            let lines = count(total.skipped(why), "line");
            text += &match total.skipped(why) {
                0 => continue,
                _ if why == Skipped::Unreadable => format!("{lines} {reason}{}\n", self.first_unreadable()),
                _ => format!("{lines} did not count: {reason}\n"),
            };
        }
        text
    }

    /// Where the first line is that cannot be parsed.
    fn first_unreadable(&self) -> String {
        let first = self.files.iter().find_map(|file| Some((file, file.tally.first_unreadable?)));
        first.map_or(String::new(), |(file, line)| {
            format!(": the first is line {line} of {}", escape_line(&file.path))
        })
    }

    /// The report for programs.
    pub fn record(&self, catalog: &PublicCatalog) -> Value {
        let total = self.total();
        // Includes every counted version: lines about others are `Skipped::Unknown`.
        let mut counted: Vec<_> = catalog
            .skills()
            .flat_map(|skill| skill.versions.iter().map(move |version| (skill, version)))
            .filter_map(|(skill, version)| {
                let downloads = total.counted.get(&(skill.id, version.id))?;
                Some((&skill.coordinate.namespace, &skill.coordinate.slug, &version.version, downloads))
            })
            .collect();
        counted.sort();
        let versions: Vec<Value> = counted
            .into_iter()
            .map(|(namespace, slug, version, downloads)| {
                json!({"namespace": namespace, "slug": slug, "version": version, "downloads": downloads})
            })
            .collect();
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
        all
    }
}

fn numbers(tally: &Tally) -> Value {
    let mut numbers = json!({"lines": tally.lines, "counted": tally.downloads()});
    for (why, name, _) in Skipped::ALL {
        numbers[name] = json!(tally.skipped(why));
    }
    numbers
}
