//! Encodes records as JSON documents.

use serde::Serialize;

/// Encodes a record as compact JSON with a line feed at its end.
pub(crate) fn json(record: &impl Serialize) -> Vec<u8> {
    // Cannot fail: all keys are strings, and no field has a failing serializer.
    let mut bytes = serde_json::to_vec(record).unwrap_or_default();
    bytes.push(b'\n');
    bytes
}
