//! Characters in front matter that a terminal would obey, or that hide or reorder text.

use serde_json::{Map, Value};

use super::front_matter::FrontMatter;
use super::yaml::RAW_JSON;
use crate::package::is_unseen;

/// Whether a character may not be in front matter. White space may: tabs and line breaks.
fn is_misleading(c: char) -> bool {
    (c.is_control() && !matches!(c, '\t' | '\n' | '\r')) || is_unseen(c)
}

/// Removes misleading characters from all texts and keys. Returns each key that has some, with
/// the first one: keys of the first level, and `metadata.<key>`.
pub(super) fn remove_misleading(front_matter: &mut FrontMatter) -> Vec<(String, char)> {
    let mut found = Vec::new();
    for (key, value) in &front_matter.map {
        match value {
            Value::Object(map) if key == "metadata" => {
                let inner = |(inner, value): (&String, &Value)| {
                    Some((format!("{key}.{inner}"), first(inner, value)?))
                };
                found.extend(map.iter().filter_map(inner));
            }
            _ => found.extend(first(key, value).map(|c| (key.clone(), c))),
        }
    }
    if !found.is_empty() {
        front_matter.map = cleaned_map(std::mem::take(&mut front_matter.map));
        let texts = std::mem::take(&mut front_matter.texts);
        front_matter.texts = texts.into_iter().map(|(key, text)| (cleaned(&key), cleaned(&text))).collect();
    }
    found
}

/// The first misleading character of a key or its value.
fn first(key: &str, value: &Value) -> Option<char> {
    let in_value = || match value {
        Value::String(text) => text.chars().find(|c| is_misleading(*c)),
        Value::Array(list) => list.iter().find_map(|value| first("", value)),
        Value::Object(map) => map.iter().find_map(|(key, value)| first(key, value)),
        _ => None,
    };
    key.chars().find(|c| is_misleading(*c)).or_else(in_value)
}

fn cleaned(text: &str) -> String {
    text.replace(is_misleading, "")
}

/// Leaves out a key that becomes the reserved one, which the parser has refused.
fn cleaned_map(map: Map<String, Value>) -> Map<String, Value> {
    let cleaned = map.into_iter().map(|(key, value)| (cleaned(&key), cleaned_value(value)));
    cleaned.filter(|(key, _)| key != RAW_JSON).collect()
}

fn cleaned_value(value: Value) -> Value {
    match value {
        Value::String(text) => Value::String(cleaned(&text)),
        Value::Array(list) => Value::Array(list.into_iter().map(cleaned_value).collect()),
        Value::Object(map) => Value::Object(cleaned_map(map)),
        other => other,
    }
}
