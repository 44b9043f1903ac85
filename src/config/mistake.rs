//! Says what is wrong with a settings file, in words for people. The parser knows types and positions.

use registry::data_fault::{listed_names, type_name};
use registry::names::{did_you_mean, nearest};
use toml::{Table, Value};

use super::{Config, SECTIONS, SETTINGS};

/// The sentence about a text that is not TOML. Its line is not shown: it may have a password.
pub fn of_syntax(text: &str, why: &toml::de::Error) -> String {
    let place = why.span().map_or(String::new(), |span| format!("line {}: ", line(text, span.start)));
    let remedy = match why.message() {
        said if said.contains("duplicate") => "this setting or section appears twice: remove one",
        _ => {
            "this is not TOML: write `setting = value`, texts and paths in quotes, and sections as [section]"
        }
    };
    format!("{place}{remedy}")
}

/// Refuses a section that is written as a list, which serde would read as the fields in their order.
pub fn refuse_lists(settings: &Table) -> Result<(), String> {
    match SECTIONS.iter().find(|(name, _)| settings.get(*name).is_some_and(Value::is_array)) {
        Some((name, _)) => Err(format!("{name}: a list cannot be used here: write {}", wanted(name, ""))),
        None => Ok(()),
    }
}

/// The line of a byte, from 1.
pub fn line(text: &str, at: usize) -> usize {
    text.as_bytes().iter().take(at).filter(|byte| **byte == b'\n').count() + 1
}

/// The sentence about a setting that cannot be used, without its name. `said` is the message of the parser,
/// or one of ours.
pub fn of_setting(settings: &Table, setting: &str, said: &str) -> String {
    if said.starts_with("unknown field") {
        return format!("there is no such setting{}", similar(setting));
    }
    if let Some((value, _)) =
        said.strip_prefix("unknown variant ").and_then(|rest| rest.split_once(", expected "))
    {
        return format!("{} cannot be used here: write {}", shown(value), choices(said).unwrap_or_default());
    }
    let invalid = ["invalid type: ", "invalid value: ", "wanted "];
    let Some(rest) = invalid.into_iter().find_map(|prefix| said.strip_prefix(prefix)) else {
        return said.to_owned();
    };
    let found = value_of(settings, setting).map(Value::to_string);
    let (value, expected) = match rest.split_once(", expected ") {
        Some((value, expected)) => (shown(value), expected),
        // The parser does not say what it has found.
        None => (found.unwrap_or_else(|| "this".to_owned()), ""),
    };
    let wanted = match allowed(setting) {
        Some(allowed) => allowed,
        None => wanted(setting, expected),
    };
    format!("{value} cannot be used here: write {wanted}")
}

/// The value of a setting.
fn value_of<'t>(settings: &'t Table, setting: &str) -> Option<&'t Value> {
    match setting.split_once('.') {
        Some((section, key)) => settings.get(section)?.get(key),
        None => settings.get(setting),
    }
}

/// Settings with names like this one, and the sections that have one of this name.
fn similar(setting: &str) -> String {
    let (section, key) = setting.rsplit_once('.').unwrap_or(("", setting));
    let of_section = SECTIONS.iter().find(|(name, _)| *name == section).map(|(_, keys)| *keys);
    let known = of_section.unwrap_or(SETTINGS).iter().copied();
    let near = match section {
        "" => nearest(key, known.chain(SECTIONS.iter().map(|(name, _)| *name))),
        _ => nearest(key, known),
    };
    let elsewhere = || {
        let all = SECTIONS.iter().filter(|(_, keys)| keys.contains(&key));
        all.map(|(section, _)| format!("{section}.{key}")).take(3).collect::<Vec<_>>()
    };
    let proposed: Vec<String> =
        if near.is_empty() { elsewhere() } else { near.into_iter().map(str::to_owned).collect() };
    match proposed.as_slice() {
        [] => ": correct it, or remove it (the project's config.toml lists all settings)".to_owned(),
        proposed => did_you_mean(proposed),
    }
}

/// The words that a setting allows, if it is one of some words: the parser lists them for a wrong one. The
/// other settings are left out, because the parser speaks of the first mistake only.
fn allowed(setting: &str) -> Option<String> {
    let nonsense = Value::String("?".to_owned());
    let alone = match setting.split_once('.') {
        Some((section, key)) => (section, Value::Table([(key.to_owned(), nonsense)].into_iter().collect())),
        None => (setting, nonsense),
    };
    let alone: Table = [(alone.0.to_owned(), alone.1)].into_iter().collect();
    choices(Config::read(&alone.to_string()).err()?.why.message())
}

/// The words that the parser lists for an unknown one: `a` or `b`, in quotes as TOML wants them.
fn choices(said: &str) -> Option<String> {
    let (_, words) = said.strip_prefix("unknown variant ")?.split_once(", expected ")?;
    let words: Vec<String> = listed_names(words).into_iter().map(|word| format!("\"{word}\"")).collect();
    let (last, first) = words.split_last()?;
    Some(if first.is_empty() { last.clone() } else { format!("{} or {last}", first.join(", ")) })
}

/// What to write, for the type that the parser expected.
fn wanted(setting: &str, expected: &str) -> String {
    let of_section = SECTIONS.iter().find(|(name, _)| *name == setting);
    if let Some((name, keys)) = of_section {
        return format!(
            "[{name}] on a line of its own, and the settings of the section below it: {}",
            keys.join(", ")
        );
    }
    match (expected, type_name(expected)) {
        ("path string", _) => "a path in quotes".to_owned(),
        ("a nonzero u32", _) => format!("a whole number from 1 to {}", u32::MAX),
        (_, Some("a list")) => "a list, such as [\"a\", \"b\"]".to_owned(),
        (_, Some("a string")) => "a text in quotes".to_owned(),
        (_, Some("a whole number")) => "a whole number of at least 0".to_owned(),
        (_, Some(plain)) => plain.to_owned(),
        (ours, None) => ours.to_owned(),
    }
}

/// A value as people wrote it.
fn shown(value: &str) -> String {
    let kinds = ["string ", "integer ", "floating point ", "boolean "];
    let plain = kinds.into_iter().find_map(|kind| value.strip_prefix(kind)).unwrap_or(value);
    match plain {
        "sequence" => "a list".to_owned(),
        "map" => "a section".to_owned(),
        plain => plain.trim_matches('`').to_owned(),
    }
}
