//! Ranking: candidates from the lists of a query's terms, and their scores.

use super::Query;
use super::piece_reader::{IndexFiles, PieceReader};
use super::terms::{QueryTerm, query_terms};
use crate::search::format::codec::Damaged;
use crate::search::format::logarithm::log;
use crate::search::format::manifest::Manifest;
use crate::search::format::piece::Piece;
use crate::search::format::posting::{MAX_CANDIDATES, Posting, best};

/// A skill that was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Hit {
    /// Its id.
    pub id: u64,
    /// 2 if its slug is the query, 1 if its name is, else 0.
    pub exactness: u8,
    /// How well its words match the query.
    pub score: u64,
    /// The number of the piece that has its card.
    piece: usize,
}

impl Hit {
    /// Sorts hits, smallest first: by exactness and score, ties by id. Score and id have at
    /// most 53 bits.
    fn sort_key(&self) -> u128 {
        let better = (u128::from(self.exactness) << 64) | u128::from(self.score);
        (!better << 60) | u128::from(self.id)
    }
}

/// The skills that a query found.
#[derive(Debug, Default)]
pub struct SearchResults {
    /// Best first.
    pub hits: Vec<Hit>,
    pieces: Vec<Piece>,
}

impl SearchResults {
    /// The canonical slug and the name of a hit. The name is empty if it is the slug in title
    /// case.
    pub fn card(&self, hit: &Hit) -> Option<(&str, &str)> {
        let card = self.pieces.get(hit.piece)?.card(hit.id).ok()??;
        Some((card.slug, card.name))
    }
}

/// Finds the skills of a query, in one namespace if given. A blank query finds nothing.
pub fn find<F: IndexFiles>(
    manifest: &Manifest,
    files: &mut F,
    query: &Query,
    namespace: Option<&str>,
) -> Result<SearchResults, F::Error> {
    let mut pieces = PieceReader::new(manifest, files);
    let terms = query_terms(&mut pieces, query, namespace)?;
    let pieces = pieces.into_pieces();
    let candidates = candidates(&terms, &pieces, namespace)?;
    let mut hits = score(manifest, &terms, &candidates);
    for hit in &mut hits {
        hit.exactness = match pieces[hit.piece].card(hit.id)? {
            Some(card) => query.exactness(slug_of(card.slug), card.name),
            None => 0,
        };
    }
    hits.sort_unstable_by_key(Hit::sort_key);
    Ok(SearchResults { hits, pieces })
}

/// The slug in a canonical slug.
fn slug_of(canonical: &str) -> &str {
    canonical.split_once("--").map_or(canonical, |(_, slug)| slug)
}

fn namespace_of(canonical: &str) -> &str {
    canonical.split_once("--").map_or("global", |(namespace, _)| namespace)
}

/// The candidates of all lists, by id, each with the number of the piece that has its card.
fn candidates(
    terms: &[QueryTerm],
    pieces: &[Piece],
    namespace: Option<&str>,
) -> Result<Vec<(u64, usize)>, Damaged> {
    let lists = terms.iter().flat_map(|term| &term.lists);
    let mut candidates: Vec<_> = lists
        .flat_map(|list| best(&list.postings, MAX_CANDIDATES).map(|posting| (posting.id, list.piece)))
        .collect();
    // This sort merges the lists, each of which is sorted.
    candidates.sort();
    candidates.dedup_by_key(|(id, _)| *id);
    let Some(namespace) = namespace else { return Ok(candidates) };
    let mut inside = Vec::new();
    for (id, piece) in candidates {
        if pieces[piece].card(id)?.is_some_and(|card| namespace_of(card.slug) == namespace) {
            inside.push((id, piece));
        }
    }
    Ok(inside)
}

/// The number of skills that ranking counts with, so that a few more do not change scores.
pub fn size_class(skills: u64) -> u64 {
    skills.max(16).next_power_of_two()
}

/// Weight of a key that `df` skills have, in an index of a [`size_class`].
fn idf(size_class: u64, df: u64) -> u64 {
    (4 + log(size_class)).saturating_sub(log(df)).max(1)
}

/// What the terms give to one candidate.
#[derive(Clone, Copy, Default)]
struct Sum {
    value: u64,
    /// Number of terms with a value.
    terms: u64,
    /// Whether a required term has no value.
    lacks_required: bool,
}

/// The candidates that have all required terms, with their scores. If none has, all
/// candidates, by how many terms they have.
fn score(manifest: &Manifest, terms: &[QueryTerm], candidates: &[(u64, usize)]) -> Vec<Hit> {
    let size_class = size_class(manifest.skills);
    let mut sums = vec![Sum::default(); candidates.len()];
    let mut values = vec![0u64; candidates.len()];
    for term in terms {
        values.fill(0);
        for list in &term.lists {
            let idf = idf(size_class, list.df);
            join(candidates, &list.postings, |at, impact| {
                values[at] = values[at].max(idf * u64::from(impact) * list.factor / 16);
            });
        }
        for (value, sum) in values.iter().zip(&mut sums) {
            sum.value += value;
            sum.terms += u64::from(*value > 0);
            sum.lacks_required |= *value == 0 && term.is_required;
        }
    }
    let all_lack = sums.iter().all(|sum| sum.lacks_required);
    let found = candidates.iter().zip(&sums).filter(|(_, sum)| all_lack || !sum.lacks_required);
    let hits = found.map(|((id, piece), sum)| {
        let score = if all_lack { sum.value * sum.terms } else { sum.value };
        let score = score + score * u64::from(manifest.popularity(*id)) / 128;
        Hit { id: *id, exactness: 0, score, piece: *piece }
    });
    hits.collect()
}

/// Calls `visit` with the position and impact of each candidate that has a posting. Both are
/// by id.
fn join(candidates: &[(u64, usize)], mut postings: &[Posting], mut visit: impl FnMut(usize, u8)) {
    for (at, (id, _)) in candidates.iter().enumerate() {
        // Steps of doubling length skip most of a list that is far longer.
        let mut step = 1;
        while postings.get(step).is_some_and(|posting| posting.id <= *id) {
            postings = &postings[step..];
            step *= 2;
        }
        let next = postings.iter().position(|posting| posting.id >= *id).unwrap_or(postings.len());
        postings = &postings[next..];
        match postings.first() {
            Some(posting) if posting.id == *id => visit(at, posting.impact),
            Some(_) => {}
            None => return,
        }
    }
}
