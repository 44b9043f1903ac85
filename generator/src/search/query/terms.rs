//! The terms of a query: its words, each with the lists of the keys that it stands for.

use super::Query;
use super::correction::correction;
use super::piece_reader::{IndexFiles, PieceReader};
use super::unknown_word::UnknownWord;
use super::weight::{idf, size_class};
use crate::search::format::keys::{Key, is_body};
use crate::search::format::meaning::WordVector;
use crate::search::format::piece::Group;
use crate::search::format::posting::{List, Posting};
use crate::search::words::{is_bigram, root, stem};

/// Number of longer words that the start of a word stands for.
const MAX_LONGER_WORDS: usize = 64;
/// Number of code points of the shortest word that is corrected.
const MIN_CORRECTED_LENGTH: usize = 5;
/// Number of words up to which a query is short.
const SHORT: usize = 3;
/// Number of files that a short query reads for its words and compounds, …
const MAX_FILES_OF_SHORT: usize = 3;
/// … and that any other reads. A correction reads two of them.
pub const MAX_FILES: usize = 7;
/// Number of words from which a query also looks for words of texts.
const MIN_WORDS_FOR_BODY: usize = 4;
/// Number of code points of the shortest part of a word that is divided.
const MIN_PART_LENGTH: usize = 3;

/// Factors of lists, in sixteenths: of the word itself, …
const EXACT: u64 = 16;
/// … of names that start with it, if it is the last one, …
const UNFINISHED: u64 = 12;
/// … or if it is a word of the index, …
const PREFIX_OF_WORD: u64 = 6;
/// … of other forms of the word, …
const FOLDED: u64 = 11;
/// … of its synonyms, …
const SYNONYM: u64 = 8;
/// … and of longer words and corrections.
const SUBSTITUTE: u64 = 8;

/// A list that counts for a term.
pub struct WeightedList {
    /// The number of skills under the key, of which the index has the best.
    pub df: u64,
    pub postings: Vec<Posting>,
    /// What the impact of a posting is multiplied by, in sixteenths.
    pub weight: u64,
    /// The number of its piece.
    pub piece: usize,
    /// Whether it is of a word of texts. Such a list makes no candidates.
    pub is_body: bool,
}

/// A word of the query, or a compound of two, with its lists.
#[derive(Default)]
pub struct QueryTerm {
    pub lists: Vec<WeightedList>,
    /// The largest `idf` of the lists.
    pub idf: u64,
    /// What it means.
    pub vector: Option<WordVector>,
    /// Of a compound: which of the other terms are its parts.
    pub parts: Vec<usize>,
    /// The word of the index that a mistyped word was taken for.
    pub instead: Option<String>,
}

/// The terms of a query: of its words, and then of its compounds; and its words that no skill has.
pub fn query_terms<F: IndexFiles>(
    pieces: &mut PieceReader<'_, F>,
    query: &Query,
) -> Result<(Vec<QueryTerm>, Vec<UnknownWord>), F::Error> {
    let is_short = query.words().count() + query.translated().count() <= SHORT;
    let max_files = if is_short { MAX_FILES_OF_SHORT } else { MAX_FILES };
    let mut reader = ListReader { size_class: size_class(pieces.manifest.skills), pieces, max_files };
    let mut terms = Vec::new();
    reader.read_pieces(query.by_rarity())?;
    for (at, (word, is_open)) in query.words().enumerate() {
        let mut term = reader.term(word, is_open, !query.is_translated(at))?;
        if query.words().count() >= MIN_WORDS_FOR_BODY {
            reader.add_body(word, &mut term)?;
        }
        terms.push(term.of(query, word));
    }
    reader.read_pieces(query.compounds().iter().map(|compound| compound.text.as_str()))?;
    for compound in query.compounds() {
        let term = reader.term(&compound.text, false, false)?.of(query, &compound.text);
        terms.push(QueryTerm { parts: compound.parts.clone(), ..term });
    }
    let missing: Vec<_> = (0..query.words().count()).filter(|at| terms[*at].lists.is_empty()).collect();
    let compounds = terms[query.words().count()..].iter().map(|term| (term.idf, term.parts.clone()));
    for (idf, parts) in compounds.collect::<Vec<_>>() {
        for part in parts.iter().filter(|part| missing.contains(part)) {
            terms[*part].idf = terms[*part].idf.max(idf / parts.len() as u64);
        }
    }
    reader.max_files = MAX_FILES;
    for (at, (word, is_open)) in query.words().enumerate() {
        if terms[at].idf == 0
            && let Some([first, second]) = reader.divided(word, is_open)?
        {
            terms[at] = first;
            terms.push(second);
        }
    }
    let unknown = query.words().zip(&mut terms).filter_map(|((word, _), term)| {
        let instead = term.instead.take();
        let has_none = instead.is_some() || term.idf == 0 && !is_bigram(word) && reader.has_read(word);
        has_none.then(|| UnknownWord { word: word.to_owned(), instead })
    });
    let unknown = unknown.collect();
    Ok((terms, unknown))
}

impl QueryTerm {
    /// The term of a word of a query, which counts three quarters if it says little.
    fn of(mut self, query: &Query, word: &str) -> Self {
        if query.says_little(word) {
            self.idf -= self.idf / 4;
            self.lists.iter_mut().for_each(|list| list.weight -= list.weight / 4);
        }
        self
    }
}

struct ListReader<'r, 'a, F> {
    pieces: &'r mut PieceReader<'a, F>,
    size_class: u64,
    max_files: usize,
}

impl<F: IndexFiles> ListReader<'_, '_, F> {
    /// Reads the pieces of some words at once, as far as the query may.
    fn read_pieces<'w>(&mut self, words: impl Iterator<Item = &'w str>) -> Result<(), F::Error> {
        let positions = words.filter_map(|word| self.pieces.manifest.position(root(word).as_bytes()));
        self.pieces.read_some(&positions.collect::<Vec<_>>(), self.max_files)
    }

    fn has_read(&self, word: &str) -> bool {
        let position = self.pieces.manifest.position(root(word).as_bytes());
        position.is_none_or(|position| self.pieces.has(position))
    }

    /// The term of a word, if its piece was read. The word may be the start of a longer one if
    /// `is_open`; it is corrected only if `is_typed`.
    fn term(&mut self, word: &str, is_open: bool, is_typed: bool) -> Result<QueryTerm, F::Error> {
        let Some(position) = self.pieces.manifest.position(root(word).as_bytes()) else {
            return Ok(QueryTerm::default());
        };
        if !self.pieces.has(position) {
            return Ok(QueryTerm::default());
        }
        let length = word.chars().count();
        let is_open = is_open && length >= 2;
        let is_wanted = |key: Key<'_>| match key {
            Key::Word(_) => true,
            Key::Prefix(prefix) => is_open && prefix == word,
            _ => false,
        };
        let mut term = self.group(word, position, EXACT, &is_wanted)?;
        if is_open && term.lists.is_empty() {
            self.add_longer_words(word, position, &mut term)?;
        }
        let is_corrected = is_typed && length >= MIN_CORRECTED_LENGTH && !is_bigram(word);
        if is_corrected
            && term.lists.is_empty()
            && self.pieces.count() + 2 <= MAX_FILES
            && let Some(corrected) = correction(self.pieces, word, position)?
            && let Some(position) = self.pieces.manifest.position(root(&corrected).as_bytes())
        {
            term = self.group(&corrected, position, SUBSTITUTE, &|key| matches!(key, Key::Word(_)))?;
            term.instead = Some(corrected);
        }
        Ok(term)
    }

    /// Adds the skills whose text has a word, its other forms or its synonyms, if its piece was read.
    fn add_body(&mut self, word: &str, term: &mut QueryTerm) -> Result<(), F::Error> {
        let position = self.pieces.manifest.position(root(word).as_bytes());
        if let Some(position) = position.filter(|position| self.pieces.has(*position)) {
            let body = self.group(word, position, EXACT, &|key| matches!(key, Key::Body(_)))?;
            if term.lists.is_empty() {
                term.idf = body.idf;
            }
            term.lists.extend(body.lists);
        }
        Ok(())
    }

    /// The terms of the two words that a word without lists consists of: around a 2 or 4 in it, or the
    /// longest first word with a second one.
    fn divided(&mut self, word: &str, is_open: bool) -> Result<Option<[QueryTerm; 2]>, F::Error> {
        let is_letters =
            |part: &str| part.len() >= 2 && part.bytes().all(|letter| letter.is_ascii_lowercase());
        let around =
            word.split_once(['2', '4']).filter(|(first, second)| is_letters(first) && is_letters(second));
        let starts: Vec<usize> = word.char_indices().map(|(start, _)| start).collect();
        let at = if is_bigram(word) { 0 } else { (starts.len() + 1).saturating_sub(MIN_PART_LENGTH) };
        let parts = starts[..at].iter().skip(MIN_PART_LENGTH).rev().map(|start| word.split_at(*start));
        for (first, second) in around.into_iter().chain(parts) {
            self.read_pieces([first].into_iter())?;
            let first = self.term(first, false, false)?;
            if first.lists.is_empty() {
                continue;
            }
            self.read_pieces([second].into_iter())?;
            let second = self.term(second, is_open, false)?;
            if !second.lists.is_empty() {
                return Ok(Some([first, second]));
            }
        }
        Ok(None)
    }

    /// The lists of a word, its other forms and its synonyms that are wanted, from the piece at `position`.
    /// `exact` is the factor of the word itself.
    fn group(
        &mut self,
        word: &str,
        position: usize,
        exact: u64,
        is_wanted: &dyn Fn(Key<'_>) -> bool,
    ) -> Result<QueryTerm, F::Error> {
        let group = root(word);
        let (piece, number) = self.pieces.piece(position)?;
        let Group { lists: found, vector } = piece.group(group.as_bytes(), is_wanted)?;
        let stem = stem(word);
        let factor = |form: &str| match form {
            form if form == word => exact,
            form if self::stem(form) == stem => FOLDED * exact / EXACT,
            _ => SYNONYM * exact / EXACT,
        };
        let mut term = QueryTerm { vector, ..QueryTerm::default() };
        let df = self.df(&found, &stem);
        for (key, List { df: own, postings }) in found {
            let (idf, factor) = match Key::decode(&key) {
                Some(Key::Word(form) | Key::Body(form)) => (idf(self.size_class, df), factor(form)),
                _ if df > 0 => (idf(self.size_class, own), PREFIX_OF_WORD),
                _ => (idf(self.size_class, own), UNFINISHED),
            };
            term.idf = term.idf.max(idf);
            let is_body = is_body(&key);
            let weight = idf * factor;
            term.lists.push(WeightedList { df: own, postings, weight, piece: number, is_body });
        }
        Ok(term)
    }

    /// The number of skills that a word counts as having: those of all words with its stem; if there
    /// are none, those of its synonyms.
    fn df(&self, found: &[(Vec<u8>, List)], stem: &str) -> u64 {
        let words = found.iter().filter_map(|(key, list)| match Key::decode(key) {
            Some(Key::Word(form) | Key::Body(form)) => Some((form, list.df)),
            _ => None,
        });
        // A hostile file may have any numbers.
        let own = words.clone().filter(|(form, _)| self::stem(form) == stem);
        let own = own.fold(0u64, |sum, (_, df)| sum.saturating_add(df));
        let df = if own > 0 { own } else { words.fold(0u64, |sum, (_, df)| sum.saturating_add(df)) };
        df.min(self.size_class)
    }

    /// Adds the words that start with `word`, from the piece at `position` or else from the next.
    fn add_longer_words(
        &mut self,
        word: &str,
        position: usize,
        term: &mut QueryTerm,
    ) -> Result<(), F::Error> {
        for position in [position, position + 1] {
            if !self.pieces.has(position) && self.pieces.count() >= self.max_files {
                return Ok(());
            }
            let (piece, number) = self.pieces.piece(position)?;
            for (postings, df) in piece.longer_words(word, MAX_LONGER_WORDS)? {
                let idf = idf(self.size_class, df);
                term.idf = term.idf.max(idf);
                let weight = idf * SUBSTITUTE;
                term.lists.push(WeightedList { df, postings, weight, piece: number, is_body: false });
            }
            let next = self.pieces.manifest.pieces.get(position + 1);
            if !term.lists.is_empty() || next.is_none_or(|(first, _)| !first.starts_with(word.as_bytes())) {
                return Ok(());
            }
        }
        Ok(())
    }
}
