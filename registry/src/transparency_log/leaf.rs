//! The leaves of the log.

use std::fmt;
use std::str::FromStr;

use tlog_tiles::{Hash, record_hash};

use crate::names::Digest;
use crate::public::{PublicRow, Revision};

/// What the log says of a public row: `skillmirror.row/1 {revision} {sha256}` and a line feed. The
/// sha256 is that of the row's JSON, in lower-case hexadecimal digits.
///
/// This text never changes: signed checkpoints cover it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Leaf {
    /// The row's number.
    pub revision: Revision,
    /// The sha256 of the row's JSON.
    pub digest: Digest,
}

impl Leaf {
    /// The leaf's hash in the tree (RFC 6962, section 2.1).
    pub fn hash(&self) -> Hash {
        record_hash(self.to_string().as_bytes())
    }
}

impl From<&PublicRow> for Leaf {
    fn from(row: &PublicRow) -> Self {
        Self { revision: row.revision, digest: row.digest }
    }
}

impl fmt::Display for Leaf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "skillmirror.row/1 {} {}", self.revision, self.digest)
    }
}

/// A text is not a leaf.
#[derive(Debug, thiserror::Error)]
#[error("this is not a leaf of a registry's log")]
pub struct LeafError;

impl FromStr for Leaf {
    type Err = LeafError;

    fn from_str(text: &str) -> Result<Self, LeafError> {
        let parse = || {
            let (revision, digest) =
                text.strip_prefix("skillmirror.row/1 ")?.strip_suffix('\n')?.split_once(' ')?;
            Some(Self { revision: revision.parse().ok()?, digest: digest.parse().ok()? })
        };
        // A leaf has one spelling.
        parse().filter(|leaf| leaf.to_string() == text).ok_or(LeafError)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The hash comes from Python's `hashlib`, not from this code.
    #[test]
    fn leaf_of_a_known_row_is_fixed() {
        let leaf = Leaf { revision: 7, digest: Digest::of(br#"{"revision":7}"#) };
        let sha256 = "828fcfa39b8bc9c97cff33efbcb4be0d53d672d2bba89f625fd374c04cc397e7";
        assert_eq!(leaf.to_string(), format!("skillmirror.row/1 7 {sha256}\n"));
        assert_eq!(
            data_encoding::HEXLOWER.encode(&leaf.hash().0),
            "4f98ae268b9bbfabd18e71d2f4834c9c319766f4165e2768a12f98ee2cab2ee5"
        );
    }

    #[test]
    fn leaf_has_one_spelling() {
        let leaf = Leaf { revision: 7, digest: Digest::of(b"") };
        let text = leaf.to_string();
        assert_eq!(text.parse::<Leaf>().unwrap(), leaf);
        let upper = text.replace('b', "B");
        for other in ["", "\n", &text[1..], &text[..text.len() - 1], &text.replace(" 7 ", " +7 "), &upper] {
            assert!(other.parse::<Leaf>().is_err(), "{other}");
        }
    }
}
