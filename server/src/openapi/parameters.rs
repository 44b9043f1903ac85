//! Parameters of paths, queries and headers.

use generator::address::DEFAULT_SIZE;
use registry::names::{Coordinate, Handle, Namespace, Slug, TagName, Version};
use registry::public::{AdvisoryId, Id};
use serde_json::{Value, json};

use super::schemas::Schemas;
use crate::routes::VersionOrTag;

/// The parameters in the path of a route.
pub(super) fn of_path(path: &str, schemas: &mut Schemas) -> Vec<Value> {
    let names = path.split('/').filter_map(|segment| segment.strip_prefix('{')?.strip_suffix('}'));
    names
        .map(|name| {
            let schema = in_path(path, name, schemas);
            json!({ "name": name, "in": "path", "required": true, "schema": schema })
        })
        .collect()
}

/// The schema of a parameter in the path. A value that does not match it gets 404.
fn in_path(path: &str, name: &str, schemas: &mut Schemas) -> Value {
    let of_namespaces = path.starts_with("/api/v1/namespaces/");
    let of_download = path.starts_with("/api/v1/download/");
    match name {
        "namespace" => schemas.sent::<Namespace>(),
        "slug" if of_namespaces => schemas.sent::<Namespace>(),
        "slug" if of_download => schemas.sent::<Coordinate>(),
        "slug" | "bundle" => schemas.sent::<Slug>(),
        "version" if of_download => schemas.sent::<VersionOrTag>(),
        "version" => schemas.sent::<Version>(),
        "advisory" => schemas.sent::<AdvisoryId>(),
        "tagName" => schemas.sent::<TagName>(),
        "userId" => schemas.sent::<Handle>(),
        "page" => json!({ "type": "string", "pattern": "^[1-9][0-9]{0,15}\\.json$" }),
        "piece" => json!({ "type": "string", "pattern": "^[0-9a-f]{16}\\.bin$" }),
        "shard" => json!({ "type": "string", "pattern": "^[0-9a-f]{2}\\.json$" }),
        "id" | "skillId" => schemas.sent::<Id>(),
        _ => json!({ "type": "string" }),
    }
}

/// An optional parameter of the query. An empty one counts as absent.
pub(super) fn in_query(name: &str, about: &str, schema: Value) -> Value {
    json!({ "name": name, "in": "query", "description": about, "allowEmptyValue": true, "schema": schema })
}

/// A reference to a parameter in the components.
pub(super) fn shared(name: &str) -> Value {
    json!({ "$ref": format!("#/components/parameters/{name}") })
}

/// The page of a list, and its size.
pub(super) fn paging() -> [Value; 2] {
    ["Page", "Size"].map(shared)
}

/// The headers of conditional requests and ranges. Invalid values are ignored.
pub(super) fn conditions() -> [Value; 4] {
    ["IfNoneMatch", "IfModifiedSince", "IfRange", "Range"].map(shared)
}

/// The parameters that several routes share.
pub(super) fn components() -> Value {
    let header = |name: &str, about: &str| json!({ "name": name, "in": "header", "description": about, "schema": { "type": "string" } });
    let number = |max: u64, default: u64| json!({ "type": "integer", "minimum": 1, "maximum": max, "default": default });
    json!({
        "Page": in_query("page", "The page. A page after the last has no items.", number((1 << 53) - 1, 1)),
        "Size": in_query("size", "The number of items on a page.", number(100, DEFAULT_SIZE)),
        "IfNoneMatch": header("If-None-Match", "304 if the representation has one of these entity tags."),
        "IfModifiedSince": header("If-Modified-Since", "304 if `Last-Modified` is not later."),
        "IfRange": header("If-Range", "`Range` counts only if the representation still has this validator."),
        "Prefer": header("Prefer", "`wait` or `wait=<seconds>`: the response waits until all of the tree contains the change. `wait=0` or `respond-async`: it waits for nothing."),
        "Range": header("Range", "One range of bytes, such as `bytes=0-99`."),
    })
}
