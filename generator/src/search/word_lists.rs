//! The lists that the words of a query lead to.

use super::manifest::Manifest;
use super::number::Damaged;
use super::piece::{List, Piece, Posting, SCOPED_PREFIX, key_of};
use super::pieces_read::PiecesRead;
use super::query::Query;
use super::ranking::Files;
use super::spelling::{SHORTEST, Shard, class_of, is_one_mistake, shard_of};
use super::words::is_bigram;

/// How many longer words the beginning of one stands for.
const MOST_LONGER: usize = 64;
/// The factor, in sixteenths, of the words that begin with one that is a word itself: what
/// else may be meant. So large that of two impacts the larger one has the larger value, as
/// `idf` is at least 4: who tells which answers are stale depends on that.
pub(super) const ALSO_BEGUN: u64 = 6;
const _: () = assert!(4 * ALSO_BEGUN >= 16);
/// How many code points a word has at least that may be misspelt.
const CORRECTED: usize = 5;

/// One list with what it counts for.
pub(super) struct Scored {
    pub postings: Vec<Posting>,
    /// How many skills have the key, in any namespace.
    pub df: u64,
    /// In sixteenths.
    pub factor: u64,
    /// The number of the piece that it is from.
    pub piece: usize,
}

/// What one word leads to.
pub(super) struct WordLists {
    pub lists: Vec<Scored>,
    /// Whether what has no value for the word is not found.
    pub is_binding: bool,
}

/// The lists of all words.
pub(super) fn word_lists<F: Files>(
    manifest: &Manifest,
    pieces: &mut PiecesRead<'_, F>,
    query: &Query,
    namespace: Option<&str>,
) -> Result<Vec<WordLists>, F::Error> {
    let place = |word: &str| manifest.place(word.as_bytes());
    let places: Vec<_> = query.words().filter_map(|(word, _)| place(word)).collect();
    pieces.read(&places)?;
    let mut asked = Vec::new();
    for (word, is_open) in query.words() {
        let lists = match place(word) {
            Some(place) => of_word(manifest, pieces, (word, place, is_open), namespace)?,
            None => Vec::new(),
        };
        let is_cut = lists.iter().any(|(_, is_cut)| *is_cut);
        let is_binding = !lists.is_empty() && !is_cut;
        asked.push(WordLists { lists: lists.into_iter().map(|(list, _)| list).collect(), is_binding });
    }
    Ok(asked)
}

/// Each list with whether it has fewer postings than skills.
type Lists = Vec<(Scored, bool)>;

fn of_word<F: Files>(
    manifest: &Manifest,
    pieces: &mut PiecesRead<'_, F>,
    (word, place, is_open): (&str, usize, bool),
    namespace: Option<&str>,
) -> Result<Lists, F::Error> {
    let length = word.chars().count();
    let is_open = is_open && length >= 2;
    let (piece, number) = pieces.piece(place)?;
    let [exact, prefix] = piece.lists([word.as_bytes(), &key_of(word, true, None)])?;
    let mut lists = Lists::new();
    let of_prefix = if exact.is_some() { ALSO_BEGUN } else { 10 };
    for (list, is_prefix, factor) in [(exact, false, 16), (prefix.filter(|_| is_open), true, of_prefix)] {
        if let Some(list) = list {
            let scoped = namespace.map(|namespace| key_of(word, is_prefix, Some(namespace)));
            lists.push(scored(manifest, pieces, (list, number), scoped, factor)?);
        }
    }
    let mut looked_behind = false;
    if lists.is_empty() && is_open {
        let longer = longer_words(manifest, pieces, word, place)?;
        looked_behind = longer.looked_behind;
        for (longer, at) in longer.words {
            lists.extend(of_key(manifest, pieces, &longer, at, namespace)?);
        }
    }
    if lists.is_empty()
        && !looked_behind
        && length >= CORRECTED
        && !is_bigram(word)
        && let Some(corrected) = correction(manifest, pieces, word, place)?
        && let Some(at) = manifest.place(corrected.as_bytes())
    {
        lists.extend(of_key(manifest, pieces, &corrected, at, namespace)?);
    }
    Ok(lists)
}

/// The list of a word that stands in for another one.
fn of_key<F: Files>(
    manifest: &Manifest,
    pieces: &mut PiecesRead<'_, F>,
    word: &str,
    place: usize,
    namespace: Option<&str>,
) -> Result<Option<(Scored, bool)>, F::Error> {
    let (piece, number) = pieces.piece(place)?;
    let [list] = piece.lists([word.as_bytes()])?;
    let Some(list) = list else { return Ok(None) };
    let scoped = namespace.map(|namespace| key_of(word, false, Some(namespace)));
    scored(manifest, pieces, (list, number), scoped, 8).map(Some)
}

/// A list, or in its place that of the key in the namespace, where that is
/// there: which it is only for lists that may not have all of the namespace.
fn scored<F: Files>(
    manifest: &Manifest,
    pieces: &mut PiecesRead<'_, F>,
    (list, number): (List, usize),
    scoped: Option<Vec<u8>>,
    factor: u64,
) -> Result<(Scored, bool), F::Error> {
    let df = list.df;
    let (mut list, mut number) = (list, number);
    if let Some(key) = scoped.filter(|_| df > super::piece::BEST as u64)
        && let Some(place) = manifest.place(&key)
    {
        let (piece, other) = pieces.piece(place)?;
        let [found] = piece.lists([&key[..]])?;
        if let Some(found) = found {
            (list, number) = (found, other);
        }
    }
    let is_cut = (list.postings.len() as u64) < list.df;
    Ok((Scored { postings: list.postings, df, factor, piece: number }, is_cut))
}

/// The words that are keys of a piece, with how many skills have each.
fn words_of(piece: &Piece, visit: &mut dyn FnMut(&str, u64)) -> Result<(), Damaged> {
    let mut damaged = None;
    piece.each_key(&mut |key, list| {
        if key.iter().all(|byte| *byte > SCOPED_PREFIX) {
            match (std::str::from_utf8(key), list.df()) {
                (Ok(word), Ok(df)) => visit(word, df),
                (Err(_), _) => damaged = Some(Damaged("a key is no text")),
                (_, Err(why)) => damaged = Some(why),
            }
        }
        true
    })?;
    damaged.map_or(Ok(()), Err)
}

/// Words that begin with one that is no word itself.
struct Longer {
    /// Each with its place.
    words: Vec<(String, usize)>,
    /// Whether the piece behind was read too.
    looked_behind: bool,
}

/// The words that begin with one that is no word itself, as far as they are near.
fn longer_words<F: Files>(
    manifest: &Manifest,
    pieces: &mut PiecesRead<'_, F>,
    word: &str,
    place: usize,
) -> Result<Longer, F::Error> {
    let goes_on = |(key, _): &(_, _)| AsRef::<[u8]>::as_ref(key).starts_with(word.as_bytes());
    let next = Some(place + 1).filter(|next| manifest.pieces.get(*next).is_some_and(goes_on));
    let (mut found, mut looked_behind) = (Vec::new(), false);
    for (place, is_behind) in [Some((place, false)), next.map(|next| (next, true))].into_iter().flatten() {
        // The piece behind goes on with such words; it is read only for the first.
        if !found.is_empty() {
            break;
        }
        looked_behind = is_behind;
        words_of(pieces.piece(place)?.0, &mut |longer, _| {
            if longer.starts_with(word) && found.len() < MOST_LONGER {
                found.push((longer.to_owned(), place));
            }
        })?;
    }
    Ok(Longer { words: found, looked_behind })
}

/// The word that one with a mistake was meant to be.
fn correction<F: Files>(
    manifest: &Manifest,
    pieces: &mut PiecesRead<'_, F>,
    word: &str,
    place: usize,
) -> Result<Option<String>, F::Error> {
    let mut meant: Option<(u8, String)> = None;
    let mut consider = |other: &str, class: u8| {
        let is_better = meant
            .as_ref()
            .is_none_or(|(best, known)| class > *best || class == *best && other < known.as_str());
        if is_better && other.chars().count() >= SHORTEST && is_one_mistake(word, other) {
            meant = Some((class, other.to_owned()));
        }
    };
    words_of(pieces.piece(place)?.0, &mut |other, df| consider(other, class_of(df)))?;
    if let Some(name) = manifest.shards[shard_of(word)]
        && let Some(shard) = pieces.shard(name)?
    {
        Shard::each(&shard, &mut consider)?;
    }
    Ok(meant.map(|(_, word)| word))
}
