//! Parameters of paths, queries and headers.

use generator::address::{DEFAULT_SIZE, MAX_QUERY_LENGTH};
use registry::names::{Coordinate, Handle, Namespace, Slug, TagName, Version};
use registry::public::{Id, Sort};
use serde_json::{Value, json};

use super::schemas::Schemas;

/// The parameters that a path of the route table has.
pub(super) fn of_path(path: &str, schemas: &mut Schemas) -> Vec<Value> {
    let names = path.split('/').filter_map(|piece| piece.strip_prefix('{')?.strip_suffix('}'));
    names
        .map(|name| {
            let schema = in_path(path, name, schemas);
            json!({ "name": name, "in": "path", "required": true, "schema": schema })
        })
        .collect()
}

/// What stands in the place of a name. One that cannot be such a thing is 404.
fn in_path(path: &str, name: &str, schemas: &mut Schemas) -> Value {
    let of_namespaces = path.starts_with("/api/v1/namespaces/");
    let of_download = path.starts_with("/api/v1/download/");
    match name {
        "namespace" => schemas.sent::<Namespace>(),
        "slug" if of_namespaces => schemas.sent::<Namespace>(),
        "slug" if of_download => schemas.sent::<Coordinate>(),
        "slug" => schemas.sent::<Slug>(),
        "version" if of_download => version_or_tag(schemas),
        "version" => schemas.sent::<Version>(),
        "tagName" => schemas.sent::<TagName>(),
        "userId" => schemas.sent::<Handle>(),
        "page" => json!({ "type": "string", "pattern": "^[1-9][0-9]{0,15}\\.json$" }),
        "piece" => json!({ "type": "string", "pattern": "^[0-9a-f]{16}\\.bin$" }),
        "shard" => json!({ "type": "string", "pattern": "^[0-9a-f]{2}\\.json$" }),
        "id" | "skillId" => schemas.sent::<Id>(),
        _ => json!({ "type": "string" }),
    }
}

fn version_or_tag(schemas: &mut Schemas) -> Value {
    json!({ "anyOf": [schemas.sent::<Version>(), schemas.sent::<TagName>()] })
}

/// An empty one counts as absent.
fn in_query(name: &str, about: &str, schema: Value) -> Value {
    json!({ "name": name, "in": "query", "description": about, "allowEmptyValue": true, "schema": schema })
}

fn required(mut parameter: Value) -> Value {
    parameter["required"] = true.into();
    parameter["allowEmptyValue"] = false.into();
    parameter
}

fn shared(name: &str) -> Value {
    json!({ "$ref": format!("#/components/parameters/{name}") })
}

/// Which page of a list, and how long pages are.
pub(super) fn paging() -> Vec<Value> {
    vec![shared("Page"), shared("Size")]
}

/// What people look for.
fn words() -> Value {
    json!({ "type": "string", "maxLength": MAX_QUERY_LENGTH })
}

/// What is looked for, and which page of what is found.
pub(super) fn search() -> Vec<Value> {
    let limit = json!({ "type": "integer", "minimum": 1, "maximum": 100, "default": DEFAULT_SIZE });
    vec![
        in_query("q", "The words.", words()),
        shared("Page"),
        in_query("limit", "How many skills a page has.", limit),
    ]
}

/// Which skills are listed, in which order.
pub(super) fn listing(schemas: &mut Schemas) -> Vec<Value> {
    let sort = json!({ "type": "string", "enum": Sort::ALL.map(Sort::as_str) });
    let order = "The order; when absent, the latest change first, and with a keyword what fits best.";
    let mut parameters = vec![
        in_query("keyword", "Skills that these words find.", words()),
        in_query("namespace", "Skills of this namespace alone.", schemas.sent::<Namespace>()),
        in_query("sort", order, sort),
    ];
    parameters.extend(paging());
    parameters
}

/// What a resolution asks for; both at once is 400.
pub(super) fn pointers(schemas: &mut Schemas) -> Vec<Value> {
    vec![
        in_query("version", "This version.", schemas.sent::<Version>()),
        in_query("tag", "The version that this tag points to; `latest` is one.", schemas.sent::<TagName>()),
    ]
}

/// The same for clients that know one word for a skill.
pub(super) fn slug_and_pointer(schemas: &mut Schemas) -> Vec<Value> {
    let pointer = version_or_tag(schemas);
    vec![
        required(in_query("slug", "The skill.", schemas.sent::<Coordinate>())),
        in_query("version", "A version or a tag; the latest version when absent.", pointer),
    ]
}

/// Which reviews are listed.
pub(super) fn review_status() -> Vec<Value> {
    let status = json!({
        "type": "string", "enum": ["pending", "approved", "rejected", "withdrawn", "all"],
        "default": "pending"
    });
    let mut parameters = vec![in_query("status", "Those that stand so.", status)];
    parameters.extend(paging());
    parameters
}

/// The headers by which a client asks for part of a representation, or for
/// nothing where it has it. What they say wrongly is ignored.
pub(super) fn conditions() -> Vec<Value> {
    vec![shared("IfNoneMatch"), shared("IfModifiedSince"), shared("IfRange"), shared("Range")]
}

/// The parameters that several operations share.
pub(super) fn components() -> Value {
    let header = |name: &str, about: &str| json!({ "name": name, "in": "header", "description": about, "schema": { "type": "string" } });
    let number = |most: u64, default: u64| json!({ "type": "integer", "minimum": 1, "maximum": most, "default": default });
    json!({
        "Page": in_query("page", "Which page; one past the end has no items.", number((1 << 53) - 1, 1)),
        "Size": in_query("size", "How many items a page has.", number(100, DEFAULT_SIZE)),
        "IfNoneMatch": header("If-None-Match", "304 where the representation has one of these entity tags."),
        "IfModifiedSince": header("If-Modified-Since", "304 where `Last-Modified` is no later."),
        "IfRange": header("If-Range", "`Range` counts only where the representation is still this one."),
        "Range": header("Range", "One range of bytes, such as `bytes=0-99`."),
    })
}
