//! What no record describes: the form of a publication, and pages of the feed,
//! which are stored rows joined as they are.

use registry::names::{Coordinate, Digest, Namespace, TolerantVersion};
use registry::time::Timestamp;
use serde_json::{Value, json};

use super::schemas::Schemas;

/// The form of a publication.
pub(super) fn publication(schemas: &mut Schemas) -> Value {
    let tag = "[a-z0-9]([a-z0-9._-]*[a-z0-9_-])?";
    json!({
        "type": "object",
        "properties": {
            "file": { "type": "string", "format": "binary", "description": "The zip of the skill." },
            "namespace": schemas.read::<Namespace>(),
            "slug": schemas.read::<Coordinate>(),
            "version": schemas.read::<TolerantVersion>(),
            "changelog": { "type": "string", "maxLength": 16_384, "description": "What changed." },
            "tags": {
                "type": "string",
                "pattern": format!("^{tag}(,{tag})*$"),
                "description": "Tags to point to this version, at most 32, with commas between."
            },
            "dryRun": {
                "type": "string",
                "enum": ["true", "false"],
                "description": "With `true` everything is checked and nothing kept."
            },
        },
        "required": ["file"],
        "additionalProperties": false,
    })
}

/// A page of the feed. Mirrors meet kinds of rows that this release does not
/// know, so a row is described as far as all are alike.
pub(super) fn feed_page(schemas: &mut Schemas) -> Value {
    let revision = json!({ "type": "integer", "minimum": 1 });
    json!({
        "type": "object",
        "properties": {
            "page": { "type": "integer", "minimum": 1 },
            "epoch": { "type": "string", "pattern": "^[0-9a-f]{32}$" },
            "previous": {
                "anyOf": [schemas.sent::<Digest>(), { "type": "null" }],
                "description": "The sha256 of the page before."
            },
            "changes": {
                "type": "array",
                "items": {
                    "type": "object",
                    "properties": {
                        "revision": revision,
                        "at": schemas.sent::<Timestamp>(),
                        "kind": { "type": "string" },
                        "v": { "type": "integer", "minimum": 1, "description": "The kind's schema number." },
                    },
                    "required": ["revision", "at", "kind", "v"],
                },
            },
        },
        "required": ["page", "epoch", "previous", "changes"],
        "additionalProperties": false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::routes::publish::FIELDS;

    #[test]
    fn the_form_has_the_fields_that_are_read() {
        let form = publication(&mut Schemas::default());
        let described = form["properties"].as_object().unwrap().keys().map(String::as_str);
        let mut read: Vec<&str> = FIELDS.iter().copied().chain([crate::multipart::FILE]).collect();
        read.sort_unstable();
        assert_eq!(described.collect::<Vec<_>>(), read);
    }
}
