//! The problem documents that hosts send (RFC 9457).

use serde::Serialize;

/// The bodies of problem documents, as JSON in one line. They have no apostrophe and no `$`, so that
/// configurations can quote them.
#[derive(Debug, Serialize)]
pub(super) struct Problems {
    /// Nothing is at an address below `/api`.
    pub missing: String,
    /// No file answers a query.
    pub query: String,
    /// A read without a credential, if the registry is closed.
    pub closed: String,
    /// A request that writes, on a host without a server.
    pub read_only: String,
    /// A request that only the server answers, while the server is down.
    pub down: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Problem<'a> {
    #[serde(rename = "type")]
    kind: String,
    title: &'a str,
    status: u16,
    code: &'a str,
    detail: &'a str,
    request_id: &'a str,
}

fn problem(status: u16, code: &str, title: &str, detail: &str) -> String {
    let kind = format!("urn:skillmirror:problem:{code}");
    let problem = Problem { kind, title, status, code, detail, request_id: "-" };
    serde_json::to_string(&problem).unwrap_or_default()
}

impl Problems {
    pub fn new() -> Self {
        let missing = |detail| problem(404, "not_found", "Not found", detail);
        Self {
            missing: missing("There is nothing at this address: check the names, or list the skills."),
            query: missing(
                "This host only has files, and no file answers this query: ask the server of the registry, \
                 or search the index with search.js.",
            ),
            closed: problem(
                401,
                "unauthenticated",
                "Unauthenticated",
                "This requires a credential: send `Authorization: Bearer <key>`, or the key as the name of Basic.",
            ),
            read_only: problem(
                405,
                "method_not_allowed",
                "Method not allowed",
                "This host is read-only: send the request to the server of the registry.",
            ),
            down: problem(
                503,
                "read_only",
                "Read-only",
                "The registry is read-only at the moment, because its server does not answer. \
                 A change that was sent may be done or not. Reading goes on.",
            ),
        }
    }
}
