//! Schemas that no record has: the form for publishing, pages of the feed (rows
//! joined as they are stored), and small ones without a type of their own.

use std::borrow::Cow;

use registry::names::{Coordinate, Digest, Namespace, TagName, TolerantVersion, Version};
use registry::time::Timestamp;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};

use crate::routes::{FeedPage, OpenApiDocument, PublishForm, VersionOrTag};

/// Writes the schema of `$name` where it is used, not among the components.
macro_rules! inline_schema {
    ($name:ident, |$schemas:ident| $schema:expr) => {
        impl JsonSchema for $name {
            fn inline_schema() -> bool {
                true
            }

            fn schema_name() -> Cow<'static, str> {
                stringify!($name).into()
            }

            fn json_schema($schemas: &mut SchemaGenerator) -> Schema {
                $schema
            }
        }
    };
}

inline_schema!(OpenApiDocument, |_schemas| json_schema!({ "type": "object" }));

inline_schema!(VersionOrTag, |schemas| {
    let either = [schemas.subschema_for::<Version>(), schemas.subschema_for::<TagName>()];
    json_schema!({ "anyOf": either })
});

inline_schema!(PublishForm, |schemas| {
    let tag = "[a-z0-9]([a-z0-9._-]*[a-z0-9_-])?";
    json_schema!({
        "type": "object",
        "properties": {
            "file": { "type": "string", "format": "binary", "description": "The zip of the skill." },
            "namespace": schemas.subschema_for::<Namespace>(),
            "slug": schemas.subschema_for::<Coordinate>(),
            "version": schemas.subschema_for::<TolerantVersion>(),
            "changelog": { "type": "string", "maxLength": 16_384, "description": "What changed." },
            "tags": {
                "type": "string",
                "pattern": format!("^{tag}(,{tag})*$"),
                "description": "Tags for this version, at most 32, separated by commas."
            },
            "dryRun": {
                "type": "string",
                "enum": ["true", "false"],
                "description": "With `true`, checks everything and stores nothing."
            },
            "attestation": {
                "type": "string",
                "maxLength": 65_536,
                "description": "A Sigstore bundle about the stored package."
            },
            "allowFile": {
                "type": "array",
                "items": { "type": "string", "minLength": 1, "maxLength": 255 },
                "maxItems": 25,
                "description": "Paths of secret files, such as `.env`, to publish anyway. The field is repeated."
            },
        },
        "required": ["file"],
        "additionalProperties": false,
    })
});

// Mirrors meet rows of kinds that this release does not know, so only the
// fields that all kinds have are described.
inline_schema!(FeedPage, |schemas| {
    json_schema!({
        "type": "object",
        "properties": {
            "page": { "type": "integer", "minimum": 1 },
            "epoch": { "type": "string", "pattern": "^[0-9a-f]{32}$" },
            "previous": {
                "anyOf": [schemas.subschema_for::<Digest>(), { "type": "null" }],
                "description": "The sha256 of the previous page."
            },
            "changes": {
                "type": "array",
                "items": {
                    "type": "object",
                    "properties": {
                        "revision": { "type": "integer", "minimum": 1 },
                        "at": schemas.subschema_for::<Timestamp>(),
                        "kind": { "type": "string" },
                        "v": { "type": "integer", "minimum": 1, "description": "The schema number of the kind." },
                    },
                    "required": ["revision", "at", "kind", "v"],
                },
            },
        },
        "required": ["page", "epoch", "previous", "changes"],
        "additionalProperties": false,
    })
});

#[cfg(test)]
mod tests {
    use super::*;
    use crate::routes::publish::FIELDS;

    #[test]
    fn publish_form_describes_the_fields_that_are_read() {
        let form = PublishForm::json_schema(&mut SchemaGenerator::default()).to_value();
        let described = form["properties"].as_object().unwrap().keys().map(String::as_str);
        let fields = FIELDS.single.iter().chain(FIELDS.repeatable).copied();
        let mut read: Vec<&str> = fields.chain([crate::request::multipart::FILE]).collect();
        read.sort_unstable();
        assert_eq!(described.collect::<Vec<_>>(), read);
    }
}
