//! `search_skills`.

use generator::address::MAX_QUERY_LENGTH;
use registry::names::Namespace;
use rmcp::model::{CallToolResult, Tool};
use serde::Deserialize;
use serde_json::{Value, json};

use super::record;
use crate::failure::Failure;
use crate::reader::Reader;
use crate::records::{SearchResult, SearchResults};
use crate::source::SearchRequest;

pub(super) const NAME: &str = "search_skills";

/// The default number of results.
const DEFAULT_LIMIT: u8 = 10;

/// The largest number of results.
const MAX_LIMIT: u8 = 50;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Arguments {
    query: String,
    #[serde(default)]
    namespace: Option<Namespace>,
    /// Any number, so that a wrong one is refused with a sentence.
    #[serde(default)]
    limit: Option<i64>,
}

pub(super) fn tool() -> Tool {
    let description = "Finds skills by words of their name, keywords, description or headings; the best match \
                       comes first. Returns names, descriptions and versions. show_skill shows one of them.";
    let schema = json!({
        "type": "object",
        "properties": {
            "query": {
                "type": "string", "maxLength": MAX_QUERY_LENGTH,
                "description": "The words to search for. Without any, the most recently updated skills are found.",
            },
            "namespace": { "type": "string", "description": "Search only this namespace." },
            "limit": {
                "type": "integer", "minimum": 1, "maximum": MAX_LIMIT, "default": DEFAULT_LIMIT,
                "description": "The number of results.",
            },
        },
        "required": ["query"],
        "additionalProperties": false,
    });
    super::tool(NAME, "Search skills", description, schema)
}

pub(super) fn call(arguments: &Arguments, reader: &Reader) -> Result<CallToolResult, Failure> {
    let Arguments { query, namespace, limit } = arguments;
    let limit = limit.map_or(Some(DEFAULT_LIMIT), |limit| u8::try_from(limit).ok());
    let limit = limit.filter(|limit| (1..=MAX_LIMIT).contains(limit));
    let limit = limit
        .ok_or_else(|| Failure::Invalid(format!("`limit` must be a whole number from 1 to {MAX_LIMIT}")))?;
    if query.chars().count() > MAX_QUERY_LENGTH {
        let why = format!("`query` has more than {MAX_QUERY_LENGTH} characters: leave some words out");
        return Err(Failure::Invalid(why));
    }
    let request = SearchRequest { query: query.clone(), namespace: namespace.clone(), limit };
    let SearchResults { results, total } = reader.source.search(&request)?;
    let results: Vec<Value> = results.iter().take(limit.into()).map(shown).collect();
    Ok(record(json!({ "results": results, "total": total })))
}

fn shown(found: &SearchResult) -> Value {
    json!({
        "skill": found.slug.scoped(),
        "name": found.name,
        "description": found.description,
        "version": found.version,
        "downloads": found.download_count,
        "stars": found.star_count,
    })
}
