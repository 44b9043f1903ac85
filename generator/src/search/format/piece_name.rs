//! Names of pieces.

use std::fmt;
use std::str::FromStr;

use registry::names::Digest;

/// The first 8 bytes of the sha256 of a piece. As text, 16 hexadecimal digits in lower
/// case.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PieceName(pub [u8; 8]);

impl PieceName {
    /// The name of the piece with these bytes.
    pub fn of(bytes: &[u8]) -> Self {
        let mut name = [0; 8];
        name.copy_from_slice(&Digest::of(bytes).as_bytes()[..8]);
        Self(name)
    }
}

impl fmt::Display for PieceName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", u64::from_be_bytes(self.0))
    }
}

impl FromStr for PieceName {
    type Err = InvalidPieceName;

    fn from_str(text: &str) -> Result<Self, InvalidPieceName> {
        let number = u64::from_str_radix(text, 16).map_err(|_| InvalidPieceName)?;
        let name = Self(number.to_be_bytes());
        // Digits in upper case, a sign or another number of digits are a different text.
        if name.to_string() == text { Ok(name) } else { Err(InvalidPieceName) }
    }
}

/// A text is not the name of a piece.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the name of a piece must be 16 hexadecimal digits in lower case")]
pub struct InvalidPieceName;
