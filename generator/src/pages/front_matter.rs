//! Front matter as a table.

use serde::Serialize;
use serde_json::Value;

/// A row: a key as a path, and its value as text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct FrontMatterRow {
    /// The key.
    pub key: String,
    /// The value as text.
    pub value: String,
}

/// The rows of a front matter's keys, in its order.
pub fn front_matter(metadata: &serde_json::Map<String, Value>) -> Vec<FrontMatterRow> {
    metadata.iter().map(|(key, value)| FrontMatterRow { key: key.clone(), value: value.to_string() }).collect()
}
