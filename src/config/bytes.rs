//! Settings in bytes: a whole number, or a text with a unit.

use std::fmt;

use serde::Deserializer;
use serde::de::{Error, Unexpected, Visitor};

/// The units, and the bytes of each.
const UNITS: &[(&str, u64)] = &[
    ("b", 1),
    ("kib", 1 << 10),
    ("mib", 1 << 20),
    ("gib", 1 << 30),
    ("tib", 1 << 40),
    ("kb", 1_000),
    ("mb", 1_000_000),
    ("gb", 1_000_000_000),
    ("tb", 1_000_000_000_000),
];

/// Reads a number of bytes from `MIN` to `MAX`: `1024`, `"50 MiB"` or `"2GB"`.
pub fn bytes<'de, D, T, const MIN: u64, const MAX: u64>(from: D) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: TryFrom<u64>,
{
    let number = from.deserialize_any(BytesVisitor)?;
    let in_range = T::try_from(number).ok().filter(|_| (MIN..=MAX).contains(&number));
    in_range.ok_or_else(|| {
        let range = match MAX {
            u64::MAX => format!("at least {MIN} bytes"),
            _ => format!("{MIN} to {MAX} bytes"),
        };
        D::Error::invalid_value(Unexpected::Unsigned(number), &range.as_str())
    })
}

struct BytesVisitor;

impl Visitor<'_> for BytesVisitor {
    type Value = u64;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a whole number of bytes, or a text like \"50 MiB\"")
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<u64, E> {
        Ok(number)
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<u64, E> {
        u64::try_from(number).map_err(|_| E::invalid_value(Unexpected::Signed(number), &self))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<u64, E> {
        parse(text).ok_or_else(|| E::invalid_value(Unexpected::Str(text), &self))
    }
}

/// None for another text, and for a number that is too large.
fn parse(text: &str) -> Option<u64> {
    let digits = text.find(|c: char| !c.is_ascii_digit())?;
    let (number, unit) = text.split_at(digits);
    let unit = unit.trim_start().to_ascii_lowercase();
    let (_, factor) = UNITS.iter().find(|(name, _)| *name == unit)?;
    number.parse::<u64>().ok()?.checked_mul(*factor)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_with_a_unit_is_a_number_of_bytes() {
        for (text, expected) in [
            ("50 MiB", Some(50 << 20)),
            ("1KiB", Some(1024)),
            ("2 GB", Some(2_000_000_000)),
            ("7 b", Some(7)),
            ("50", None),
            ("50 M", None),
            ("1.5 MiB", None),
            ("-1 MiB", None),
            ("MiB", None),
            ("", None),
            ("99999999999 TiB", None),
        ] {
            assert_eq!(parse(text), expected, "{text}");
        }
    }
}
