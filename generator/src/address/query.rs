//! Parses the parameters of a request.

use registry::names::Namespace;
use registry::public::Sort;

use super::{DEFAULT_SIZE, Document, KeywordList, SearchPage, SkillList};
use crate::search::Query;

/// A parameter is invalid.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{field}: {message}")]
pub struct QueryError {
    /// The parameter's name.
    pub field: &'static str,
    /// The cause and the remedy; `it` is the parameter.
    pub message: String,
}

/// The decoded value of a parameter. The first of several counts; an empty one counts as absent.
pub fn parameter(query: &str, name: &str) -> Option<String> {
    Parameters(query).get(name)
}

/// The page number and page size that a query asks for.
pub fn paging(query: &str) -> Result<(u64, u64), QueryError> {
    let query = Parameters(query);
    Ok((query.number("page", 1, MAX_PAGES)?, query.number("size", DEFAULT_SIZE, 100)?))
}

/// The largest page number: the largest integer that every JSON client can hold.
pub(super) const MAX_PAGES: u64 = (1 << 53) - 1;

/// A raw query string.
pub(super) struct Parameters<'a>(pub &'a str);

impl Parameters<'_> {
    /// The decoded value of a parameter; an empty one counts as absent.
    pub(super) fn get(&self, name: &str) -> Option<String> {
        let pairs = form_urlencoded::parse(self.0.as_bytes());
        let mut values = pairs.filter(|(key, _)| key == name).map(|(_, value)| value);
        values.next().filter(|value| !value.is_empty()).map(Into::into)
    }

    fn number(&self, field: &'static str, default: u64, max: u64) -> Result<u64, QueryError> {
        let Some(text) = self.get(field) else { return Ok(default) };
        let is_plain = text.bytes().all(|byte| byte.is_ascii_digit());
        let number = text.parse::<u64>().ok().filter(|number| is_plain && (1..=max).contains(number));
        number.ok_or_else(|| QueryError {
            field,
            message: format!("it must be a whole number from 1 to {max}"),
        })
    }
}

/// The longest search query, in characters.
pub const MAX_QUERY_LENGTH: usize = 200;

/// A search query, trimmed and in lower case. `None` if it has no words or is absent.
fn words(query: &Parameters<'_>, field: &'static str) -> Result<Option<String>, QueryError> {
    let text = query.get(field).map(|text| text.trim().to_lowercase()).unwrap_or_default();
    if text.chars().count() > MAX_QUERY_LENGTH {
        let message = format!("it must have at most {MAX_QUERY_LENGTH} characters: leave some words out");
        return Err(QueryError { field, message });
    }
    Ok(Some(text).filter(|text| !Query::new(text).is_blank()))
}

/// The document that a request for `/api/v1/search` asks for.
pub(super) fn search(query: &Parameters<'_>) -> Result<Document, QueryError> {
    let q = words(query, "q")?.unwrap_or_default();
    let page = query.number("page", 1, MAX_PAGES)?;
    let limit = query.number("limit", DEFAULT_SIZE, 100)?;
    let page = SearchPage { q, page, limit };
    Ok(if page == SearchPage::default_page() { Document::Search } else { Document::SearchPage(page) })
}

/// The document that a request for `/api/v1/skills` asks for.
pub(super) fn skill_list(query: &Parameters<'_>) -> Result<Document, QueryError> {
    let sort = query.get("sort").map(|text| text.parse::<Sort>()).transpose();
    let sort = sort.map_err(|why| QueryError { field: "sort", message: why.to_string() })?;
    let (page, size) = paging(query.0)?;
    let namespace = match query.get("namespace") {
        None => None,
        Some(text) => Some(
            text.parse::<Namespace>()
                .map_err(|why| QueryError { field: "namespace", message: why.to_string() })?,
        ),
    };
    if let Some(keyword) = words(query, "keyword")? {
        return Ok(Document::KeywordList(KeywordList { keyword, namespace, sort, page, size }));
    }
    let sort = sort.unwrap_or(Sort::Updated);
    let list = SkillList { namespace, sort, page, size };
    Ok(if list == SkillList::default_page() { Document::Skills } else { Document::SkillList(list) })
}
