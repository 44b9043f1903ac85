//! Only `server::problem` decides which status an error has.

use std::sync::LazyLock;

use regex::Regex;

use super::floors::is_of;
use super::source::rust;
use super::{assert_none, lines};

/// The module that turns errors into status codes.
const OWNER: &str = "server/src/problem/";

/// Statuses that are not errors. Any handler may name them.
const SUCCESSES: &[&str] = &[
    "OK",
    "CREATED",
    "ACCEPTED",
    "NO_CONTENT",
    "PARTIAL_CONTENT",
    "SEE_OTHER",
    "NOT_MODIFIED",
    "PERMANENT_REDIRECT",
];

#[test]
fn only_problem_names_error_statuses() {
    let mut sources: Vec<_> = ["server/", "src/", "generator/"].into_iter().flat_map(rust).collect();
    let all = sources.len();
    sources.retain(|source| !is_of(OWNER, source));
    assert!(sources.len() < all, "{OWNER} does not exist");
    assert_none("only server::problem names error statuses", &lines(&sources, names_an_error_status));
}

/// Ways to make a status from a number, or to give `StatusCode` another name under which
/// this rule would not find it.
static INDIRECT: LazyLock<Regex> = LazyLock::new(|| {
    let pattern = r"(?x)
        \bStatusCode\s+as\b                    # use hyper::StatusCode as S;
        | \btype\b[^=]*=.*\bStatusCode\b       # type S = hyper::StatusCode;
        | \bStatusCode\s*>\s*::                # <StatusCode>::NOT_FOUND
        | \bStatusCode::(\{|\*)                # use hyper::StatusCode::{…};
        | \bStatusCode::(from|try_from)         # StatusCode::from_u16(404)
        | \bstatus\(\s*[0-9]                    # Response::builder().status(404)
    ";
    Regex::new(pattern).unwrap()
});

static STATUS: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"\bStatusCode::([A-Z][A-Z0-9_]*)\b").unwrap());

/// Whether `line` names an error status, or could do so under another name.
fn names_an_error_status(line: &str) -> bool {
    INDIRECT.is_match(line) || STATUS.captures_iter(line).any(|found| !SUCCESSES.contains(&&found[1]))
}

#[test]
fn error_status_under_any_name_is_found() {
    for line in [
        "Err(StatusCode::NOT_FOUND)",
        "StatusCode::from_u16(n)",
        "StatusCode::from_bytes(b\"404\")",
        "StatusCode::try_from(404)",
        "use StatusCode as S;",
        "use hyper::{Method, StatusCode as S};",
        "use hyper::StatusCode::NOT_FOUND;",
        "use hyper::StatusCode::{NOT_FOUND, GONE};",
        "use hyper::StatusCode::*;",
        "type Status = hyper::StatusCode;",
        "<StatusCode>::GONE",
        "Response::builder().status(404)",
        "if ok { StatusCode::OK } else { StatusCode::GONE }",
    ] {
        assert!(names_an_error_status(line), "{line}");
    }
    for line in [
        "use hyper::{Method, StatusCode};",
        "StatusCode::CREATED",
        "fn json(status: StatusCode) -> Response",
        "response.status()",
        "response.status().as_u16()",
    ] {
        assert!(!names_an_error_status(line), "{line}");
    }
}
