//! Reads invalid front matter block by block, as its author probably meant it.

use serde_json::{Map, Value};

use super::front_matter::{FrontMatter, key_of};
use super::{yaml, yaml_problem};
use crate::package::finding::{Finding, Findings};
use crate::package::finding_codes;
use crate::package::limits::Limits;

/// Levels of invalid maps that are repaired. Deeper maps are kept as text.
const MAX_DEPTH: usize = 4;

/// A key at the start of a line, and its value.
struct Block<'t> {
    key: &'t str,
    /// The value on the line of the key.
    value: &'t str,
    /// The lines below the key.
    rest: Vec<&'t str>,
    /// The whole text of the block.
    text: &'t str,
    line: u64,
}

/// Reads `yaml` block by block. Invalid blocks are read as plain text, with a warning about
/// `path`. `first_line` is the line in the file where `yaml` starts.
pub(super) fn read(
    yaml: &str,
    first_line: u64,
    path: &str,
    limits: &Limits,
    findings: &mut Findings,
) -> FrontMatter {
    let mut front_matter = FrontMatter::default();
    let mut warn = |line: u64, why: String| {
        findings.warn(Finding::new(finding_codes::FRONT_MATTER_REPAIRED, why).in_file(path).at_line(line));
    };
    for block in blocks(yaml, first_line, &mut warn) {
        if front_matter.map.contains_key(block.key) {
            warn(block.line, format!("`{}` appears twice: the first one was used", block.key));
            continue;
        }
        front_matter.lines.insert(block.key.to_owned(), block.line);
        match yaml::read(block.text, block.line, limits) {
            Ok(valid) if valid.map.len() == 1 => {
                front_matter.map.extend(valid.map);
                front_matter.texts.extend(valid.texts);
                front_matter.lines.extend(valid.lines);
            }
            other => {
                let why = other.err().map(|error| yaml_problem::explain(block.text, block.line, &error).what);
                let why = why.map_or_else(String::new, |what| format!(" ({what})"));
                warn(
                    block.line,
                    format!("the value of `{}` is not valid YAML{why}: it was read as plain text", block.key),
                );
                let value = plain(&block, limits, MAX_DEPTH);
                if let Value::String(text) = &value {
                    front_matter.texts.insert(block.key.to_owned(), text.clone());
                }
                front_matter.map.insert(block.key.to_owned(), value);
            }
        }
    }
    front_matter
}

/// Splits a text into blocks.
fn blocks<'t>(text: &'t str, first_line: u64, warn: &mut dyn FnMut(u64, String)) -> Vec<Block<'t>> {
    let mut found: Vec<(Block<'t>, usize)> = Vec::new();
    let mut at = 0;
    for (number, whole) in (first_line..).zip(text.split_inclusive('\n')) {
        let line = whole.trim_end();
        let end = at + whole.len();
        match (key_of(line), found.last_mut()) {
            (Some((key, value)), _) => {
                let block = Block { key, value, rest: Vec::new(), text: &text[at..end], line: number };
                found.push((block, at));
            }
            (None, Some((block, start))) => {
                block.rest.push(line);
                block.text = &text[*start..end];
            }
            (None, None) if line.is_empty() || line.starts_with('#') => {}
            (None, None) => warn(number, "a line before the first key was left out".into()),
        }
        at = end;
    }
    found.into_iter().map(|(block, _)| block).collect()
}

/// Reads the value of an invalid block.
fn plain(block: &Block<'_>, limits: &Limits, depth: usize) -> Value {
    let lines = || block.rest.iter().map(|line| line.trim()).filter(|line| !line.is_empty());
    let folded = || lines().collect::<Vec<_>>().join(" ");
    match block.value {
        "" if lines().next().is_none() => Value::Null,
        "" if lines().all(|line| line.starts_with("- ")) => {
            let items = lines().filter_map(|line| line.strip_prefix("- "));
            Value::Array(items.map(|item| Value::String(unquoted(item).to_owned())).collect())
        }
        "" => map(block, limits, depth).unwrap_or_else(|| Value::String(folded())),
        mark if is_block_scalar(mark) && mark.starts_with('|') => {
            Value::String(lines().collect::<Vec<_>>().join("\n"))
        }
        mark if is_block_scalar(mark) => Value::String(folded()),
        value => {
            let mut text = unquoted(value).to_owned();
            for line in lines() {
                text.push(' ');
                text.push_str(line);
            }
            Value::String(text)
        }
    }
}

/// Reads the indented lines below a key as a map, block by block.
fn map(block: &Block<'_>, limits: &Limits, depth: usize) -> Option<Value> {
    let lines = || block.rest.iter().filter(|line| !line.trim().is_empty());
    let indent = |line: &str| line.len() - line.trim_start_matches([' ', '\t']).len();
    let least = lines().map(|line| indent(line)).min()?;
    if depth == 0 || least == 0 {
        return None;
    }
    let text: String = lines().filter_map(|line| line.get(least..)).flat_map(|line| [line, "\n"]).collect();
    let mut strays = 0;
    let inner = blocks(&text, block.line + 1, &mut |_, _| strays += 1);
    if strays > 0 || inner.is_empty() {
        return None;
    }
    let mut values = Map::new();
    for block in &inner {
        let value = match yaml::read(block.text, block.line, limits) {
            Ok(valid) if valid.map.len() == 1 => valid.map.into_iter().next().map(|(_, value)| value),
            _ => None,
        };
        let key = block.key.to_owned();
        values.entry(key).or_insert_with(|| value.unwrap_or_else(|| plain(block, limits, depth - 1)));
    }
    Some(Value::Object(values))
}

fn is_block_scalar(value: &str) -> bool {
    let mut chars = value.chars();
    matches!(chars.next(), Some('|' | '>')) && chars.all(|c| matches!(c, '+' | '-' | '0'..='9'))
}

fn unquoted(value: &str) -> &str {
    let value = value.trim();
    let inside = |quote| value.strip_prefix(quote).and_then(|v: &str| v.strip_suffix(quote));
    inside('"').or_else(|| inside('\'')).unwrap_or(value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn repaired(yaml: &str) -> (Value, Vec<u64>) {
        let mut findings = Findings::default();
        let got = read(yaml, 2, "SKILL.md", &Limits::default(), &mut findings);
        let lines = findings.into_warnings().into_iter().filter_map(|w| w.line).collect();
        (Value::Object(got.map), lines)
    }

    #[test]
    fn only_invalid_blocks_are_repaired() {
        let yaml = "name: x\ndescription: Use when: (1) a, (2) b\nversion: 1.10\nkeywords:\n- a\n- b\n\
                    metadata: {\"a\":{\"b\":1}\nlist:\n  - \"x\": y: z\n  - *b\ntext: >\n  one\n  two\n";
        let (value, lines) = repaired(yaml);
        let want = json!({"name": "x", "description": "Use when: (1) a, (2) b", "version": 1.1,
            "keywords": ["a", "b"], "metadata": "{\"a\":{\"b\":1}", "list": ["\"x\": y: z", "*b"],
            "text": "one two\n"});
        assert_eq!((value, lines), (want, vec![3, 8, 9]));
    }

    #[test]
    fn folded_text_and_maps_survive() {
        let yaml = "description: >-\n\tone: a\n\ttwo\nquote: 'it's'\nmetadata:\n  title: A: b\n  n: 1\n  in:\n    k: *x\n";
        let (value, lines) = repaired(yaml);
        let want = json!({"description": "one: a two", "quote": "it's",
            "metadata": {"title": "A: b", "n": 1, "in": {"k": "*x"}}});
        assert_eq!((value, lines), (want, vec![2, 5, 6]));
    }

    #[test]
    fn doubles_and_strays() {
        let (value, lines) = repaired("stray\n# comment\na: 1\na: 2\n");
        assert_eq!((value, lines), (json!({"a": 1}), vec![2, 5]));
        assert_eq!(repaired("just text\n").0, json!({}));
    }
}
