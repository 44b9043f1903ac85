//! The digest chain: each row's link vouches for it and for all before it.
//!
//! `link(n)` is the SHA-256 over, in this order and with nothing between:
//!
//! | bytes | what |
//! |---|---|
//! | 32 | `link(n - 1)`; 32 zero bytes for the first row |
//! | 8 | the revision, unsigned, big-endian |
//! | 8 | the time in Unix seconds, signed, big-endian |
//! | 32 | the SHA-256 of the private JSON |
//! | 1 | 0 where the row has no public part, else 1 |
//! | 32 | only after a 1: the SHA-256 of the public JSON, as in the transparency log |
//!
//! Every field has a fixed length, so no two histories give the same bytes.
//! A chain finds a row that was changed, moved or taken out, not the
//! loss of the last rows: for that, somebody has to remember the last link.

use super::Row;
use crate::names::{Digest, DigestBuilder};
use crate::public::redacted::digest_of;

/// The link before the first row.
pub fn root() -> Digest {
    Digest::from([0; 32])
}

/// The link of `row`, whose predecessor's is `previous`.
pub fn link(previous: Digest, row: &Row) -> Digest {
    let mut digest = DigestBuilder::default();
    digest.update(previous.as_bytes());
    digest.update(&row.revision.to_be_bytes());
    digest.update(&row.at.as_unix().to_be_bytes());
    digest.update(digest_of(&row.private).as_bytes());
    match &row.public {
        None => digest.update(&[0]),
        Some(public) => {
            digest.update(&[1]);
            digest.update(public.digest.as_bytes());
        }
    }
    digest.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::journal::PublicRow;
    use crate::time::Timestamp;

    fn row(revision: u64, private: &str, public: Option<&str>) -> Row {
        let at = Timestamp::from_unix(1_769_860_800).unwrap();
        Row {
            revision,
            at,
            private: private.into(),
            public: public.map(|json| PublicRow::new(revision, json.into())),
        }
    }

    /// The values come from Python's `hashlib` and `struct.pack(">32sQq32sB…")`,
    /// not from this code: the format may never change.
    #[test]
    fn link_of_known_rows_is_fixed() {
        let first = link(root(), &row(1, r#"{"kind":"é"}"#, None));
        assert_eq!(first.to_string(), "ddc4315917a778efcd00e84750ca74444c328794dcd1c1db4132239a23b5ed01");
        let second = link(first, &row(2, "{}", Some("{}")));
        assert_eq!(second.to_string(), "9d967acbb439a4a49059636a8f9a48cf3456841ad4a1c44c0ffb32dee8878dc5");
    }

    #[test]
    fn link_changes_when_bytes_move_between_fields() {
        let some = link(root(), &row(1, "ab", Some("c")));
        assert_ne!(some, link(root(), &row(1, "a", Some("bc"))));
        assert_ne!(link(root(), &row(1, "a", None)), link(root(), &row(1, "a", Some(""))));
        assert_ne!(some, link(root(), &row(2, "ab", Some("c"))));
        assert_ne!(some, link(some, &row(1, "ab", Some("c"))));
    }
}
