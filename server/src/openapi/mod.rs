//! The OpenAPI 3.1 description of the API, made from the route table and the
//! schemas of the records.
//!
//! The document is part of the tree, so it is a file of the generator:
//! `generator/assets/openapi.json`. `server/tests/openapi.rs` compares the file
//! with this module, and rewrites it with `UPDATE_OPENAPI=1`.

mod components;
mod description;
mod hand_written_schemas;
mod parameters;
mod responses;
mod schemas;

use serde_json::{Map, Value, json};

pub use self::description::Description;
use self::schemas::Schemas;
use crate::routes::{Access, ROUTES, Route};

const ABOUT: &str = "A registry for agent skills. docs/api.md describes it for people.

Every GET also supports HEAD, and every public read supports OPTIONS for CORS; other methods get \
405 with `Allow`. Every request may also fail with 500 and a problem with the code `internal`. Unknown \
query parameters are ignored, empty ones count as absent, and the first of several with one name counts. \
Unknown fields of a body are refused. A credential that is sent has to be valid, even where none is required. \
With several servers, any request may have the header `X-Min-Revision` with the number of an earlier response's \
`X-Revision`: the server answers when it has that revision, or after 5 seconds with 503 and `Retry-After`. A value \
that is no number is 400.";

/// The text of the document: indented JSON with a line feed at the end.
///
/// Errors: two records have one name in the document.
pub fn text() -> Result<String, String> {
    let text = serde_json::to_string_pretty(&document()?).map_err(|error| error.to_string())?;
    Ok(text + "\n")
}

fn document() -> Result<Value, String> {
    let mut schemas = Schemas::default();
    let mut paths = Map::new();
    let is_published = |route: &&Route| !route.is_clawhub() && route.description.is_published();
    for route in ROUTES.iter().filter(is_published) {
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
    let description = &route.description;
    let mut operation = json!({
        "operationId": description.operation_id,
        "summary": description.summary,
        "security": security(route.access),
        "responses": description.responses(route, schemas),
    });
    let mut parameters = parameters::of_path(route.path, schemas);
    parameters.extend(description.query(schemas));
    if description.is_representation(route) {
        parameters.extend(parameters::conditions());
    }
    if description.waits() {
        parameters.push(parameters::shared("Prefer"));
    }
    if !parameters.is_empty() {
        operation["parameters"] = parameters.into();
    }
    if let Some(body) = description.body(schemas) {
        operation["requestBody"] = body;
    }
    operation
}

/// Either credential suffices. A token needs the scope; a session has every scope.
fn security(access: Access) -> Value {
    match access {
        Access::PublicRead | Access::Reader | Access::Anyone => json!([]),
        Access::Credential => json!([{ "token": [] }, { "session": [] }]),
        Access::Scope(scope) => json!([{ "token": [scope.as_str()] }, { "session": [] }]),
    }
}
