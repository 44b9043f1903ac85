//! Queries that files answer.

use registry::public::Sort;
use serde::Serialize;

use crate::address::DEFAULT_SIZE;

/// A query that files answer. A host uses it only if the whole query consists of its parameters with
/// plain values. A value gets into a path only if it matches the parameter's expression, so no
/// request can name a file outside of the tree.
#[derive(Debug, Clone, Serialize)]
pub(super) struct Query {
    /// A name for variables in configurations.
    pub name: &'static str,
    /// What it asks for.
    pub about: &'static str,
    /// The expression for its path.
    pub path: &'static str,
    /// Its parameters.
    pub parameters: Vec<Parameter>,
    /// The path of the file, with `{name}` for each parameter and `{path}` for the path of the request.
    pub file: &'static str,
}

/// A parameter of a query.
#[derive(Debug, Clone, Serialize)]
pub(super) struct Parameter {
    /// Its name.
    pub name: &'static str,
    /// The expression for the values that files have.
    pub values: String,
    /// The text in the path for a request without the parameter.
    pub default: &'static str,
    /// The text in the path before the value. None if the value is not in the path.
    pub before: Option<&'static str>,
}

/// The expression for plain values: the characters of names. Other values are encoded or empty, and
/// no file has them.
pub(super) const PLAIN: &str = "[A-Za-z0-9._-]+";

const NAME: &str = "[a-z0-9][a-z0-9-]*";
const WORD: &str = "[a-z0-9]+";
const PAGE: &str = "[1-9][0-9]*";
const VERSION: &str = "[0-9A-Za-z][0-9A-Za-z.-]*";
/// How many skills the lists for ClawHub clients have.
const CLAWHUB_SIZE: u64 = 25;
const TAG: &str = "[a-z0-9][a-z0-9._-]*";

fn parameter(name: &'static str, values: impl Into<String>, default: &'static str) -> Parameter {
    Parameter { name, values: values.into(), default, before: Some("") }
}

/// A parameter that a request has to have.
fn required(name: &'static str, values: &str) -> Parameter {
    Parameter { name, values: values.into(), default: "/_none", before: Some("") }
}

/// A parameter that may only have its default value, because no file has another.
fn fixed(name: &'static str, value: u64) -> Parameter {
    Parameter { name, values: value.to_string(), default: "", before: None }
}

/// A parameter whose value follows a text in the path. Without it, the path has neither.
fn after(before: &'static str, name: &'static str, values: &str) -> Parameter {
    Parameter { name, values: values.into(), default: "", before: Some(before) }
}

/// All queries that files answer.
pub(super) fn queries() -> Vec<Query> {
    let sorts = Sort::ALL.map(Sort::as_str).join("|");
    let query = |name, about, path, parameters, file| Query { name, about, path, parameters, file };
    vec![
        query(
            "skills",
            "lists of skills",
            "/api/v1/skills",
            vec![
                parameter("namespace", NAME, "_all"),
                parameter("sort", sorts, Sort::Updated.as_str()),
                parameter("page", PAGE, "1"),
                fixed("size", DEFAULT_SIZE),
            ],
            "{path}/_list/{namespace}/{sort}-{page}{size}.json",
        ),
        query(
            "namespaces",
            "the list of namespaces",
            "/api/v1/namespaces",
            vec![parameter("page", PAGE, "1"), fixed("size", DEFAULT_SIZE)],
            "{path}/_list/{page}{size}.json",
        ),
        query(
            "search",
            "a search for one word",
            "/api/v1/search",
            vec![after("/_q/", "q", WORD), fixed("page", 1), fixed("limit", DEFAULT_SIZE)],
            "{path}{q}{page}{limit}.json",
        ),
        query(
            "find",
            "a search of npx skills for one word",
            "/api/search",
            vec![after("/_q/", "q", WORD), fixed("limit", DEFAULT_SIZE)],
            "{path}{q}{limit}.json",
        ),
        query(
            "tag",
            "what a tag resolves to",
            "/api/v1/skills/[a-z0-9-]+/[a-z0-9-]+/resolve",
            vec![after("/", "tag", TAG)],
            "{path}{tag}.json",
        ),
        query(
            "slug",
            "what a skill resolves to, for clients of others",
            "/api/v1/resolve",
            vec![after("/", "slug", NAME)],
            "{path}{slug}.json",
        ),
        query(
            "clawhub_skills",
            "the list of skills that ClawHub clients ask for",
            "/clawhub/api/v1/skills",
            vec![fixed("limit", CLAWHUB_SIZE)],
            "{path}{limit}.json",
        ),
        query(
            "clawhub_download",
            "a package for ClawHub clients",
            "/clawhub/api/v1/download",
            vec![required("slug", NAME), required("version", VERSION)],
            "/api/v1/download/{slug}/{version}.zip",
        ),
    ]
}
