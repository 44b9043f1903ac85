//! Parses the parameters of a request.

use std::fmt::Display;
use std::str::FromStr;

use crate::search::Query;

/// The default number of items on a page of a list.
pub const DEFAULT_SIZE: u64 = 20;

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
    let mut pairs = form_urlencoded::parse(query.as_bytes());
    pairs.find(|(key, _)| key == name).map(|(_, value)| value.into_owned()).filter(|value| !value.is_empty())
}

/// The decoded value of a parameter that chooses what is answered. An empty one is an error: it
/// comes from an unset variable of a script, which would get something else than it means.
pub(crate) fn choice(query: &str, field: &'static str) -> Result<Option<String>, QueryError> {
    let mut pairs = form_urlencoded::parse(query.as_bytes());
    match pairs.find(|(key, _)| key == field) {
        Some((_, value)) if value.is_empty() => {
            Err(QueryError { field, message: "it is empty: give it a value, or leave it out".into() })
        }
        found => Ok(found.map(|(_, value)| value.into_owned())),
    }
}

/// The page number and page size that a query asks for.
pub fn paging(query: &str) -> Result<(u64, u64), QueryError> {
    Ok((number(query, "page", 1, MAX_PAGES)?, number(query, "size", DEFAULT_SIZE, 100)?))
}

/// The largest page number: the largest integer that every JSON client can hold.
pub(crate) const MAX_PAGES: u64 = (1 << 53) - 1;

pub(crate) fn number(query: &str, field: &'static str, default: u64, max: u64) -> Result<u64, QueryError> {
    let Some(text) = parameter(query, field) else { return Ok(default) };
    let is_plain = text.bytes().all(|byte| byte.is_ascii_digit());
    let number = text.parse().ok().filter(|number| is_plain && (1..=max).contains(number));
    let message = || format!("it must be a whole number from 1 to {max}");
    number.ok_or_else(|| QueryError { field, message: message() })
}

/// A parameter, parsed. An empty one counts as absent.
pub fn parsed<T: FromStr<Err: Display>>(query: &str, field: &'static str) -> Result<Option<T>, QueryError> {
    let parsed = parameter(query, field).map(|text| text.parse()).transpose();
    parsed.map_err(|why: T::Err| QueryError { field, message: why.to_string() })
}

/// The longest search query, in characters.
pub const MAX_QUERY_LENGTH: usize = 200;

/// A search query, trimmed and in lower case. `None` if it has no words or is absent.
pub(crate) fn words(query: &str, field: &'static str) -> Result<Option<String>, QueryError> {
    let text = parameter(query, field).map(|text| text.trim().to_lowercase()).unwrap_or_default();
    if text.chars().count() > MAX_QUERY_LENGTH {
        let message = format!("it must have at most {MAX_QUERY_LENGTH} characters: leave some words out");
        return Err(QueryError { field, message });
    }
    Ok(Some(text).filter(|text| !Query::new(text).is_blank()))
}

/// Parses a page number in a path, under the same limit as the parameter `page`.
pub(crate) fn page_number(text: &str) -> Option<u64> {
    text.parse().ok().filter(|page| (1..=MAX_PAGES).contains(page))
}
