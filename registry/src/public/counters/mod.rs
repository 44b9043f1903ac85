//! Published counters. They are state, not history: no row records them.

mod shards;

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

pub use shards::{CounterShard, CounterShards, ShardError};

/// The counters that documents show for a skill.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Counters {
    /// Complete package downloads.
    #[serde(rename = "downloadCount")]
    pub downloads: u64,
    /// The number of people who star it.
    #[serde(rename = "starCount")]
    pub stars: u64,
    /// The mean of all ratings, or null if there are none.
    pub rating_average: Option<Hundredths>,
    /// The number of people who rated it.
    #[serde(rename = "ratingCount")]
    pub ratings: u64,
}

/// A number with at most two decimals.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Hundredths(pub u16);

impl Hundredths {
    /// The mean of `count` numbers with the sum `sum`, rounded half up. None if
    /// `count` is 0 or the mean is over 655.
    pub fn mean(sum: u64, count: u64) -> Option<Self> {
        let doubled = sum.checked_mul(200)?.checked_div(count)?;
        u16::try_from(doubled.div_ceil(2)).ok().map(Self)
    }
}

impl fmt::Display for Hundredths {
    /// At most two decimals, without zeros at the end.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", f64::from(self.0) / 100.0)
    }
}

impl fmt::Debug for Hundredths {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{:02}", self.0 / 100, self.0 % 100)
    }
}

impl Serialize for Hundredths {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            whole if whole % 100 == 0 => to.serialize_u16(whole / 100),
            // The shortest decimal form of a number of hundredths has at most two
            // decimals.
            part => to.serialize_f64(f64::from(part) / 100.0),
        }
    }
}

impl<'de> Deserialize<'de> for Hundredths {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let hundredths = (f64::deserialize(from)? * 100.0).round();
        // Rounded and in range, so the cast loses nothing.
        match (0.0..=f64::from(u16::MAX)).contains(&hundredths) {
            true => Ok(Self(hundredths as u16)),
            false => Err(serde::de::Error::custom("a mean is a number from 0 to 655")),
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn mean_rounds_half_up_to_hundredths() {
        let mean = |sum, count| Hundredths::mean(sum, count).map(|mean| mean.0);
        assert_eq!(mean(0, 0), None);
        assert_eq!(mean(14, 3), Some(467));
        assert_eq!(mean(13, 3), Some(433));
        assert_eq!(mean(33, 8), Some(413)); // 4.125
        assert_eq!(mean(u64::MAX, 1), None);
    }

    #[test]
    fn hundredths_as_json_round_trip() {
        for hundredths in 0..=u16::MAX {
            let json = serde_json::to_string(&Hundredths(hundredths)).unwrap();
            assert!(json.split_once('.').is_none_or(|(_, decimals)| decimals.len() <= 2), "{json}");
            assert_eq!(serde_json::from_str::<Hundredths>(&json).unwrap().0, hundredths);
        }
        for json in ["-1", "1e9", "\"4\"", "null"] {
            serde_json::from_str::<Hundredths>(json).unwrap_err();
        }
    }
}
