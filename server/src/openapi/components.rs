//! The components that routes share: problems, headers, credentials.

use serde_json::{Map, Value, json};

use super::parameters;
use super::schemas::Schemas;
use crate::problem::{Code, ProblemJson};

/// The section `components` of the document.
pub(super) fn all(mut schemas: Schemas) -> Result<Value, String> {
    let problem = schemas.sent::<ProblemJson<'_>>();
    let responses: Map<_, _> = Code::ALL.iter().map(|&code| (name(code), response(code, &problem))).collect();
    Ok(json!({
        "schemas": schemas.into_definitions()?,
        "parameters": parameters::components(),
        "headers": headers(),
        "responses": responses,
        "securitySchemes": {
            "token": {
                "type": "http",
                "scheme": "bearer",
                "description": "An API token: `Authorization: Bearer smt_…`. Operations name the required scope."
            },
            "session": {
                "type": "apiKey",
                "in": "cookie",
                "name": "skillmirror_session",
                "description": "The cookie of a login, with every scope; `__Host-skillmirror_session` \
                    if the public URL is https. Writes require an `Origin` equal to the public URL."
            }
        }
    }))
}

fn name(code: Code) -> String {
    format!("{code:?}")
}

/// A reference to the response for a problem.
pub(super) fn refusal(code: Code) -> Value {
    json!({ "$ref": format!("#/components/responses/{}", name(code)) })
}

/// A reference to a header.
pub(super) fn header(name: &str) -> Value {
    json!({ "$ref": format!("#/components/headers/{name}") })
}

/// References to headers, by name.
pub(super) fn named(names: &[&str]) -> Value {
    names.iter().map(|name| ((*name).to_owned(), header(name))).collect::<Map<_, _>>().into()
}

fn response(code: Code, problem: &Value) -> Value {
    let mut schema = problem.clone();
    schema["properties"] = json!({
        "type": { "const": code.type_uri() },
        "title": { "const": code.title() },
        "status": { "const": code.status().as_u16() },
        "code": { "const": code.as_str() },
    });
    let header = match code {
        Code::Unauthenticated => Some("WWW-Authenticate"),
        Code::MethodNotAllowed => Some("Allow"),
        Code::RangeNotSatisfiable => Some("Content-Range"),
        Code::RateLimited | Code::Unavailable => Some("Retry-After"),
        Code::InvalidRequest
        | Code::Forbidden
        | Code::NotFound
        | Code::Conflict
        | Code::Gone
        | Code::TooLarge
        | Code::UnsupportedMediaType
        | Code::InvalidPackage
        | Code::Internal => None,
    };
    let headers: Vec<_> = ["X-Request-Id"].into_iter().chain(header).collect();
    json!({
        "description": code.title(),
        "headers": named(&headers),
        "content": { "application/problem+json": { "schema": schema } },
    })
}

fn headers() -> Value {
    let always =
        |about: &str, schema: Value| json!({ "description": about, "required": true, "schema": schema });
    let maybe = |about: &str, schema: Value| json!({ "description": about, "schema": schema });
    let text = || json!({ "type": "string" });
    let count = || json!({ "type": "integer", "minimum": 0 });
    json!({
        "X-Request-Id": always("Identifies the request in the log.", text()),
        "WWW-Authenticate": always("`Bearer`, and the error of the token that was sent.", text()),
        "Allow": always("The supported methods.", text()),
        "Retry-After": always("Seconds to wait.", json!({ "type": "integer", "minimum": 1 })),
        "Content-Range": always("The range of these bytes, and the size.", text()),
        "ETag": always("The sha256 of the representation, in quotes.", text()),
        "Accept-Ranges": always("`bytes`.", text()),
        "Cache-Control": always("How long caches may store the response.", text()),
        "Last-Modified": maybe("Identifies the state of the tree; not a time of day.", text()),
        "Content-Disposition": always("The name of the file.", text()),
        "Repr-Digest": always("The sha256 in the format of RFC 9530.", text()),
        "Set-Cookie": maybe("Sets or deletes the session cookie.", text()),
        "X-Revision": maybe("The revision of the write; absent if nothing changed.", count()),
        "X-Mirror-Lag": maybe("By how many revisions the tree is behind; absent if it contains the change.", count()),
        "Preference-Applied": maybe("`wait` or `respond-async`, if the request preferred that.", text()),
        "RateLimit-Limit": maybe("The number of writes per minute.", count()),
        "RateLimit-Remaining": maybe("The number of writes that are left.", count()),
        "RateLimit-Reset": maybe("Seconds until all writes are available again.", count()),
    })
}
