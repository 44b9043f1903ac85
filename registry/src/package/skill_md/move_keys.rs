//! Moves keys of front matter to `metadata`, where clients with a fixed list of keys accept them.

use std::ops::Range;

use serde_json::Value;

use super::front_matter::{Fence, FrontMatter, cut};
use super::yaml;
use super::yaml_entries::indent_of;
use crate::package::Limits;

/// The keys that are moved. Others may mean something to a client that looks for them where they are.
const MOVED: [&str; 9] =
    ["version", "title", "homepage", "keywords", "tags", "author", "category", "repository", "source"];

/// Moves the keys of a SKILL.md to `metadata` that have no meaning elsewhere. Returns the new text, and the keys.
///
/// Numbers become texts, and lists texts with commas; no other text changes. A key stays if `metadata` has it,
/// if its value is a map, or if its place is not certain.
pub fn move_keys_to_metadata(text: &str) -> (String, Vec<&'static str>) {
    let mut text = text.to_owned();
    let mut moved = Vec::new();
    for key in MOVED {
        if let Some(new) = with_key_moved(&text, key) {
            text = new;
            moved.push(key);
        }
    }
    (text, moved)
}

fn read(yaml: &str) -> Option<FrontMatter> {
    yaml::read(yaml, 0, &Limits::default()).ok()
}

fn with_key_moved(text: &str, key: &str) -> Option<String> {
    let cut = cut(text);
    let front_matter = read(cut.yaml).filter(|_| cut.fence == Fence::Closed)?;
    let source = Source { lines: cut.yaml.split_inclusive('\n').collect(), front_matter: &front_matter };
    let (value, moved) = source.moved(key)?;
    let metadata = front_matter.map.get("metadata");
    let is_free = metadata.is_none_or(|metadata| metadata.is_null() || metadata.get(key).is_none());
    let (from, (to, indent)) = (source.extent(key).filter(|_| is_free)?, source.end_of_metadata()?);
    let line_end = if source.lines.first()?.ends_with("\r\n") { "\r\n" } else { "\n" };
    let mut yaml = String::new();
    for at in 0..=source.lines.len() {
        if at == to {
            if metadata.is_none() {
                yaml += &format!("metadata:{line_end}");
            }
            for line in &moved {
                yaml += &format!("{indent}{}{line_end}", line.trim_end());
            }
        }
        yaml += source.lines.get(at).filter(|_| !from.contains(&at)).copied().unwrap_or_default();
    }
    // The text is only taken if it says the same.
    let mut expected = front_matter.map.clone();
    expected.remove(key);
    let into = expected.entry("metadata").or_insert(Value::Null);
    if into.is_null() {
        *into = Value::Object(serde_json::Map::new());
    }
    into.as_object_mut()?.insert(key.to_owned(), value.into());
    let start = text.split_inclusive('\n').next().map_or(0, str::len);
    let rest = text.get(start + cut.yaml.len()..)?;
    (read(&yaml)?.map == expected).then(|| format!("{}{yaml}{rest}", &text[..start]))
}

struct Source<'a> {
    /// The lines between the fences.
    lines: Vec<&'a str>,
    front_matter: &'a FrontMatter,
}

impl Source<'_> {
    /// The lines of a key and its value, without the blank lines and comments below.
    fn extent(&self, key: &str) -> Option<Range<usize>> {
        let line = |key: &String| self.front_matter.lines.get(key).map(|line| *line as usize);
        let start = line(&key.to_owned())?;
        let keys = self.front_matter.map.keys().filter_map(line);
        let mut end = keys.filter(|line| *line > start).min().unwrap_or(self.lines.len());
        let is_between = |line: &&str| line.trim().is_empty() || line.starts_with('#');
        while end > start + 1 && self.lines.get(end - 1).is_some_and(is_between) {
            end -= 1;
        }
        Some(start..end)
    }

    /// The value of a key as a text, and its lines in the new place.
    fn moved(&self, key: &str) -> Option<(String, Vec<String>)> {
        let lines = self.lines.get(self.extent(key)?)?;
        // A comment below the value would be lost or would get into another place.
        if lines.iter().skip(1).any(|line| line.trim_start().starts_with('#')) {
            return None;
        }
        let first = lines.first()?.strip_prefix(key)?.strip_prefix(':')?;
        let quoted = |text: &str| Some(format!("{key}: {}", serde_json::to_string(text).ok()?));
        match self.front_matter.map.get(key)? {
            Value::String(text) => {
                let written = first.trim_start();
                // Others may read `010` or a date as no text.
                let is_certain = lines.len() > 1 || written.starts_with(|c: char| !c.is_ascii_digit());
                let lines = match first.split_once(text.as_str()) {
                    Some((_, comment)) if !is_certain => vec![quoted(text)? + comment],
                    _ => lines.iter().map(|line| (*line).to_owned()).collect(),
                };
                Some((text.clone(), lines))
            }
            Value::Number(_) | Value::Bool(_) => {
                let text = self.front_matter.texts.get(key)?;
                let (_, comment) = first.split_once(text.as_str())?;
                Some((text.clone(), vec![quoted(text)? + comment]))
            }
            Value::Array(items) if !lines.concat().contains('#') => {
                let text = |item: &Value| match item {
                    Value::String(text) => Some(text.clone()).filter(|text| !text.contains(',')),
                    Value::Number(_) | Value::Bool(_) => Some(item.to_string()),
                    _ => None,
                };
                let text = items.iter().map(text).collect::<Option<Vec<_>>>()?.join(", ");
                Some((text.clone(), vec![quoted(&text)?]))
            }
            _ => None,
        }
    }

    /// The line below `metadata` where a key can be added, and the white space before it.
    fn end_of_metadata(&self) -> Option<(usize, String)> {
        let Some(extent) = self.extent("metadata") else { return Some((self.lines.len(), "  ".to_owned())) };
        let is_key = |line: &&&str| !line.trim().is_empty() && !line.trim_start().starts_with('#');
        let child = self.lines.get(extent.clone())?.iter().skip(1).find(is_key);
        let indent = child.map_or("  ", |line| &line[..indent_of(line)]);
        Some((extent.end, indent.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moved(yaml: &str) -> (String, Vec<&'static str>) {
        let (text, keys) = move_keys_to_metadata(&format!("---\n{yaml}---\n\n# Text\nversion: 9\n"));
        let yaml =
            text.strip_prefix("---\n").and_then(|text| text.strip_suffix("---\n\n# Text\nversion: 9\n"));
        (yaml.map(str::to_owned).unwrap_or_default(), keys)
    }

    #[test]
    fn keys_move_and_the_rest_stays() {
        let yaml = "# first\nname: a\nversion: 1.10 # pinned\n\n# of keywords\nkeywords:\n- x\n- \"y z\"\ndescription: |\n  d\n";
        let (text, keys) = moved(yaml);
        assert_eq!(keys, ["version", "keywords"]);
        assert_eq!(
            text,
            "# first\nname: a\n\n# of keywords\ndescription: |\n  d\nmetadata:\n  version: \"1.10\" # pinned\n  keywords: \"x, y z\"\n"
        );
    }

    #[test]
    fn key_with_a_comment_below_its_value_stays() {
        let yaml = "name: a\nversion: 1.0\n  # why it is pinned\n";
        assert_eq!(moved(yaml), (yaml.to_owned(), vec![]));
    }

    #[test]
    fn keys_move_into_metadata_as_it_is_written() {
        for (yaml, expected) in [
            (
                "version: 1.0.0\nmetadata:\n    a: b\n\nname: x\n",
                "metadata:\n    a: b\n    version: \"1.0.0\"\n\nname: x\n",
            ),
            ("metadata:\nversion: 1.0.0\n", "metadata:\n  version: \"1.0.0\"\n"),
            ("title: >\n  a\n  b\nname: x\n", "name: x\nmetadata:\n  title: >\n    a\n    b\n"),
            ("name: x\r\nversion: '2'\r\n", "name: x\r\nmetadata:\r\n  version: '2'\r\n"),
            ("tags: [a, 1]\n", "metadata:\n  tags: \"a, 1\"\n"),
            ("homepage: https://a.example/#b\n", "metadata:\n  homepage: https://a.example/#b\n"),
        ] {
            assert_eq!(moved(yaml).0, expected, "{yaml:?}");
        }
    }

    #[test]
    fn key_without_a_certain_place_stays() {
        for yaml in [
            "name: a\n",
            "version: 1.0.0\nmetadata:\n  version: 2.0.0\n",
            "version: 1.0.0\nmetadata: {a: b}\n",
            "version: 1.0.0\nmetadata: text\n",
            "author:\n  name: Ann\n",
            "keywords: [a] # b\n",
            "keywords: [\"a, b\"]\n",
            "version:\n",
            "model: opus\nhooks: {}\n",
            "version: [\n",
        ] {
            assert_eq!(moved(yaml), (yaml.to_owned(), vec![]), "{yaml:?}");
        }
        for text in ["", "version: 1\n", "---\nversion: 1\n"] {
            assert_eq!(move_keys_to_metadata(text), (text.to_owned(), vec![]));
        }
    }
}
