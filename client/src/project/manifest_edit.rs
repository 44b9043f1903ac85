//! Changes `skills.toml`, and keeps the rest of the file as people have written it.

use std::path::{Path, PathBuf};

use registry::names::Coordinate;
use toml_edit::{DocumentMut, InlineTable, Item, Table, Value, value};

use super::Place;
use super::fault::Fault;
use super::manifest::Manifest;
use crate::install::Agent;
use crate::{RegistryAddress, Requirement, SkillReference};

/// What to write about a skill.
pub struct Addition<'a> {
    /// The skill.
    pub coordinate: &'a Coordinate,
    /// The wanted versions.
    pub requirement: &'a Requirement,
    /// The registry that it was installed from.
    pub registry: &'a RegistryAddress,
    /// Where it is wanted, all under one name.
    pub places: &'a [Place],
    /// The agents that may be named instead of their folders.
    pub agents: &'a [String],
}

/// Adds a skill, or replaces what the file says about it. Says no more than the command line did:
/// a folder or registry that the file has for all skills is not repeated. An entry that names its
/// registry goes on naming one.
pub fn add(text: &str, manifest: &Manifest, addition: &Addition<'_>) -> Result<String, Fault> {
    let Addition { coordinate, requirement, registry, places, agents } = *addition;
    let mut table = InlineTable::new();
    table.insert("version", requirement.to_string().into());
    let name = places.first().map(Place::name);
    if let Some(name) = name.filter(|name| **name != coordinate.slug) {
        table.insert("as", name.as_str().into());
    }
    let is_pinned = manifest.skills.get(coordinate).is_some_and(|known| known.registry.is_some());
    let is_usual = manifest.registry.as_ref() == Some(registry);
    if !is_usual && (is_pinned || manifest.registry.is_some()) {
        table.insert("registry", registry.to_string().into());
    }
    let folders: Vec<_> = places.iter().map(Place::folder).collect();
    if folders != manifest.folders {
        let (key, names) = match agents_of(&folders, agents) {
            Some(agents) => ("agents", agents),
            None => ("dirs", folders.iter().map(|folder| folder.display().to_string()).collect()),
        };
        table.insert(key, names.into_iter().collect::<toml_edit::Array>().into());
    }
    let entry = match table.len() {
        1 => value(requirement.to_string()),
        _ => Item::Value(Value::InlineTable(table)),
    };
    let mut document = parse(text)?;
    let skills = document.entry("skills").or_insert_with(|| Item::Table(Table::new()));
    let Some(skills) = skills.as_table_like_mut() else {
        return Err(Fault::Invalid { why: "`skills` is not a table".to_owned() });
    };
    match key_of(skills.iter().map(|(key, _)| key), coordinate) {
        // Keeps the key as it is written, with its comments.
        Some(key) => {
            if let Some(old) = skills.get_mut(&key) {
                *old = entry;
            }
        }
        None => {
            skills.insert(&SkillReference::argument(coordinate), entry);
        }
    }
    Ok(in_form_of(text, &document.to_string()))
}

/// Removes a skill.
pub fn remove(text: &str, coordinate: &Coordinate) -> Result<String, Fault> {
    let mut document = parse(text)?;
    if let Some(skills) = document.get_mut("skills").and_then(Item::as_table_like_mut)
        && let Some(key) = key_of(skills.iter().map(|(key, _)| key), coordinate)
    {
        skills.remove(&key);
    }
    Ok(in_form_of(text, &document.to_string()))
}

/// The changed text with the byte order mark, the line ends and the end of the file that `old` has. The
/// parser keeps none of them. New lines end as the first one does.
fn in_form_of(old: &str, changed: &str) -> String {
    let mark = if old.starts_with(MARK) { MARK } else { "" };
    let (old, changed) = (old.trim_start_matches(MARK), changed.trim_start_matches(MARK));
    let [old_lines, new_lines] =
        [old, changed].map(|text| text.split_inclusive('\n').map(line).collect::<Vec<_>>());
    let usual = old_lines.first().map(|(_, end)| *end).filter(|end| !end.is_empty()).unwrap_or("\n");
    let is_same = |(old, new): &(&Line<'_>, &Line<'_>)| old.0 == new.0;
    let before = old_lines.iter().zip(&new_lines).take_while(is_same).count();
    let rest = old_lines.len().min(new_lines.len()) - before;
    let after = old_lines.iter().rev().zip(new_lines.iter().rev()).take(rest).take_while(is_same).count();
    let mut text = mark.to_owned();
    for (at, (content, _)) in new_lines.iter().enumerate() {
        let behind = new_lines.len() - at;
        let known = match at < before {
            true => old_lines.get(at),
            false if behind <= after => old_lines.get(old_lines.len() - behind),
            false => None,
        };
        text += content;
        text += known.map(|(_, end)| *end).filter(|end| !end.is_empty()).unwrap_or(usual);
    }
    match old.is_empty() || old.ends_with('\n') {
        true => text,
        false => text.trim_end_matches(['\r', '\n']).to_owned(),
    }
}

/// The byte order mark.
const MARK: &str = "\u{feff}";

/// The content of a line, and its end.
type Line<'t> = (&'t str, &'t str);

fn line(text: &str) -> Line<'_> {
    let end = if text.ends_with("\r\n") { 2 } else { usize::from(text.ends_with('\n')) };
    text.split_at(text.len() - end)
}

/// One agent for each folder. None if a folder belongs to none of `agents`.
fn agents_of(folders: &[PathBuf], agents: &[String]) -> Option<Vec<String>> {
    let has = |agent: &str, folder: &PathBuf| {
        agent.parse().is_ok_and(|agent: Agent| Path::new(agent.project_folder) == folder)
    };
    folders.iter().map(|folder| agents.iter().find(|agent| has(agent, folder)).cloned()).collect()
}

fn parse(text: &str) -> Result<DocumentMut, Fault> {
    text.parse().map_err(|why: toml_edit::TomlError| Fault::Invalid { why: why.message().to_owned() })
}

/// The key that names a skill, in whichever form.
fn key_of<'k>(mut keys: impl Iterator<Item = &'k str>, coordinate: &Coordinate) -> Option<String> {
    let is_it = |key: &str| key.parse::<SkillReference>().is_ok_and(|known| known.coordinate == *coordinate);
    keys.find(|key| is_it(key)).map(str::to_owned)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    const TEXT: &str = "# Ours.\nregistry = \"https://a.example\"\n\n[skills]\n# The greeting.\nhello = \"1\" # stays\n\"@tools/pdf\" = \"~1.2\"\n";

    fn added(skill: &str, requirement: &str, registry: &str, places: &[&str], agents: &[&str]) -> String {
        let manifest = Manifest::parse(TEXT).unwrap();
        let places: Vec<Place> = places.iter().map(|place| place.parse().unwrap()).collect();
        let agents: Vec<String> = agents.iter().map(ToString::to_string).collect();
        let addition = Addition {
            coordinate: &skill.parse().unwrap(),
            requirement: &requirement.parse().unwrap(),
            registry: &registry.parse().unwrap(),
            places: &places,
            agents: &agents,
        };
        add(TEXT, &manifest, &addition).unwrap()
    }

    #[test]
    fn add_says_only_what_differs_from_the_project() {
        let end = |text: &str| text.strip_prefix(TEXT).unwrap_or(text).to_owned();
        let usual = "https://a.example";
        assert_eq!(end(&added("lint", "latest", usual, &["skills/lint"], &[])), "lint = \"latest\"\n");
        assert_eq!(
            end(&added("tools--lint", "^1", usual, &["skills/l"], &[])),
            "\"@tools/lint\" = { version = \"^1\", as = \"l\" }\n"
        );
        assert_eq!(
            end(&added(
                "lint",
                "=1.0.0",
                "https://b.example",
                &[".claude/skills/lint", ".agents/skills/lint"],
                &["claude", "codex"]
            )),
            "lint = { version = \"=1.0.0\", registry = \"https://b.example\", agents = [\"claude\", \"codex\"] }\n"
        );
        assert_eq!(
            end(&added("lint", "1", usual, &["own/lint"], &[])),
            "lint = { version = \"^1\", dirs = [\"own\"] }\n"
        );
    }

    #[test]
    fn add_of_a_known_skill_keeps_its_key_and_comments() {
        let text = added("hello", "2", "https://a.example", &["skills/hello"], &[]);
        assert!(text.contains("# The greeting.\nhello = \"^2\"") && text.starts_with("# Ours.\n"), "{text}");
        assert!(Manifest::parse(&text).is_ok());
    }

    #[test]
    fn edit_keeps_line_ends_byte_order_mark_and_last_line() {
        let (hello, lint) = ("hello".parse().unwrap(), "lint".parse().unwrap());
        let mixed = "# a\r\n[skills]\nhello = \"1\"\r\n# z\n";
        for text in [
            TEXT.to_owned(),
            TEXT.replace('\n', "\r\n"),
            format!("\u{feff}{TEXT}"),
            format!("\u{feff}{}", TEXT.replace('\n', "\r\n")),
            TEXT.trim_end().to_owned(),
            TEXT.trim_end().replace('\n', "\r\n"),
            mixed.to_owned(),
        ] {
            let manifest = Manifest::parse(&text).unwrap_or_else(|why| panic!("{why}: {text:?}"));
            let addition = Addition {
                coordinate: &lint,
                requirement: &"2".parse().unwrap(),
                registry: &"https://a.example".parse().unwrap(),
                places: &["skills/lint".parse().unwrap()],
                agents: &[],
            };
            let added = add(&text, &manifest, &addition).unwrap();
            let end = if text.contains("\r\n") { "\r\n" } else { "\n" };
            let entry = format!("lint = \"^2\"{end}");
            assert!((added.clone() + end).contains(&entry), "{added:?}");
            assert_eq!(remove(&added, &lint).unwrap(), text);
            let removed = remove(&text, &hello).unwrap();
            let kept: String = text.split_inclusive('\n').filter(|line| !line.starts_with("hello")).collect();
            assert_eq!(
                removed.replace("# The greeting.\r\n", "").replace("# The greeting.\n", ""),
                kept.replace("# The greeting.\r\n", "").replace("# The greeting.\n", ""),
                "{text:?}"
            );
        }
    }

    #[test]
    fn remove_takes_only_the_skill() {
        let text = remove(TEXT, &"tools--pdf".parse().unwrap()).unwrap();
        assert_eq!(text, TEXT.replace("\"@tools/pdf\" = \"~1.2\"\n", ""));
        assert_eq!(remove(TEXT, &"other".parse().unwrap()).unwrap(), TEXT);
        let empty = add(
            "",
            &Manifest::parse("").unwrap(),
            &Addition {
                coordinate: &"hello".parse().unwrap(),
                requirement: &Requirement::Latest,
                registry: &"https://a.example".parse().unwrap(),
                places: &["skills/hello".parse().unwrap()],
                agents: &[],
            },
        );
        assert_eq!(empty.unwrap(), "[skills]\nhello = \"latest\"\n");
    }
}
