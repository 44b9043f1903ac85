//! What a query means, and which skills are near to it: `docs/search-index.md`, "Nearness".

use std::cmp::Reverse;
use std::collections::BTreeSet;

use super::Query;
use super::piece_reader::{IndexFiles, PieceReader};
use super::terms::{MAX_FILES, QueryTerm};
use super::weight::{idf, size_class};
use crate::search::format::keys::Key;
use crate::search::format::meaning::{DIMENSIONS, MAX_NEIGHBOURHOOD_BITS, Meaning};

/// Smallest index with nearness, in skills. A smaller one has too few words.
const MIN_SKILLS: u64 = 100;
/// The largest nearness.
const MAX_NEARNESS: u64 = 256;
/// The smallest nearness of a skill that is found by meaning alone.
const MIN_NEARNESS: u64 = 102;
/// Number of skills that a query finds with those by meaning alone. If it finds as many without, it needs none.
pub const MIN_RESULTS: usize = 20;
/// Number of neighbourhoods that are read for them.
const NEIGHBOURHOODS: usize = 2;
/// Largest average size of a neighbourhood that is read, in skills.
const MAX_SKILLS: u64 = 512;

/// The sum of the vectors of a query's words.
pub struct QueryMeaning([i64; DIMENSIONS]);

impl QueryMeaning {
    /// That of a query with these terms, in an index with some skills. None if it has a single word or no vector,
    /// or the index few skills.
    pub fn of(query: &Query, terms: &[QueryTerm], skills: u64) -> Option<Self> {
        if !query.has_several_words() || skills < MIN_SKILLS {
            return None;
        }
        let (mut sum, rare) = ([0; DIMENSIONS], idf(size_class(skills), 1));
        for (term, vector) in terms.iter().filter_map(|term| Some((term, term.vector?))) {
            let weight = if term.idf > 0 { term.idf } else { rare };
            vector.add_to(&mut sum, i64::try_from(weight).unwrap_or(0));
        }
        sum.iter().any(|number| *number != 0).then_some(Self(sum))
    }

    /// How near a skill with a meaning is, 0 to 256.
    pub fn nearness(&self, meaning: Meaning) -> u64 {
        if meaning.is_none() {
            return 0;
        }
        let signed: i64 = self.0.iter().zip(meaning.bits()).map(|(n, bit)| if bit { *n } else { -n }).sum();
        let total: u64 = self.0.iter().map(|number| number.unsigned_abs()).sum();
        u64::try_from(signed).unwrap_or(0) * MAX_NEARNESS / total
    }

    /// The neighbourhoods that are read, in an index with some skills: those with the bits of the
    /// query, or with others where it is close to zero.
    fn neighbourhoods(&self, skills: u64) -> impl Iterator<Item = String> + use<> {
        let lengths = (0..MAX_NEIGHBOURHOOD_BITS).step_by(2);
        let length = lengths.filter(|bits| size_class(skills) > MAX_SKILLS << bits).count() * 2;
        let distance = |number: u64| {
            let bits = (0..length).map(|at| (self.0[at], number >> (length - 1 - at) & 1 == 1));
            bits.filter(|(n, bit)| (*n >= 0) != *bit).map(|(n, _)| n.unsigned_abs()).sum::<u64>()
        };
        let mut all: Vec<(u64, u64)> = (0..1 << length).map(|number| (distance(number), number)).collect();
        all.sort_unstable();
        let nearest = all.into_iter().take(NEIGHBOURHOODS);
        nearest.map(move |(_, number)| format!("{:0length$b}", number | 1 << length)[1..].to_owned())
    }
}

/// Skills that are near to a query, besides those with the ids `found`, so that it finds a few more: the id of each,
/// and the number of a piece that has its card.
pub fn neighbours<F: IndexFiles>(
    pieces: &mut PieceReader<'_, F>,
    query: &QueryMeaning,
    found: &[u64],
) -> Result<Vec<(u64, usize)>, F::Error> {
    let skills = pieces.manifest.skills;
    let keys: Vec<_> = query.neighbourhoods(skills).map(|bits| Key::Neighbourhood(&bits).encode()).collect();
    let positions: Vec<_> = keys.iter().filter_map(|key| pieces.manifest.position(key)).collect();
    pieces.read_some(&positions, MAX_FILES)?;
    let (mut near, mut known) = (Vec::new(), found.iter().copied().collect::<BTreeSet<_>>());
    for (key, position) in keys.into_iter().zip(positions) {
        if !pieces.has(position) {
            continue;
        }
        let (piece, number) = pieces.piece(position)?;
        for posting in piece.set(&key)?.map_or_else(Vec::new, |list| list.postings) {
            let id = posting.id();
            let nearness = piece.names(id)?.map_or(0, |names| query.nearness(names.meaning));
            if nearness >= MIN_NEARNESS && known.insert(id) {
                near.push((Reverse(nearness), id, number));
            }
        }
    }
    near.sort_unstable();
    near.truncate(MIN_RESULTS.saturating_sub(found.len()));
    Ok(near.into_iter().map(|(_, id, piece)| (id, piece)).collect())
}
