//! Front matter as a table.

use serde::Serialize;
use serde_json::Value;

/// The longest table. A package may have 64 KiB of front matter, which can be tens of thousands of
/// rows.
const MAX_ROWS: usize = 200;

/// The longest value, in characters.
const MAX_VALUE_CHARS: usize = 4_000;

/// A row of the table.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct FrontMatterRow {
    /// The key: `name`, or `metadata.author.name` for nested values.
    pub key: String,
    /// The value as text. Items of a list of plain values are joined with commas.
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

/// The rows for front matter, in its order. Rows after the first 200 are left out, and a last row
/// says how many.
pub fn front_matter(metadata: &serde_json::Map<String, Value>) -> Vec<FrontMatterRow> {
    let mut rows = Vec::new();
    for (key, value) in metadata {
        flatten(key, value, &mut rows);
    }
    let left_out = rows.len().saturating_sub(MAX_ROWS);
    if left_out > 0 {
        rows.truncate(MAX_ROWS);
        rows.push(FrontMatterRow::new("\u{2026}", &format!("and {left_out} more")));
    }
    rows
}

/// Adds the rows for a value. Recursion is safe: packages limit the depth of front matter to 16.
fn flatten(key: &str, value: &Value, rows: &mut Vec<FrontMatterRow>) {
    match value {
        Value::Object(members) if !members.is_empty() => {
            for (member, value) in members {
                flatten(&format!("{key}.{member}"), value, rows);
            }
        }
        Value::Array(items) if items.iter().any(is_nested) => {
            for (number, value) in (1..).zip(items) {
                flatten(&format!("{key}.{number}"), value, rows);
            }
        }
        Value::Array(items) if !items.is_empty() => {
            let items: Vec<String> = items.iter().map(plain).collect();
            rows.push(FrontMatterRow::new(key, &items.join(", ")));
        }
        _ => rows.push(FrontMatterRow::new(key, &plain(value))),
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
    fn nested_value_has_a_dotted_key() {
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
    fn long_table_and_value_are_cut_off() {
        let many: serde_json::Map<_, _> =
            (0..1000).map(|n| (format!("k{n:04}"), json!("ü".repeat(9000)))).collect();
        let rows = front_matter(&many);
        assert_eq!(rows.len(), MAX_ROWS + 1);
        assert_eq!(rows[0].value.chars().count(), MAX_VALUE_CHARS + 1);
        assert_eq!((rows[200].key.as_str(), rows[200].value.as_str()), ("\u{2026}", "and 800 more"));
    }
}
