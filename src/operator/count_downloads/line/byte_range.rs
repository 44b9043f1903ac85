//! Parts of documents, as headers name them (RFC 9110, section 14).

/// A part of a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ByteRange {
    /// The first byte; None where the last so many bytes were asked for.
    pub start: Option<u64>,
    /// How many bytes it has, where that is said.
    pub length: Option<u64>,
}

/// Reads a `Range` (`bytes=0-99`) or a `Content-Range` (`bytes 0-99/1000`).
/// None for several parts, other units and the rest.
pub fn read(text: &str) -> Option<ByteRange> {
    let (unit, range) = text.trim().split_once(['=', ' '])?;
    if !unit.eq_ignore_ascii_case("bytes") {
        return None;
    }
    let range = range.split_once('/').map_or(range, |(range, _)| range);
    let (first, last) = range.trim().split_once('-')?;
    if first.is_empty() {
        last.parse::<u64>().ok()?;
        return Some(ByteRange { start: None, length: None });
    }
    let start: u64 = first.parse().ok()?;
    let length = match last {
        "" => None,
        last => Some(last.parse::<u64>().ok()?.checked_sub(start)?.saturating_add(1)),
    };
    Some(ByteRange { start: Some(start), length })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_headers_are_understood() {
        let part = |start, length| Some(ByteRange { start, length });
        for (text, expected) in [
            ("bytes=0-", part(Some(0), None)),
            ("Bytes=0-99", part(Some(0), Some(100))),
            ("bytes 7-9/1000", part(Some(7), Some(3))),
            ("bytes 0-0/*", part(Some(0), Some(1))),
            ("bytes=-500", part(None, None)),
            ("bytes=0-18446744073709551615", part(Some(0), Some(u64::MAX))),
            ("bytes=9-5", None),
            ("bytes=0-1,5-6", None),
            ("bytes=-", None),
            ("bytes */1000", None),
            ("lines=0-1", None),
            ("-", None),
            ("", None),
        ] {
            assert_eq!(read(text), expected, "{text}");
        }
    }
}
