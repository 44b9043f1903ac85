//! The terms of a query: its words, each with the lists of the keys that it stands for.

use super::Query;
use super::correction::correction;
use super::piece_reader::{IndexFiles, PieceReader};
use crate::search::format::keys::{in_namespace, prefix_of};
use crate::search::format::posting::{List, MAX_CANDIDATES, Posting};
use crate::search::words::is_bigram;

/// Number of longer words that the start of a word stands for.
const MAX_LONGER_WORDS: usize = 64;
/// Number of code points of the shortest word that is corrected.
const MIN_CORRECTED_LENGTH: usize = 5;

/// Factors of lists, in sixteenths: of the word itself, …
const EXACT: u64 = 16;
/// … of names that start with a word of the index, …
const PREFIX_OF_WORD: u64 = 6;
/// … of names that start with something that is not a word of the index, …
const UNFINISHED: u64 = 10;
/// … and of longer words and corrections.
const SUBSTITUTE: u64 = 8;

/// A list that counts for a term.
pub struct WeightedList {
    pub postings: Vec<Posting>,
    /// Number of skills under the key, in all namespaces.
    pub df: u64,
    /// In sixteenths.
    pub factor: u64,
    /// The number of its piece.
    pub piece: usize,
    /// Whether skills of the key are left out.
    is_cut_off: bool,
}

/// A word of the query with its lists.
pub struct QueryTerm {
    pub lists: Vec<WeightedList>,
    /// Whether a skill without a value for the term is not found.
    pub is_required: bool,
}

/// The terms of a query.
pub fn query_terms<F: IndexFiles>(
    pieces: &mut PieceReader<'_, F>,
    query: &Query,
    namespace: Option<&str>,
) -> Result<Vec<QueryTerm>, F::Error> {
    let position = |word: &str| pieces.manifest.position(word.as_bytes());
    let positions: Vec<_> = query.words().filter_map(|(word, _)| position(word)).collect();
    pieces.read(&positions)?;
    let mut reader = ListReader { pieces, namespace };
    let term = |(word, is_open): (&str, bool)| {
        let lists = reader.lists_of(word, is_open)?;
        let is_required = !lists.is_empty() && !lists.iter().any(|list| list.is_cut_off);
        Ok(QueryTerm { lists, is_required })
    };
    query.words().map(term).collect()
}

/// Reads lists for a query in one namespace, or in all.
struct ListReader<'r, 'a, F> {
    pieces: &'r mut PieceReader<'a, F>,
    namespace: Option<&'r str>,
}

impl<F: IndexFiles> ListReader<'_, '_, F> {
    /// The lists of a word. It may be the start of a longer one if `is_open`.
    fn lists_of(&mut self, word: &str, is_open: bool) -> Result<Vec<WeightedList>, F::Error> {
        let Some(position) = self.pieces.manifest.position(word.as_bytes()) else { return Ok(Vec::new()) };
        let length = word.chars().count();
        let is_open = is_open && length >= 2;
        let (word_key, prefix_key) = (word.as_bytes(), prefix_of(word.as_bytes()));
        let (piece, number) = self.pieces.piece(position)?;
        let [exact, prefix] = piece.lists([word_key, &prefix_key])?;
        let prefix_factor = if exact.is_some() { PREFIX_OF_WORD } else { UNFINISHED };
        let mut lists = Vec::new();
        if let Some(list) = exact {
            lists.push(self.weighted(word_key, list, number, EXACT)?);
        }
        if let Some(list) = prefix.filter(|_| is_open) {
            lists.push(self.weighted(&prefix_key, list, number, prefix_factor)?);
        }
        let mut has_read_next = false;
        if lists.is_empty() && is_open {
            let longer = self.longer_words(word, position)?;
            has_read_next = longer.has_read_next;
            for word in &longer.words {
                lists.extend(self.substitute(word, longer.position)?);
            }
        }
        if lists.is_empty()
            && !has_read_next
            && length >= MIN_CORRECTED_LENGTH
            && !is_bigram(word)
            && let Some(corrected) = correction(self.pieces, word, position)?
            && let Some(position) = self.pieces.manifest.position(corrected.as_bytes())
        {
            lists.extend(self.substitute(&corrected, position)?);
        }
        Ok(lists)
    }

    /// The list of a word that replaces the word of the query, in the piece at `position`.
    fn substitute(&mut self, word: &str, position: usize) -> Result<Option<WeightedList>, F::Error> {
        let (piece, number) = self.pieces.piece(position)?;
        let [list] = piece.lists([word.as_bytes()])?;
        list.map(|list| self.weighted(word.as_bytes(), list, number, SUBSTITUTE)).transpose()
    }

    /// Adds the factor to the list of a key. In a namespace, the list of the key with the
    /// namespace replaces it if the index has one: only lists that may leave out skills do.
    fn weighted(
        &mut self,
        key: &[u8],
        mut list: List,
        mut piece: usize,
        factor: u64,
    ) -> Result<WeightedList, F::Error> {
        let df = list.df;
        if let Some(namespace) = self.namespace.filter(|_| df > MAX_CANDIDATES as u64) {
            let key = in_namespace(key, namespace);
            if let Some(position) = self.pieces.manifest.position(&key) {
                let (scoped_piece, number) = self.pieces.piece(position)?;
                if let [Some(scoped)] = scoped_piece.lists([&key[..]])? {
                    (list, piece) = (scoped, number);
                }
            }
        }
        let is_cut_off = (list.postings.len() as u64) < list.df;
        Ok(WeightedList { postings: list.postings, df, factor, piece, is_cut_off })
    }

    /// The words that start with `word`, in the piece at `position` or else in the next one.
    fn longer_words(&mut self, word: &str, position: usize) -> Result<LongerWords, F::Error> {
        let words = self.words_from(word, position)?;
        let next = self.pieces.manifest.pieces.get(position + 1);
        if !words.is_empty() || !next.is_some_and(|(first, _)| first.starts_with(word.as_bytes())) {
            return Ok(LongerWords { words, position, has_read_next: false });
        }
        let position = position + 1;
        Ok(LongerWords { words: self.words_from(word, position)?, position, has_read_next: true })
    }

    fn words_from(&mut self, word: &str, position: usize) -> Result<Vec<String>, F::Error> {
        let mut found = Vec::new();
        self.pieces.piece(position)?.0.each_word(&mut |longer, _| {
            if longer.starts_with(word) && found.len() < MAX_LONGER_WORDS {
                found.push(longer.to_owned());
            }
        })?;
        Ok(found)
    }
}

/// Words that start with a word of the query.
struct LongerWords {
    words: Vec<String>,
    /// The position of their piece.
    position: usize,
    has_read_next: bool,
}
