//! Byte ranges (RFC 9110, section 14).
//!
//! `headers::Range` does not fit: it rejects a suffix that is longer than the
//! document, and cannot tell an invalid range from one without a byte.

use hyper::HeaderMap;
use hyper::header::RANGE;

/// The part of a representation that a request asks for.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Part {
    /// All of it: no range, or one that is not supported.
    Whole,
    /// `length` bytes from `start`; at least one.
    Of { start: u64, length: u64 },
    /// No byte that exists: 416.
    None,
}

/// The part of `size` bytes that the header asks for. Several ranges, other
/// units and invalid values get the whole, which section 14.2 always allows.
pub(super) fn of(request: &HeaderMap, size: u64) -> Part {
    let mut values = request.get_all(RANGE).iter();
    match (values.next().and_then(|v| v.to_str().ok()), values.next()) {
        (Some(value), None) => parse(value, size).unwrap_or(Part::Whole),
        _ => Part::Whole,
    }
}

fn parse(value: &str, size: u64) -> Option<Part> {
    let (unit, range) = value.split_once('=')?;
    let (first, last) = range.trim().split_once('-')?;
    if !unit.trim().eq_ignore_ascii_case("bytes") {
        return None;
    }
    let (start, length) = match (number(first), number(last)) {
        // The last `count` bytes.
        (None, Some(count)) if first.is_empty() => {
            let count = count.min(size);
            (size - count, count)
        }
        (Some(start), None) if last.is_empty() => (start, size.saturating_sub(start)),
        (Some(start), Some(last)) if start <= last => {
            (start, last.saturating_add(1).min(size).saturating_sub(start))
        }
        _ => return None,
    };
    Some(if length == 0 { Part::None } else { Part::Of { start, length } })
}

/// Only digits: `u64` also parses a plus sign. A larger number means the end.
fn number(text: &str) -> Option<u64> {
    let digits = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    digits.then(|| text.parse().unwrap_or(u64::MAX))
}

#[cfg(test)]
mod tests {
    use proptest::test_runner::TestCaseError;

    use super::*;

    proptest::proptest! {
        #[test]
        fn part_is_within_the_whole(value in "bytes=[0-9]{0,20}-[0-9]{0,20}", size: u64) {
            let Some(Part::Of { start, length }) = parse(&value, size) else {
                return Err(TestCaseError::reject("it names no bytes"));
            };
            assert!(length > 0 && length <= size && start <= size - length);
        }
    }

    #[test]
    fn ranges_are_parsed() {
        let part = |start, length| Some(Part::Of { start, length });
        for (value, expected) in [
            ("bytes=0-0", part(0, 1)),
            ("Bytes=2-4", part(2, 3)),
            ("bytes=2-", part(2, 8)),
            ("bytes=-3", part(7, 3)),
            ("bytes=-99", part(0, 10)),
            ("bytes=9-99999999999999999999999", part(9, 1)),
            ("bytes=10-", Some(Part::None)),
            ("bytes=10-12", Some(Part::None)),
            ("bytes=-0", Some(Part::None)),
            ("bytes=5-4", None),
            ("bytes=0-1,3-4", None),
            ("bytes=+1-2", None),
            ("bytes=-", None),
            ("bytes=--1", None),
            ("lines=0-1", None),
            ("bytes 0-1", None),
        ] {
            assert_eq!(parse(value, 10), expected, "{value}");
        }
        assert_eq!(parse("bytes=0-", 0), Some(Part::None));
        assert_eq!(parse("bytes=-5", 0), Some(Part::None));
    }
}
