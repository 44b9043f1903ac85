//! Published counters: state, not history.

use super::Id;
use crate::names::Digest;

/// The numbers that documents show for a skill.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Counters {
    /// Complete package downloads.
    pub downloads: u64,
    /// People who starred it now.
    pub stars: u64,
    /// Sum of all ratings, 1 to 5 each.
    pub rating_sum: u64,
    /// People who rated it.
    pub ratings: u64,
}

impl Counters {
    /// The mean rating in hundredths, rounded half up; None without ratings.
    pub fn rating_hundredths(&self) -> Option<u64> {
        let doubled = self.rating_sum.saturating_mul(200);
        (self.ratings > 0).then(|| (doubled / self.ratings).div_ceil(2))
    }
}

/// The counter document a skill is in: the first byte of the sha256 of its id.
pub fn shard_of(id: Id) -> u8 {
    Digest::of(id.to_string().as_bytes()).as_bytes()[0]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn means_round_half_up_to_hundredths() {
        let mean =
            |rating_sum, ratings| Counters { rating_sum, ratings, ..Counters::default() }.rating_hundredths();
        assert_eq!(mean(0, 0), None);
        assert_eq!(mean(14, 3), Some(467));
        assert_eq!(mean(13, 3), Some(433));
        assert_eq!(mean(33, 8), Some(413)); // 4.125
    }
}
