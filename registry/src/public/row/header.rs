//! Reads the first members of a stored public row.

use std::borrow::Cow;
use std::fmt;

use serde::de::{Error as _, IgnoredAny, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};

use crate::public::Revision;
use crate::time::Timestamp;

/// The members that say how to decode the rest of a row.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct RowHeader<'a> {
    pub revision: Revision,
    pub at: Timestamp,
    pub kind: Cow<'a, str>,
    pub v: u32,
}

impl<'a> RowHeader<'a> {
    /// Reads the header of a row and stops. The header is written first, and a
    /// start reads hundreds of thousands of rows. Decoding the body checks the
    /// rest.
    pub(super) fn read(json: &'a str) -> serde_json::Result<Self> {
        let mut found = None;
        let read = serde_json::Deserializer::from_str(json).deserialize_map(Members(&mut found));
        match found {
            // Stopping inside a map is an error, but not an error of the row.
            Some(header) => Ok(header),
            None => Err(read.err().unwrap_or_else(|| serde_json::Error::custom("the row has no header"))),
        }
    }
}

struct Members<'f, 'a>(&'f mut Option<RowHeader<'a>>);

impl<'de> Visitor<'de> for Members<'_, 'de> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object with `revision`, `at`, `kind` and `v`")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        #[derive(Deserialize)]
        struct Text<'a>(#[serde(borrow)] Cow<'a, str>);
        let (mut revision, mut at, mut kind, mut v) = (None, None, None, None);
        while let Some(Text(key)) = map.next_key()? {
            match &*key {
                "revision" => revision = Some(map.next_value()?),
                "at" => at = Some(map.next_value()?),
                "kind" => kind = Some(map.next_value::<Text<'de>>()?.0),
                "v" => v = Some(map.next_value()?),
                _ => {
                    map.next_value::<IgnoredAny>()?;
                }
            }
            if let (Some(revision), Some(at), Some(_), Some(v)) = (revision, at, &kind, v) {
                let kind = kind.unwrap_or_default();
                *self.0 = Some(RowHeader { revision, at, kind, v });
                return Ok(());
            }
        }
        let missing = [
            ("revision", revision.is_none()),
            ("at", at.is_none()),
            ("kind", kind.is_none()),
            ("v", v.is_none()),
        ];
        let named = missing.iter().filter(|(_, is_missing)| *is_missing).map(|(name, _)| *name);
        Err(A::Error::custom(format!("it has no {}", named.collect::<Vec<_>>().join(", "))))
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn read_finds_the_header_anywhere() {
        let header = r#""revision":7,"at":"2026-01-31T12:00:00Z","kind":"published","v":1"#;
        let expected = RowHeader {
            revision: 7,
            at: "2026-01-31T12:00:00Z".parse().unwrap(),
            kind: "published".into(),
            v: 1,
        };
        for row in [
            format!("{{{header}}}"),
            format!("{{{header},\"x\":[1]}}"),
            format!("{{\"x\":{{\"v\":2}},{header}}}"),
        ] {
            assert_eq!(RowHeader::read(&row).unwrap(), expected, "{row}");
        }
    }

    #[test]
    fn read_names_missing_members() {
        let why = |row: &str| RowHeader::read(row).unwrap_err().to_string();
        assert!(why(r#"{"revision":7,"kind":"published"}"#).starts_with("it has no at, v"));
        assert!(why(r#"{"revision":7,"#).contains("EOF"));
        assert!(why("[]").contains("an object with `revision`"));
    }
}
