//! The digest chain: each row's link vouches for it and for all before it.
//!
//! `link(n)` is the SHA-256 over, in this order and with nothing between:
//!
//! | bytes | what |
//! |---|---|
//! | 32 | `link(n - 1)`; 32 zero bytes for the first row |
//! | 8 | the revision, unsigned, big-endian |
//! | 8 | the time in Unix seconds, signed, big-endian |
//! | 8 + length | the length of the private JSON in bytes, unsigned, big-endian; then its UTF-8 |
//! | 1 | 0 where the row has no public part, else 1 |
//! | 8 + length | only after a 1: the public JSON, framed like the private one |
//!
//! Every length stands before its text, so no two histories feed the same
//! bytes. A chain finds a row that was changed, moved or taken out, not the
//! loss of the last rows: for that, somebody has to remember the last link.

use super::Row;
use crate::names::{Digest, DigestBuilder};

/// The link before the first row.
pub(super) fn root() -> Digest {
    Digest::from([0; 32])
}

/// The link of `row`, whose predecessor's is `previous`.
pub(super) fn link(previous: Digest, row: &Row) -> Digest {
    let mut digest = DigestBuilder::default();
    digest.update(previous.as_bytes());
    digest.update(&row.revision.to_be_bytes());
    digest.update(&row.at.as_unix().to_be_bytes());
    feed_text(&mut digest, &row.private);
    match &row.public {
        None => digest.update(&[0]),
        Some(public) => {
            digest.update(&[1]);
            feed_text(&mut digest, public);
        }
    }
    digest.finish()
}

fn feed_text(digest: &mut DigestBuilder, text: &str) {
    // A usize has at most 64 bits on every platform of Rust.
    digest.update(&(text.len() as u64).to_be_bytes());
    digest.update(text.as_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::time::Timestamp;

    fn row(revision: u64, private: &str, public: Option<&str>) -> Row {
        let at = Timestamp::from_unix(1_769_860_800).unwrap();
        Row { revision, at, private: private.into(), public: public.map(Into::into) }
    }

    /// The values come from Python's `hashlib` and `struct.pack(">32sQq…")`,
    /// not from this code: the format may never change.
    #[test]
    fn link_of_known_rows_is_fixed() {
        let first = link(root(), &row(1, r#"{"kind":"é"}"#, None));
        assert_eq!(first.to_string(), "59b05e8253ae0702008c4355874b06e987953b3f55ebb28edaa3bf4de1e3e568");
        let second = link(first, &row(2, "{}", Some("{}")));
        assert_eq!(second.to_string(), "e531f136a47545682394c41619594ad6810ca17cf14bc8872535fe1b983bf91b");
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
