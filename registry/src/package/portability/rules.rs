//! The rules of clients, each written once for all clients that have it.

use serde_json::{Map, Value};

use super::Portable;
use crate::names::Slug;
use crate::package::SKILL_MD;
use crate::package::limits::shown_size;
use crate::package::skill_md_limits::MAX_DESCRIPTION;

/// The keys of the Agent Skills specification.
const KEYS: [&str; 6] = ["name", "description", "license", "compatibility", "metadata", "allowed-tools"];

/// The most characters of `compatibility`, and of a `name`.
const MAX_COMPATIBILITY: usize = 500;
const MAX_NAME: usize = 64;

/// Words that a vendor reserves in names.
const RESERVED: [&str; 2] = ["claude", "anthropic"];

/// A rule that a package may break.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Rule {
    /// The entry file is `SKILL.md`, in this letter case.
    EntryFile,
    /// The front matter has only the keys of the specification.
    Keys,
    /// `name` is a text.
    NameIsText,
    /// `name` follows the rules for names.
    NameIsValid,
    /// `name` is the slug, and so the name of the folder.
    NameIsSlug,
    /// `name`, if there is one, is not too long.
    NameLength,
    /// `name` has no word that a vendor reserves.
    NameIsFree,
    /// `description` is a text of 1 to 1,024 characters.
    Description,
    /// `description` has no tags.
    NoTags,
    /// `compatibility`, if there is one, is a text of 1 to 500 characters.
    Compatibility,
    /// `license` and `allowed-tools`, if present, are texts.
    Texts,
    /// `metadata`, if there is one, is a map of texts.
    Metadata,
    /// The package has at most this many files.
    Files(usize),
    /// The files have at most this many bytes together.
    Bytes(u64),
}

/// How a package breaks a rule.
pub(super) struct Broken {
    pub key: Option<String>,
    pub why: String,
    pub remedy: String,
}

impl Broken {
    fn at(key: &str, why: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self { key: Some(key.to_owned()), why: why.into(), remedy: remedy.into() }
    }

    fn package(why: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self { key: None, why: why.into(), remedy: remedy.into() }
    }
}

impl Rule {
    /// How a package breaks the rule. Empty if it does not.
    pub(super) fn broken(self, package: Portable<'_>) -> Vec<Broken> {
        let Portable { front_matter, files, slug } = package;
        let name = front_matter.get("name").and_then(Value::as_str);
        let one = |broken: Option<Broken>| broken.into_iter().collect();
        match self {
            Self::EntryFile => {
                let is_there = files.iter().any(|file| file.path == SKILL_MD);
                one((!is_there).then(|| {
                    Broken::package("the package has no file `SKILL.md` in this letter case", "rename it")
                }))
            }
            Self::Keys => front_matter
                .keys()
                .filter(|key| !KEYS.contains(&key.as_str()))
                .map(|key| other_key(key))
                .collect(),
            Self::NameIsText => one(name.is_none().then(|| {
                Broken::at("name", "the front matter has no text as `name`", format!("write `name: {slug}`"))
            })),
            Self::NameIsValid => one(match name {
                Some(name) if name.parse::<Slug>().is_ok() => None,
                _ => {
                    Some(Broken::at("name", "`name` does not follow the rules for names", write(slug, name)))
                }
            }),
            Self::NameIsSlug => one((name != Some(slug.as_str())).then(|| {
                Broken::at(
                    "name",
                    format!("`name` is not `{slug}`, the name of the folder"),
                    write(slug, name),
                )
            })),
            Self::NameLength => {
                let is_long = name.is_some_and(|name| name.chars().count() > MAX_NAME);
                let why = format!("`name` is longer than {MAX_NAME} characters");
                one(is_long.then(|| Broken::at("name", why, write(slug, name))))
            }
            Self::NameIsFree => {
                let word = RESERVED.into_iter().find(|word| name.is_some_and(|name| name.contains(word)));
                let reserved = |word| format!("`name` has the reserved word `{word}`");
                one(word.map(|word| Broken::at("name", reserved(word), "choose another name")))
            }
            Self::Description => {
                one((!is_text(front_matter.get("description"), MAX_DESCRIPTION)).then(|| {
                    let why = format!("`description` is not a text of 1 to {MAX_DESCRIPTION} characters");
                    Broken::at("description", why, "write one")
                }))
            }
            Self::NoTags => {
                let text = front_matter.get("description").and_then(Value::as_str).unwrap_or_default();
                let has_tag = text.split_once('<').is_some_and(|(_, rest)| rest.contains('>'));
                let remedy = "write it without `<` and `>`";
                one(has_tag.then(|| Broken::at("description", "`description` has a tag", remedy)))
            }
            Self::Compatibility => {
                let value = front_matter.get("compatibility");
                one((value.is_some() && !is_text(value, MAX_COMPATIBILITY)).then(|| {
                    let why = format!("`compatibility` is not a text of 1 to {MAX_COMPATIBILITY} characters");
                    Broken::at("compatibility", why, "shorten it, or write it as one text")
                }))
            }
            Self::Texts => {
                let wrong = |key: &&str| front_matter.get(*key).is_some_and(|value| !value.is_string());
                ["license", "allowed-tools"].into_iter().filter(wrong).map(other_text).collect()
            }
            Self::Metadata => metadata(front_matter),
            Self::Files(most) => one((files.len() > most).then(|| {
                let why = format!("the package has {} files, more than {most}", files.len());
                Broken::package(why, "leave some out")
            })),
            Self::Bytes(most) => {
                let size = files.iter().fold(0_u64, |sum, file| sum.saturating_add(file.size));
                let why = format!("the files have {size} bytes, more than {}", shown_size(most));
                one((size > most).then(|| Broken::package(why, "leave some out")))
            }
        }
    }
}

/// The remedy for a name. `namespace--slug` says where the skill is published, so this must be said elsewhere then.
fn write(slug: &Slug, name: Option<&str>) -> String {
    match name.and_then(|name| name.strip_suffix(slug.as_str())?.strip_suffix("--")) {
        Some(namespace) if !namespace.is_empty() => {
            format!(
                "write `name: {slug}`, and name the namespace when you publish (`--namespace {namespace}`)"
            )
        }
        _ => format!("write `name: {slug}`"),
    }
}

fn is_text(value: Option<&Value>, max: usize) -> bool {
    let text = value.and_then(Value::as_str);
    text.is_some_and(|text| !text.trim().is_empty() && text.chars().count() <= max)
}

/// A key that the specification does not have. The remedy is the line to write, where that is short.
fn other_key(key: &str) -> Broken {
    let shown = key.escape_debug();
    let remedy = format!("move it to `metadata.{shown}`, unless a client needs it where it is");
    Broken::at(key, format!("`{shown}` is not a key of the Agent Skills specification"), remedy)
}

fn other_text(key: &str) -> Broken {
    let remedy =
        if key == "allowed-tools" { "write the tools as one text, with spaces between" } else { "write one" };
    Broken::at(key, format!("`{key}` is not a text"), remedy)
}

fn metadata(front_matter: &Map<String, Value>) -> Vec<Broken> {
    let values = match front_matter.get("metadata") {
        None => return Vec::new(),
        Some(Value::Object(values)) => values,
        Some(_) => return vec![Broken::at("metadata", "`metadata` is not a map", "write keys with texts")],
    };
    let wrong = values.iter().filter(|(_, value)| !value.is_string());
    let broken = |(key, value): (&String, &Value)| {
        let key = format!("metadata.{}", key.escape_debug());
        let remedy = match value {
            Value::Number(_) | Value::Bool(_) => format!("put it into quotes: `{key}: \"{value}\"`"),
            _ => "write it as one text".to_owned(),
        };
        Broken::at(&key, format!("`{key}` is not a text"), remedy)
    };
    wrong.map(broken).collect()
}
