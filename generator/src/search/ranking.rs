//! Answers a query from the index' files: `docs/search-index.md`, "Asking".

use std::sync::Arc;

use super::PieceName;
use super::manifest::Manifest;
use super::number::{Damaged, log};
use super::piece::{BEST, Piece, Posting, best};
use super::pieces_read::PiecesRead;
use super::query::Query;
use super::word_lists::{WordLists, word_lists};

/// Where the files of an index are read.
pub trait Files {
    /// Why one cannot be read.
    type Error: From<Damaged>;

    /// Reads some pieces or shards, in their order.
    fn read(&mut self, names: &[PieceName]) -> Result<Vec<Arc<[u8]>>, Self::Error>;
}

/// A skill that was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Hit {
    /// Its id.
    pub id: u64,
    /// 2: its slug is the query; 1: its name is; 0.
    pub exactness: u8,
    /// How well it fits.
    pub score: u64,
    /// Which of the pieces has its card.
    piece: usize,
}

impl Hit {
    /// What hits are sorted by, smallest first, in one number: exactness, score and
    /// id, of which the last two have 53 bits at most.
    fn rank(&self) -> u128 {
        let better = (u128::from(self.exactness) << 64) | u128::from(self.score);
        (!better << 60) | u128::from(self.id)
    }
}

/// What a query has found.
#[derive(Debug, Default)]
pub struct Found {
    /// Best first.
    pub hits: Vec<Hit>,
    pieces: Vec<Piece>,
}

impl Found {
    /// The canonical slug of a hit, and its name; the name is empty where it is
    /// made from the slug.
    pub fn card(&self, hit: &Hit) -> Option<(&str, &str)> {
        let card = self.pieces.get(hit.piece)?.card(hit.id).ok()??;
        Some((card.slug, card.name))
    }
}

/// Finds the skills of a query, in one namespace where that is given. A blank
/// query finds nothing.
pub fn find<F: Files>(
    manifest: &Manifest,
    files: &mut F,
    query: &Query,
    namespace: Option<&str>,
) -> Result<Found, F::Error> {
    let mut pieces = PiecesRead::new(manifest, files);
    let asked = word_lists(manifest, &mut pieces, query, namespace)?;
    let pieces = pieces.into_pieces();
    let candidates = candidates(&asked, &pieces, namespace)?;
    let mut hits = values(manifest, &asked, &candidates);
    for hit in &mut hits {
        hit.exactness = match pieces[hit.piece].card(hit.id)? {
            Some(card) => query.exactness(slug_of(card.slug), card.name),
            None => 0,
        };
    }
    hits.sort_unstable_by_key(Hit::rank);
    Ok(Found { hits, pieces })
}

/// The slug in a canonical one.
pub(super) fn slug_of(canonical: &str) -> &str {
    canonical.split_once("--").map_or(canonical, |(_, slug)| slug)
}

fn namespace_of(canonical: &str) -> &str {
    canonical.split_once("--").map_or("global", |(namespace, _)| namespace)
}

/// The skills that are among the best of a list, by id, each with the piece that
/// has its card.
fn candidates(
    asked: &[WordLists],
    pieces: &[Piece],
    namespace: Option<&str>,
) -> Result<Vec<(u64, usize)>, Damaged> {
    let lists = asked.iter().flat_map(|word| &word.lists);
    let mut found: Vec<_> =
        lists.flat_map(|list| best(&list.postings, BEST).map(|posting| (posting.id, list.piece))).collect();
    // Made of sorted runs, which this sort merges.
    found.sort();
    found.dedup_by_key(|(id, _)| *id);
    let Some(namespace) = namespace else { return Ok(found) };
    let mut inside = Vec::new();
    for (id, piece) in found {
        if pieces[piece].card(id)?.is_some_and(|card| namespace_of(card.slug) == namespace) {
            inside.push((id, piece));
        }
    }
    Ok(inside)
}

/// What of the number of skills counts in ranking.
pub(super) fn octave(skills: u64) -> u64 {
    skills.max(16).next_power_of_two()
}

/// How much a key counts that so many of some skills have; of these the [`octave`] counts.
pub(super) fn idf(octave: u64, df: u64) -> u64 {
    (4 + log(octave)).saturating_sub(log(df)).max(1)
}

/// The candidates that are found, with their scores.
fn values(manifest: &Manifest, asked: &[WordLists], candidates: &[(u64, usize)]) -> Vec<Hit> {
    let octave = octave(manifest.skills);
    // For each candidate: the sum of its values, how many words have one, and
    // whether a word that binds has none.
    let mut sums = vec![(0u64, 0u64, false); candidates.len()];
    let mut of_word = vec![0u64; candidates.len()];
    for word in asked {
        of_word.fill(0);
        for list in &word.lists {
            let idf = idf(octave, list.df);
            join(candidates, &list.postings, |at, impact| {
                of_word[at] = of_word[at].max(idf * u64::from(impact) * list.factor / 16);
            });
        }
        for (value, (sum, words, lacks)) in of_word.iter().zip(&mut sums) {
            *sum += value;
            *words += u64::from(*value > 0);
            *lacks |= *value == 0 && word.is_binding;
        }
    }
    let hit = |(id, piece): (u64, usize), score: u64| {
        let score = score + score * u64::from(manifest.class(id)) / 128;
        Hit { id, exactness: 0, score, piece }
    };
    let both = || candidates.iter().copied().zip(&sums);
    let all: Vec<_> = both().filter(|(_, (.., lacks))| !lacks).map(|(c, (sum, ..))| hit(c, *sum)).collect();
    if !all.is_empty() {
        return all;
    }
    both().map(|(c, (sum, words, _))| hit(c, sum * words)).collect()
}

/// Calls `visit` with the place and impact of each candidate that has a posting;
/// both are by id.
fn join(candidates: &[(u64, usize)], mut postings: &[Posting], mut visit: impl FnMut(usize, u8)) {
    for (at, (id, _)) in candidates.iter().enumerate() {
        // Where one side is far longer, steps of doubling length pass by most.
        let mut step = 1;
        while postings.get(step).is_some_and(|posting| posting.id <= *id) {
            postings = &postings[step..];
            step *= 2;
        }
        let behind = postings.iter().position(|posting| posting.id >= *id).unwrap_or(postings.len());
        postings = &postings[behind..];
        match postings.first() {
            Some(posting) if posting.id == *id => visit(at, posting.impact),
            Some(_) => {}
            None => return,
        }
    }
}
