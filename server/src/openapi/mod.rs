//! The API's description in OpenAPI 3.1: made from the route table, the records
//! that are sent and read, and one description for each operation.
//!
//! The document is a file of the generator (`generator/assets/openapi.json`),
//! because it is in the tree; `server/tests/openapi.rs` holds the file against
//! this, and rewrites it with `UPDATE_OPENAPI=1`.

mod bodies;
mod components;
mod description;
mod operations;
mod parameters;
mod schemas;

use serde_json::{Map, Value, json};

use self::schemas::Schemas;
use crate::routes::{Access, ROUTES, Route};

const ABOUT: &str = "A registry for agent skills. docs/api.md describes it for people.

Every GET answers HEAD too, and where anyone may read, OPTIONS is answered for CORS; another method is \
405 with `Allow`. Each request may also end in 500, \
with a problem of the code `internal`. Unknown query parameters are ignored, an empty one counts as \
absent, and of doubles the first counts; unknown fields of a body are refused. A credential that is \
presented must be valid, also where none is needed.";

/// The document as its file has it: indented, with a line feed at the end.
///
/// # Errors
///
/// When two records share a name in the document.
pub fn text() -> Result<String, String> {
    let text = serde_json::to_string_pretty(&document()?).map_err(|error| error.to_string())?;
    Ok(text + "\n")
}

fn document() -> Result<Value, String> {
    let mut schemas = Schemas::default();
    let mut paths = Map::new();
    for route in ROUTES {
        let path = paths.entry(route.path).or_insert_with(|| json!({}));
        path[route.method.as_str().to_lowercase()] = operation(route, &mut schemas);
    }
    Ok(json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Skillmirror",
            "description": ABOUT,
            "version": "1",
            "license": { "name": "MIT OR Apache-2.0", "identifier": "MIT OR Apache-2.0" }
        },
        "servers": [{ "url": "/" }],
        "paths": paths,
        "components": components::all(schemas)?,
    }))
}

fn operation(route: &Route, schemas: &mut Schemas) -> Value {
    let description = operations::describe(route.operation, schemas);
    let mut operation = json!({
        "operationId": operation_id(route),
        "summary": description.summary,
        "security": security(route.access),
        "responses": description.responses(route),
    });
    let mut parameters = parameters::of_path(route.path, schemas);
    parameters.extend(description.query.iter().cloned());
    if description.is_representation(route) {
        parameters.extend(parameters::conditions());
    }
    if !parameters.is_empty() {
        operation["parameters"] = parameters.into();
    }
    if let Some(body) = description.body {
        operation["requestBody"] = body;
    }
    operation
}

/// The operation's name, as JSON writes names.
fn operation_id(route: &Route) -> String {
    let name = format!("{:?}", route.operation);
    let mut chars = name.chars();
    chars.next().map(|first| first.to_ascii_lowercase()).into_iter().chain(chars).collect()
}

/// Either credential will do. A token needs the scope that stands there; a
/// session has all.
fn security(access: Access) -> Value {
    match access {
        Access::PublicRead | Access::Anyone => json!([]),
        Access::Credential => json!([{ "token": [] }, { "session": [] }]),
        Access::Scope(scope) => json!([{ "token": [scope.as_str()] }, { "session": [] }]),
    }
}
