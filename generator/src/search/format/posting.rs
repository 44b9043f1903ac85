//! Lists of postings: the skills under a key, each with its impact.

use super::codec::{Damaged, Decoder, put_number};
use super::keys::{Key, is_set};
use super::logarithm::{log, smallest_with_log};

/// Number of skills of a list, by rank, that a query considers. These have cards.
/// Pages of results show no more.
pub const MAX_CANDIDATES: usize = 160;

/// Number of skills of a namespace or neighbourhood that have cards under its key.
pub const MAX_IN_SET: usize = 1_000;

/// Number of skills that a list gives cards to.
pub fn max_candidates(key: &[u8]) -> usize {
    if is_set(key) { MAX_IN_SET } else { MAX_CANDIDATES }
}

/// Number of postings that a list is written with at most.
pub fn max_postings(key: &[u8]) -> usize {
    match Key::decode(key) {
        Some(Key::Neighbourhood(_)) => MAX_IN_SET,
        Some(Key::Prefix(_)) => 1_500,
        _ => 3_000,
    }
}

/// The `df` that a list of `skills` skills with at most `max` postings is written with.
///
/// It is exact unless skills are left out. Then it is the smallest number above `max` that
/// counts the same in ranking, so that skills without a posting do not change the list.
pub fn written_df(skills: usize, max: usize) -> u64 {
    let df = skills as u64;
    if skills <= max { df } else { smallest_with_log(log(df)).max(max as u64 + 1) }
}

/// The largest impact, and the mask of its bits.
pub const MAX_IMPACT: u8 = 63;

/// A skill under a key, in one number so that lists are small and quickly sorted: id and impact, from
/// the high bits to the low ones. The id is a revision and must be below 2^58.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Posting(u64);

impl Posting {
    pub fn new(id: u64, impact: u8) -> Self {
        Self((id << 6) | u64::from(impact & MAX_IMPACT))
    }

    pub fn id(self) -> u64 {
        self.0 >> 6
    }

    /// Weight of the word in the skill, 1 to 63.
    pub fn impact(self) -> u8 {
        self.0 as u8 & MAX_IMPACT
    }
}

/// The `max` postings with the largest impact, by id. Ties go to the smaller id.
/// `postings` are by id.
pub fn best(postings: &[Posting], max: usize) -> impl Iterator<Item = Posting> + '_ {
    let mut counts = [0usize; 64];
    for posting in postings {
        counts[usize::from(posting.impact())] += 1;
    }
    // All above the smallest impact are taken, and the first ones that have it.
    let (mut smallest, mut left) = (0, max);
    for impact in (0..64u8).rev() {
        let count = counts[usize::from(impact)];
        if count >= left {
            smallest = impact;
            break;
        }
        left -= count;
    }
    postings.iter().copied().filter(move |posting| {
        posting.impact() > smallest
            || posting.impact() == smallest && {
                let is_in = left > 0;
                left = left.saturating_sub(1);
                is_in
            }
    })
}

/// The skills under a key, as a piece has them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct List {
    /// Number of skills under the key: see [`written_df`].
    pub df: u64,
    /// By id.
    pub postings: Vec<Posting>,
}

/// Encodes a list of postings, which are by id.
pub fn encode_list(df: u64, postings: &[Posting]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(postings.len() * 3 + 8);
    put_number(&mut bytes, df);
    put_number(&mut bytes, postings.len() as u64);
    let mut before = 0;
    for posting in postings {
        put_number(&mut bytes, Posting::new(posting.id().saturating_sub(before), posting.impact()).0);
        before = posting.id();
    }
    bytes
}

/// A list that is not decoded yet.
#[derive(Debug, Clone, Copy)]
pub struct EncodedList<'a>(pub(super) &'a [u8]);

impl EncodedList<'_> {
    /// Decodes the whole list.
    pub fn list(self) -> Result<List, Damaged> {
        let mut decoder = Decoder(self.0);
        let df = decoder.number()?;
        let count = decoder.count()?;
        let mut postings = Vec::with_capacity(count);
        let mut id = 0u64;
        for _ in 0..count {
            // The difference to the id before, and the impact.
            let next = Posting(decoder.number()?);
            id = id.saturating_add(next.id());
            postings.push(Posting::new(id, next.impact()));
        }
        Ok(List { df, postings })
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn best_prefers_large_impacts_and_then_small_ids() {
        let all = [(1, 5), (2, 9), (3, 5), (4, 5), (5, 1)].map(|(id, impact)| Posting::new(id, impact));
        let ids = |max| best(&all, max).map(|posting| posting.id()).collect::<Vec<_>>();
        assert!(ids(0).is_empty());
        assert_eq!(ids(1), [2]);
        assert_eq!(ids(3), [1, 2, 3]);
        assert_eq!(ids(5), [1, 2, 3, 4, 5]);
        assert_eq!(ids(9), [1, 2, 3, 4, 5]);
    }
}
