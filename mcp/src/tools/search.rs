//! `search_skills`.

use generator::address::MAX_QUERY_LENGTH;
use rmcp::model::{CallToolResult, Tool};
use serde_json::{Value, json};

use super::{Arguments, record};
use crate::failure::Failure;
use crate::reader::Reader;
use crate::source::{SearchRequest, SearchResult, SearchResults};

pub(super) const NAME: &str = "search_skills";

/// The default number of results.
const DEFAULT_LIMIT: u8 = 10;

/// The largest number of results.
const MAX_LIMIT: u8 = 50;

pub(super) fn tool() -> Tool {
    let description = "Finds skills by words of their name, keywords, description or headings; the best match comes \
                       first. If few skills have the words, others with a similar meaning follow: read what they do \
                       before you install one. Returns names, descriptions and versions. show_skill shows one.";
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
    let query = arguments.text("query").unwrap_or_default().to_owned();
    let namespace = arguments.text("namespace").map(str::parse).transpose();
    let namespace = namespace
        .map_err(|why| Failure::Invalid(format!("`namespace` is not the name of a namespace: {why}")))?;
    let limit = arguments.number("limit").and_then(|limit| u8::try_from(limit).ok()).unwrap_or(DEFAULT_LIMIT);
    let request = SearchRequest { query, namespace, limit };
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
