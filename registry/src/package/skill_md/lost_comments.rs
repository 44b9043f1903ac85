//! Finds texts that a ` #` cuts short: what follows is a comment in YAML.

use super::front_matter::FrontMatter;
use super::yaml_entries::{Entry, entries};
use crate::package::secrets;

/// Keys of texts in which a `#` is probably meant. Comments beside versions and lists are common.
const TEXTS: [&str; 11] = [
    "name",
    "description",
    "title",
    "license",
    "homepage",
    "keywords",
    "tags",
    "compatibility",
    "argument-hint",
    "when_to_use",
    "author",
];

/// The most characters of a lost text that a message quotes.
const MAX_QUOTED: usize = 60;

/// A text that was cut.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct LostComment {
    /// The line in the file, from 1.
    pub line: u64,
    /// What is wrong and what to do.
    pub message: String,
}

/// Finds the texts of `front_matter` that were cut. `yaml` begins on the line `first_line` of the file.
pub(super) fn find(yaml: &str, first_line: u64, front_matter: &FrontMatter) -> Vec<LostComment> {
    let mut lost = Vec::new();
    for entry in entries(yaml).iter().filter(|entry| entry.is_plain() && TEXTS.contains(&entry.key)) {
        let line = first_line + entry.line as u64;
        let keys = [entry.key.to_owned(), format!("metadata.{}", entry.key)];
        let Some(key) = keys.into_iter().find(|key| front_matter.lines.get(key) == Some(&line)) else {
            continue;
        };
        let Some((below, comment)) = comment(entry) else { continue };
        // Repaired texts keep what looks like a comment.
        let is_kept = front_matter.texts.get(&key).is_some_and(|text| text.contains(comment));
        if !is_kept {
            let message = message(&key, comment);
            lost.push(LostComment { line: line + below as u64, message });
        }
    }
    lost
}

/// The comment at the end of a plain text, and how many lines below the key it is.
fn comment<'t>(entry: &Entry<'t>) -> Option<(usize, &'t str)> {
    let of_line = |line: &'t str| {
        let at = line.find(" #").into_iter().chain(line.find("\t#")).min()?;
        let (text, comment) = line.split_at_checked(at)?;
        (!text.trim().is_empty()).then_some(comment.trim())
    };
    let lines = std::iter::once(entry.value).chain(entry.below.iter().copied());
    lines.enumerate().find_map(|(number, line)| Some((number, of_line(line)?)))
}

fn message(key: &str, comment: &str) -> String {
    let quoted: String = comment.chars().take(MAX_QUOTED).collect();
    let dots = if quoted.len() < comment.len() { "…" } else { "" };
    let shown = match secrets::find_in_text(comment) {
        None => format!("`{}{dots}`", quoted.escape_debug()),
        Some(_) => "the text after ` #`".to_owned(),
    };
    format!(
        "{shown} is not part of `{key}`, because ` #` begins a comment in YAML: put the whole value into quotes, or remove \
         the comment"
    )
}
