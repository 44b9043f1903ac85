//! Searching and listing skills.

use generator::render::clawhub::{LIST_SIZE, list as list_of, prefixed, search as results};
use registry::public::Sort;

use super::*;
use generator::address::MAX_QUERY_LENGTH;

/// The most skills in an answer.
const MAX_SIZE: usize = 200;

/// `?q=&limit=`, and `mode=exact` for skills with that slug or name only.
pub(super) fn search(asked: &Asked<'_>) -> Result<Answer, Problem> {
    let q = asked.parameter("q").unwrap_or_default();
    if q.chars().count() > MAX_QUERY_LENGTH {
        return Err(Problem::invalid(format!(
            "The query is longer than {MAX_QUERY_LENGTH} characters: leave some words out."
        )));
    }
    let is_exact = asked.parameter("mode").as_deref() == Some("exact");
    let limit = asked.limit(LIST_SIZE, MAX_SIZE);
    Ok(Answer::Json(asked.reader.read(|context| results(context, &q, limit, is_exact))))
}

/// `?limit=&sort=`, and `prefix=&limit=&cursor=` for the skills whose slugs begin with a text.
pub(super) fn list(asked: &Asked<'_>) -> Result<Answer, Problem> {
    let limit = asked.limit(LIST_SIZE, MAX_SIZE);
    if let Some(prefix) = asked.parameter("prefix") {
        let (prefix, cursor) = (prefix.to_lowercase(), asked.parameter("cursor").unwrap_or_default());
        let page = asked.reader.read(|context| prefixed(context.catalog, &prefix, limit, &cursor));
        return Ok(Answer::Json(page));
    }
    let sort = order(asked.parameter("sort").as_deref());
    if limit == LIST_SIZE {
        return Ok(Answer::Document(Document::Clawhub(ClawhubDocument::Skills(sort))));
    }
    Ok(Answer::Json(asked.reader.read(|context| list_of(context.catalog, sort, limit))))
}

/// The order that a client asks for. The registry counts downloads instead of installations.
fn order(sort: Option<&str>) -> Sort {
    match sort {
        Some("createdAt") => Sort::Created,
        Some("downloads" | "trending" | "installs" | "installsCurrent" | "installsAllTime") => {
            Sort::Downloads
        }
        Some("stars") => Sort::Stars,
        _ => Sort::Updated,
    }
}
