//! Ranking: candidates from the lists of a query's terms, and their scores.

use super::Query;
use super::nearness::{MIN_RESULTS, QueryMeaning, neighbours};
use super::piece_reader::{IndexFiles, PieceReader};
use super::terms::{QueryTerm, WeightedList, query_terms};
use super::unknown_word::UnknownWord;
use crate::search::format::codec::Damaged;
use crate::search::format::keys::Key;
use crate::search::format::manifest::Manifest;
use crate::search::format::piece::{Card, CardNames, Piece};
use crate::search::format::posting::{MAX_CANDIDATES, Posting, best};

/// Used as the largest score if all scores are smaller.
const MIN_LARGEST: u64 = 64;

/// A skill that was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Hit {
    /// Its id.
    pub id: u64,
    /// How exactly the query is its slug or name, 0 to 3.
    pub exactness: u8,
    /// How well its words match the query, and how near it is.
    pub score: u64,
    /// Whether it was found by meaning alone.
    pub by_meaning: bool,
    /// The number of a piece that has its card.
    piece: usize,
}

impl Hit {
    fn new(id: u64, score: u64, piece: usize) -> Self {
        Self { id, exactness: 0, score, by_meaning: false, piece }
    }

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
    /// Whether more skills match, which are no candidates.
    pub is_cut: bool,
    /// The words of the query that no skill has.
    pub unknown: Vec<UnknownWord>,
    pieces: Vec<Piece>,
}

impl SearchResults {
    /// How many were found by meaning alone.
    pub fn near(&self) -> u64 {
        self.hits.iter().filter(|hit| hit.by_meaning).count() as u64
    }

    /// The card of a hit, with details if any piece that was read has them.
    pub fn card(&self, hit: &Hit) -> Option<Card<'_>> {
        let cards = self.pieces.iter().filter_map(|piece| piece.card(hit.id).ok()?);
        let mut first = None;
        for card in cards {
            if card.details.is_some() {
                return Some(card);
            }
            first = first.or(Some(card));
        }
        first
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
    let (terms, unknown) = query_terms(&mut pieces, query)?;
    let members = namespace.map(|namespace| members(&mut pieces, namespace)).transpose()?;
    let candidates = match members {
        None => candidates(&terms, pieces.pieces()),
        Some(members) => candidates_among(&members, &terms, pieces.pieces())?,
    };
    let max = if namespace.is_some() { usize::MAX } else { MAX_CANDIDATES };
    let is_cut = |list: &WeightedList| list.df > list.postings.len().min(max) as u64;
    let is_cut = candidate_lists(&terms).any(is_cut);
    let mut hits = score(manifest, query, &terms, &candidates);
    let meaning = QueryMeaning::of(query, &terms, manifest.skills);
    if let Some(meaning) = meaning.as_ref().filter(|_| namespace.is_none() && hits.len() < MIN_RESULTS) {
        let found: Vec<_> = hits.iter().map(|hit| hit.id).collect();
        let near = neighbours(&mut pieces, meaning, &found)?;
        hits.extend(near.into_iter().map(|(id, piece)| Hit { by_meaning: true, ..Hit::new(id, 0, piece) }));
    }
    let pieces = pieces.into_pieces();
    let largest = hits.iter().map(|hit| hit.score).max().unwrap_or(0).max(MIN_LARGEST);
    for hit in &mut hits {
        if let Some(CardNames { slug, name, meaning: own }) = pieces[hit.piece].names(hit.id)? {
            let (namespace, slug) = parts_of(slug);
            hit.exactness = query.exactness(namespace, slug, name);
            if let Some(meaning) = meaning.as_ref().filter(|_| hit.exactness == 0) {
                hit.score += largest * meaning.nearness(own) * 3 / 2048;
            }
        }
    }
    hits.sort_unstable_by_key(Hit::sort_key);
    Ok(SearchResults { hits, is_cut, unknown, pieces })
}

/// The namespace and the slug in a canonical slug.
fn parts_of(canonical: &[u8]) -> (&[u8], &[u8]) {
    match canonical.windows(2).position(|pair| pair == b"--") {
        Some(at) => (&canonical[..at], &canonical[at + 2..]),
        None => (b"global", canonical),
    }
}

/// The skills of a namespace, and the number of the piece with their cards.
struct Members {
    postings: Vec<Posting>,
    piece: usize,
}

fn members<F: IndexFiles>(pieces: &mut PieceReader<'_, F>, namespace: &str) -> Result<Members, F::Error> {
    let key = Key::Namespace(namespace).encode();
    let Some(position) = pieces.manifest.position(&key) else {
        return Ok(Members { postings: Vec::new(), piece: 0 });
    };
    let (piece, number) = pieces.piece(position)?;
    Ok(Members { postings: piece.set(&key)?.map_or_else(Vec::new, |list| list.postings), piece: number })
}

/// The lists that make candidates.
fn candidate_lists(terms: &[QueryTerm]) -> impl Iterator<Item = &WeightedList> {
    terms.iter().flat_map(|term| &term.lists).filter(|list| !list.is_body)
}

/// The candidates of all lists, by id, each with the number of a piece that has its card.
fn candidates(terms: &[QueryTerm], pieces: &[Piece]) -> Vec<(u64, usize)> {
    let mut candidates: Vec<_> = candidate_lists(terms)
        .flat_map(|list| best(&list.postings, MAX_CANDIDATES).map(|posting| (posting.id(), list.piece)))
        .filter(|(id, piece)| pieces[*piece].has_card(*id))
        .collect();
    // This sort merges the lists, each of which is sorted.
    candidates.sort();
    candidates.dedup_by_key(|(id, _)| *id);
    candidates
}

/// The skills of a namespace in any of the lists, as [`candidates`].
fn candidates_among(
    members: &Members,
    terms: &[QueryTerm],
    pieces: &[Piece],
) -> Result<Vec<(u64, usize)>, Damaged> {
    let is_member = |id: u64| members.postings.binary_search_by_key(&id, |posting| posting.id()).is_ok();
    let lists = candidate_lists(terms);
    let mut found: Vec<_> =
        lists.flat_map(|list| list.postings.iter().map(|posting| (posting.id(), list.piece))).collect();
    found.retain(|(id, _)| is_member(*id));
    found.sort();
    let mut candidates = Vec::<(u64, usize)>::new();
    for (id, piece) in found {
        if candidates.last().is_some_and(|(last, _)| *last == id) {
            continue;
        }
        for piece in [piece, members.piece] {
            if pieces[piece].has_card(id) {
                candidates.push((id, piece));
                break;
            }
        }
    }
    Ok(candidates)
}

/// The candidates with their scores.
fn score(manifest: &Manifest, query: &Query, terms: &[QueryTerm], candidates: &[(u64, usize)]) -> Vec<Hit> {
    // The values of the terms for each candidate, one candidate after the other.
    let width = terms.len();
    let mut values = vec![0u64; candidates.len() * width];
    for (number, term) in terms.iter().enumerate() {
        for list in &term.lists {
            join(candidates, &list.postings, |at, impact| {
                let value = &mut values[at * width + number];
                *value = (*value).max(list.weight * u64::from(impact) / 16);
            });
        }
    }
    let all: u64 = terms.iter().filter(|term| term.parts.is_empty()).map(|term| term.idf).sum();
    let bigrams: Vec<_> = query.bigrams().collect();
    let hits = candidates.iter().zip(values.chunks_mut(width.max(1))).filter_map(|((id, piece), values)| {
        divide_compounds(terms, values);
        for run in &bigrams {
            let values = &mut values[run.clone()];
            if values.iter().filter(|value| **value > 0).count() == 1 {
                values.fill(0);
            }
        }
        if !bigrams.is_empty() && values.iter().all(|value| *value == 0) {
            return None;
        }
        let matched: u64 =
            terms.iter().zip(&*values).filter(|(_, value)| **value > 0).map(|(term, _)| term.idf).sum();
        let sum: u64 = values.iter().sum();
        // A skill with all of them counts fully; with a half, three eighths of its values.
        let score = sum * matched * (all + matched) / (2 * all * all).max(1);
        let score = score + score * u64::from(manifest.popularity(*id)) / 128;
        Some(Hit::new(*id, score, *piece))
    });
    hits.collect()
}

/// Divides the value of a compound among its parts, if it is larger than theirs.
fn divide_compounds(terms: &[QueryTerm], values: &mut [u64]) {
    for (number, term) in terms.iter().enumerate().filter(|(_, term)| !term.parts.is_empty()) {
        let value = std::mem::take(&mut values[number]);
        let of_parts: u64 = term.parts.iter().map(|part| values[*part]).sum();
        if value > of_parts {
            let share = value / term.parts.len() as u64;
            term.parts.iter().for_each(|part| values[*part] = values[*part].max(share));
        }
    }
}

/// Calls `visit` with the position and impact of each candidate that has a posting. Both are
/// by id.
fn join(candidates: &[(u64, usize)], mut postings: &[Posting], mut visit: impl FnMut(usize, u8)) {
    for (at, (id, _)) in candidates.iter().enumerate() {
        // Steps of doubling length skip most of a list that is far longer.
        let mut step = 1;
        while postings.get(step).is_some_and(|posting| posting.id() <= *id) {
            postings = &postings[step..];
            step *= 2;
        }
        let next = postings.iter().position(|posting| posting.id() >= *id).unwrap_or(postings.len());
        postings = &postings[next..];
        match postings.first() {
            Some(posting) if posting.id() == *id => visit(at, posting.impact()),
            Some(_) => {}
            None => return,
        }
    }
}
