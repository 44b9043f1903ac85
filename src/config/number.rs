//! Numbers of the settings, each within its range.

use std::time::Duration;

use serde::de::{Error, Unexpected};
use serde::{Deserialize, Deserializer};

/// Reads a number from `MIN` to `MAX`.
pub fn number<'de, D, T, const MIN: u64, const MAX: u64>(from: D) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: TryFrom<u64>,
{
    let number = u64::deserialize(from)?;
    let in_range = T::try_from(number).ok().filter(|_| (MIN..=MAX).contains(&number));
    in_range.ok_or_else(|| {
        let range = match MAX {
            u64::MAX => format!("at least {MIN}"),
            _ => format!("a number from {MIN} to {MAX}"),
        };
        D::Error::invalid_value(Unexpected::Unsigned(number), &range.as_str())
    })
}

/// Reads a number of at least 1.
pub fn positive<'de, D: Deserializer<'de>, T: TryFrom<u64>>(from: D) -> Result<T, D::Error> {
    number::<D, T, 1, { u64::MAX }>(from)
}

/// Reads `MIN` to `MAX` seconds.
pub fn seconds<'de, D, const MIN: u64, const MAX: u64>(from: D) -> Result<Duration, D::Error>
where
    D: Deserializer<'de>,
{
    number::<D, u64, MIN, MAX>(from).map(Duration::from_secs)
}
