//! The ids of skills, versions, reviews and tokens.

use std::fmt;
use std::str::FromStr;

use crate::names::NameError;
use crate::public::Revision;

/// The revision of the journal row that created a thing. As text it is decimal.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Id(pub Revision);

impl FromStr for Id {
    type Err = NameError;

    fn from_str(text: &str) -> Result<Self, NameError> {
        let canonical = !text.starts_with(['0', '+']);
        let number = text.parse().ok().filter(|_| canonical);
        number.map(Self).ok_or_else(|| NameError::new("an id is a decimal number"))
    }
}

impl fmt::Display for Id {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

crate::names::text_forms!(Id);
