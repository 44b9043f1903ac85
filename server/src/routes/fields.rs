//! Parsing of fields of queries, forms and bodies.

use std::fmt::Display;
use std::str::FromStr;

use crate::problem::Problem;

/// Parses the text of a field. 400 if it is not a valid `T`.
pub(super) fn parse_field<T: FromStr<Err: Display>>(field: &'static str, text: &str) -> Result<T, Problem> {
    text.parse().map_err(|why: T::Err| Problem::invalid_field(field, why.to_string()))
}
