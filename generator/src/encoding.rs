//! How records become documents.

use serde::Serialize;

/// A record as a document: compact JSON and a line feed.
pub(crate) fn json(record: &impl Serialize) -> Vec<u8> {
    // Our records have string keys alone and no failing parts, so that nothing
    // but memory can make this fail; an empty document would be noticed.
    let mut bytes = serde_json::to_vec(record).unwrap_or_default();
    bytes.push(b'\n');
    bytes
}
