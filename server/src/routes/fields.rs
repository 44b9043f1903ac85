//! Reading fields of queries and bodies.

use std::fmt::Display;
use std::str::FromStr;

use generator::address::paging;
use registry::private::Score;
use registry::public::record::Page;

use crate::problem::Problem;

/// Reads a field's text as what it should be.
pub(super) fn parse_field<T: FromStr>(field: &'static str, text: &str) -> Result<T, Problem>
where
    T::Err: Display,
{
    text.parse().map_err(|why: T::Err| Problem::invalid_field(field, why.to_string()))
}

/// Reads a rating.
pub(super) fn parse_score(score: &serde_json::Number) -> Result<Score, Problem> {
    let read = score.as_u64().and_then(|score| u8::try_from(score).ok());
    let read = read.and_then(|score| Score::try_from(score).ok());
    read.ok_or_else(|| Problem::invalid_field("score", "it is a whole number from 1 to 5"))
}

/// The page of `all` that a query asks for.
pub(super) fn page_of<T>(query: &str, all: Vec<T>) -> Result<Page<T>, Problem> {
    let (page, size) = paging(query)?;
    let total = all.len();
    let skip = usize::try_from((page - 1).saturating_mul(size)).unwrap_or(usize::MAX);
    let take = usize::try_from(size).unwrap_or(usize::MAX);
    Ok(Page { items: all.into_iter().skip(skip).take(take).collect(), total, page, size })
}
