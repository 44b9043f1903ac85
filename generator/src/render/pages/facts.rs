//! Facts that help to decide for or against a skill: what its package and its history show.

use std::collections::BTreeMap;
use std::time::Duration;

use registry::api::public::Portability;
use registry::package::is_web_address;
use registry::package::portability::Portable;
use registry::public::{Contents, Skill, VersionEntry};
use registry::time::Timestamp;
use serde_json::{Map, Value, json};

use crate::pages::license_parts;
use crate::script_language::script_language;

/// The most tools that are shown. The front matter has the others.
const MAX_TOOLS: usize = 30;

/// The most characters of a tool.
const MAX_TOOL: usize = 80;

/// The most characters of what a skill needs: as many as the format of skills allows.
const MAX_NEEDS: usize = 500;

/// The span in which versions are counted.
const YEAR: Duration = Duration::from_secs(365 * 24 * 60 * 60);

/// The facts about a version that its page shows.
pub(super) fn facts(skill: &Skill, shown: &VersionEntry, contents: &Contents) -> Value {
    let tools = tools(&contents.metadata);
    let (first_tools, more_tools) =
        (&tools[..tools.len().min(MAX_TOOLS)], tools.len().saturating_sub(MAX_TOOLS));
    let needs = contents.metadata.get("compatibility").and_then(Value::as_str).map(str::trim);
    let package =
        Portable { front_matter: &contents.metadata, files: &contents.files, slug: &skill.coordinate.slug };
    let license = shown.license.as_deref().map(license_parts);
    let newest = skill.versions.iter().map(published_at).max();
    let of_year = newest.map_or(0, |newest| {
        skill.versions.iter().filter(|entry| published_at(entry).plus(YEAR) > newest).count()
    });
    json!({
        "tools": first_tools,
        "moreTools": more_tools,
        "needs": needs.filter(|text| !text.is_empty()).map(|text| cut(text, MAX_NEEDS)),
        "scripts": scripts(contents),
        "portability": Portability::of(package),
        "license": license,
        "source": source(&contents.metadata, shown.homepage.as_deref()),
        "versionsOfYear": of_year,
        "newestAt": newest,
    })
}

/// When a version was published: at its source, if it was imported.
pub(super) fn published_at(entry: &VersionEntry) -> Timestamp {
    entry.source_published_at.unwrap_or(entry.published_at)
}

/// The tools that the front matter allows: a list, or a text with commas or spaces between them, but
/// not within parentheses.
fn tools(metadata: &Map<String, Value>) -> Vec<String> {
    let all: Vec<String> = match metadata.get("allowed-tools") {
        Some(Value::Array(items)) => items.iter().filter_map(Value::as_str).map(str::to_owned).collect(),
        Some(Value::String(text)) => {
            let mut depth = 0_usize;
            let is_between = move |c: char| {
                match c {
                    '(' => depth += 1,
                    ')' => depth = depth.saturating_sub(1),
                    _ => {}
                }
                depth == 0 && (c == ',' || c.is_whitespace())
            };
            text.split(is_between).map(str::to_owned).collect()
        }
        _ => Vec::new(),
    };
    let named = all.iter().map(|tool| tool.trim()).filter(|tool| !tool.is_empty());
    named.map(|tool| cut(tool, MAX_TOOL)).collect()
}

/// The number of scripts in each language, and of other executable files, most first.
fn scripts(contents: &Contents) -> Vec<Value> {
    let mut counts = BTreeMap::<&str, usize>::new();
    for file in &contents.files {
        if let Some(language) = script_language(&file.path).or(file.executable.then_some("other")) {
            *counts.entry(language).or_default() += 1;
        }
    }
    let mut counts: Vec<_> = counts.into_iter().collect();
    counts.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    counts.into_iter().map(|(language, count)| json!({ "language": language, "count": count })).collect()
}

/// The address of the source, if the front matter has one besides the homepage.
fn source(metadata: &Map<String, Value>, homepage: Option<&str>) -> Option<String> {
    let nested = metadata.get("metadata").and_then(Value::as_object);
    let of = |map: &Map<String, Value>| {
        ["repository", "source"].iter().find_map(|key| map.get(*key)?.as_str().map(str::to_owned))
    };
    let text = of(metadata).or_else(|| nested.and_then(of))?;
    let is_shown = text.len() <= 2048 && is_web_address(&text) && Some(&*text) != homepage;
    is_shown.then_some(text)
}

/// The first characters of a text.
fn cut(text: &str, max: usize) -> String {
    match text.char_indices().nth(max) {
        Some((end, _)) => format!("{}\u{2026}", &text[..end]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tools_of(value: Value) -> Vec<String> {
        tools(json!({ "allowed-tools": value }).as_object().unwrap_or(&Map::new()))
    }

    #[test]
    fn tools_are_read_from_lists_and_texts() {
        assert_eq!(tools_of(json!(["Read", " Write ", 3, ""])), ["Read", "Write"]);
        assert_eq!(
            tools_of(json!("Read, Bash(git add:*, git commit:*), Grep")),
            ["Read", "Bash(git add:*, git commit:*)", "Grep"]
        );
        assert_eq!(tools_of(json!("Bash(git:*) Read")), ["Bash(git:*)", "Read"]);
        assert_eq!(tools_of(json!(true)), [""; 0]);
        assert_eq!(tools_of(json!("x".repeat(500)))[0].chars().count(), MAX_TOOL + 1);
    }

    #[test]
    fn source_is_shown_unless_it_is_the_homepage() {
        let url = "https://a.example/b";
        for metadata in [json!({ "repository": url }), json!({ "metadata": { "source": url } })] {
            let metadata = metadata.as_object().cloned().unwrap_or_default();
            assert_eq!(source(&metadata, None).as_deref(), Some(url));
            assert_eq!(source(&metadata, Some(url)), None);
        }
        for odd in ["https://", "https://a b.example", "https://ann@a.example", "https://a.example/\u{202e}"]
        {
            let metadata = json!({ "repository": odd });
            assert_eq!(source(metadata.as_object().unwrap_or(&Map::new()), None), None, "{odd}");
        }
    }
}
