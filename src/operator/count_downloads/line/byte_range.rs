//! Byte ranges in headers (RFC 9110, section 14).

/// A range of bytes of a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ByteRange {
    /// The first byte. None if the last bytes were requested.
    pub start: Option<u64>,
    /// The number of bytes, if it is known.
    pub length: Option<u64>,
}

/// Parses a `Range` (`bytes=0-99`) or `Content-Range` (`bytes 0-99/1000`). None for several
/// ranges, other units, and invalid text.
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
    fn read_parses_both_headers() {
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
