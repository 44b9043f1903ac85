//! Beginnings of slugs, which divide the web pages of a namespace.

use std::fmt;
use std::str::FromStr;

use registry::names::Coordinate;

/// The longest beginning: as long as a slug may be.
const MAX_PREFIX: usize = 64;

/// The beginning of slugs, with at least one character.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Prefix(String);

impl Prefix {
    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }

    /// All beginnings of a slug, the shortest first.
    pub(crate) fn all_of(c: &Coordinate) -> impl Iterator<Item = Self> {
        (1..=c.slug.as_str().len()).map(|end| Self(c.slug.as_str()[..end].to_owned()))
    }
}

impl FromStr for Prefix {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let is_label = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-';
        let is_valid = (1..=MAX_PREFIX).contains(&text.len())
            && text.bytes().all(is_label)
            && !text.starts_with('-')
            && !text.contains("--");
        if is_valid { Ok(Self(text.to_owned())) } else { Err(()) }
    }
}

impl fmt::Display for Prefix {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
