//! Front matter as a table.

use serde::Serialize;
use serde_json::Value;

/// What a table still is: the packages' own bound of 64 KiB allows tens of thousands.
const MAX_ROWS: usize = 200;

/// Characters of a value.
const MAX_VALUE_CHARS: usize = 4_000;

/// A row: a key as a path, and its value as text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct FrontMatterRow {
    /// `name`, or `metadata.author.name` for what is nested.
    pub key: String,
    /// The value as text; a list of plain values is joined with commas.
    pub value: String,
}

impl FrontMatterRow {
    fn new(key: &str, value: &str) -> Self {
        let value = match value.char_indices().nth(MAX_VALUE_CHARS) {
            Some((end, _)) => format!("{}\u{2026}", &value[..end]),
            None => value.to_owned(),
        };
        Self { key: key.to_owned(), value }
    }
}

/// The rows of a front matter's keys, in its order: at most 200, and a last one that
/// tells how many were left out.
pub fn front_matter(metadata: &serde_json::Map<String, Value>) -> Vec<FrontMatterRow> {
    let mut rows = Rows::default();
    for (key, value) in metadata {
        rows.add(key, value);
    }
    if rows.left_out > 0 {
        let more = format!("and {} more", rows.left_out);
        rows.kept.push(FrontMatterRow::new("\u{2026}", &more));
    }
    rows.kept
}

#[derive(Default)]
struct Rows {
    kept: Vec<FrontMatterRow>,
    left_out: usize,
}

impl Rows {
    /// The depth is bounded where packages are read: to 16.
    fn add(&mut self, key: &str, value: &Value) {
        match value {
            Value::Object(members) if !members.is_empty() => {
                for (member, value) in members {
                    self.add(&format!("{key}.{member}"), value);
                }
            }
            Value::Array(items) if items.iter().any(is_nested) => {
                for (number, value) in (1..).zip(items) {
                    self.add(&format!("{key}.{number}"), value);
                }
            }
            _ if self.kept.len() == MAX_ROWS => self.left_out += 1,
            Value::Array(items) if !items.is_empty() => {
                let items: Vec<String> = items.iter().map(plain).collect();
                self.kept.push(FrontMatterRow::new(key, &items.join(", ")));
            }
            _ => self.kept.push(FrontMatterRow::new(key, &plain(value))),
        }
    }
}

fn is_nested(value: &Value) -> bool {
    matches!(value, Value::Object(members) if !members.is_empty())
        || matches!(value, Value::Array(items) if !items.is_empty())
}

fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn rows(value: Value) -> Vec<String> {
        let Value::Object(metadata) = value else { panic!("an object") };
        front_matter(&metadata).into_iter().map(|row| format!("{}={}", row.key, row.value)).collect()
    }

    #[test]
    fn nested_values_have_dotted_keys() {
        let value = json!({
            "a": "x", "b": [1, "two", null], "c": {"d": {"e": true}, "f": []}, "g": [{"h": 1}, [2]], "i": {}, "j": "",
        });
        let mut found = rows(value);
        found.sort();
        assert_eq!(
            found,
            ["a=x", "b=1, two, null", "c.d.e=true", "c.f=[]", "g.1.h=1", "g.2=2", "i={}", "j="]
        );
    }

    #[test]
    fn a_table_is_bounded() {
        let many: serde_json::Map<_, _> =
            (0..1000).map(|n| (format!("k{n:04}"), json!("ü".repeat(9000)))).collect();
        let rows = front_matter(&many);
        assert_eq!(rows.len(), MAX_ROWS + 1);
        assert_eq!(rows[0].value.chars().count(), MAX_VALUE_CHARS + 1);
        assert_eq!((rows[200].key.as_str(), rows[200].value.as_str()), ("\u{2026}", "and 800 more"));
    }
}
