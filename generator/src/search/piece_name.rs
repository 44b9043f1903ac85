//! The name of a piece of the index.

use std::fmt;
use std::str::FromStr;

use registry::names::Digest;

/// The first 8 bytes of the sha256 of a piece's bytes; its text is 16
/// hexadecimal digits in lower case.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PieceName(pub [u8; 8]);

impl PieceName {
    /// The name of a piece with these bytes.
    pub fn of(bytes: &[u8]) -> Self {
        let mut name = [0; 8];
        name.copy_from_slice(&Digest::of(bytes).as_bytes()[..8]);
        Self(name)
    }
}

impl fmt::Display for PieceName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl FromStr for PieceName {
    type Err = NoPiece;

    fn from_str(text: &str) -> Result<Self, NoPiece> {
        let is_plain = text.len() == 16 && text.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'));
        let number = u64::from_str_radix(text, 16).ok().filter(|_| is_plain).ok_or(NoPiece)?;
        Ok(Self(number.to_be_bytes()))
    }
}

/// A text is not the name of a piece.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a piece's name is 16 hexadecimal digits in lower case")]
pub struct NoPiece;
