//! What the operations share: problems, headers, credentials.

use serde_json::{Map, Value, json};

use super::parameters;
use super::schemas::Schemas;
use crate::problem::{self, Code};

/// The part of the document that the others refer to.
pub(super) fn all(mut schemas: Schemas) -> Result<Value, String> {
    let problem = schemas.sent::<problem::Document<'_>>();
    let responses: Map<_, _> =
        Code::ALL.into_iter().map(|code| (name(code), response(code, &problem))).collect();
    Ok(json!({
        "schemas": schemas.into_definitions()?,
        "parameters": parameters::components(),
        "headers": headers(),
        "responses": responses,
        "securitySchemes": {
            "token": {
                "type": "http",
                "scheme": "bearer",
                "description": "An API token: `Authorization: Bearer smt_…`. Operations name the scope that they need."
            },
            "session": {
                "type": "apiKey",
                "in": "cookie",
                "name": "skillmirror_session",
                "description": "The cookie of a login, with every scope; `__Host-skillmirror_session` \
                    where the public URL is https. A write needs an `Origin` equal to the public URL."
            }
        }
    }))
}

fn name(code: Code) -> String {
    format!("{code:?}")
}

/// A reference to the problem's response.
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
    let own = match code {
        Code::Unauthenticated => "WWW-Authenticate",
        Code::MethodNotAllowed => "Allow",
        Code::RangeNotSatisfiable => "Content-Range",
        Code::RateLimited | Code::Unavailable => "Retry-After",
        Code::InvalidRequest
        | Code::Forbidden
        | Code::NotFound
        | Code::Conflict
        | Code::Gone
        | Code::TooLarge
        | Code::UnsupportedMediaType
        | Code::InvalidPackage
        | Code::Internal => "X-Request-Id",
    };
    json!({
        "description": code.title(),
        "headers": named(&["X-Request-Id", own]),
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
        "X-Request-Id": always("The request's name in the log.", text()),
        "WWW-Authenticate": always("`Bearer`, and what is wrong with the one that was sent.", text()),
        "Allow": always("The methods there are.", text()),
        "Retry-After": always("Seconds to wait.", json!({ "type": "integer", "minimum": 1 })),
        "Content-Range": always("Which bytes these are, of how many.", text()),
        "ETag": always("The sha256 of the representation, in quotes.", text()),
        "Accept-Ranges": always("`bytes`.", text()),
        "Cache-Control": always("How long it may be kept.", text()),
        "Last-Modified": maybe("Which state of the tree this is; no time of day.", text()),
        "Content-Disposition": always("The name of the file.", text()),
        "Repr-Digest": always("The sha256 again, as RFC 9530 wants it.", text()),
        "Set-Cookie": maybe("The session's cookie, or that it is taken back.", text()),
        "X-Revision": maybe("The revision that the write made; absent where nothing had to change.", count()),
        "X-Mirror-Lag": maybe("By how many revisions the tree is behind; absent where it holds the change.", count()),
        "RateLimit-Limit": maybe("How many writes there may be in a minute.", count()),
        "RateLimit-Remaining": maybe("How many are left.", count()),
        "RateLimit-Reset": maybe("In how many seconds all of them are there again.", count()),
    })
}
