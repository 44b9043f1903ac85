//! The pieces of an index, cut again only near a change.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ops::Bound;
use std::sync::Arc;

use super::key_group::{KeyGroup, PieceInput, group_start};
use super::piece_cutter::{CutPiece, Fill, PieceCutter, starts_chunk};
use crate::search::format::keys::base;
use crate::search::format::piece_name::PieceName;

/// A piece of a chunk.
#[derive(Clone)]
struct ChunkPiece {
    first: Arc<[u8]>,
    name: PieceName,
    fill: Fill,
}

/// The words from `start` on, and before `end` if there is one.
#[derive(Clone, Copy)]
struct WordRange<'a> {
    start: &'a [u8],
    end: Option<&'a [u8]>,
}

/// The pieces, by chunks of words. A change cuts only the pieces with one of its keys again,
/// and those after them up to the end of their chunk.
#[derive(Default)]
pub struct Chunks {
    /// By the word that starts each. The first chunk has the empty word.
    chunks: BTreeMap<Arc<[u8]>, Vec<ChunkPiece>>,
    pub files: HashMap<PieceName, Arc<[u8]>>,
    /// Number of pieces that were ever cut.
    pub pieces_cut: u64,
}

impl Chunks {
    /// Cuts all pieces.
    pub fn of(input: PieceInput<'_>) -> Self {
        let mut chunks = Self::default();
        chunks.cut(input, WordRange { start: &[], end: None }, &BTreeSet::new());
        chunks
    }

    /// The pieces in order, each with its first key.
    pub fn pieces(&self) -> impl Iterator<Item = (Arc<[u8]>, PieceName)> {
        self.chunks.values().flatten().map(|piece| (Arc::clone(&piece.first), piece.name))
    }

    /// Cuts the pieces of some keys again. A word stands for its key and that of its prefix.
    pub fn update(&mut self, input: PieceInput<'_>, keys: &BTreeSet<Arc<[u8]>>) {
        let mut done: Arc<[u8]> = Arc::default();
        for key in keys {
            let word = base(key);
            if *word < *done {
                continue;
            }
            let start = self.start_of_chunk(input, word);
            // A chunk whose first word is gone is part of the one before it.
            let after = self.chunks.range::<[u8], _>((Bound::Excluded(word), Bound::Unbounded));
            let mut starts = after.map(|(start, _)| start).filter(|start| input.postings.has(start));
            let end = starts.next().cloned();
            self.cut(input, WordRange { start: &start, end: end.as_deref() }, keys);
            match end {
                Some(end) => done = end,
                None => break,
            }
        }
    }

    /// Start of the chunk that contains `word`.
    fn start_of_chunk(&self, input: PieceInput<'_>, word: &[u8]) -> Arc<[u8]> {
        let before = self.chunks.range::<[u8], _>((Bound::Unbounded, Bound::Included(word))).rev();
        let mut starts = before.map(|(start, _)| start);
        starts.find(|start| start.is_empty() || input.postings.has(start)).cloned().unwrap_or_default()
    }

    /// Cuts the pieces of some words again, and keeps the clean ones.
    ///
    /// A piece is clean if it has none of `keys`, and the next key is not among them either, or
    /// still starts a piece: where a piece ends depends on what comes next.
    fn cut(&mut self, input: PieceInput<'_>, words: WordRange<'_>, keys: &BTreeSet<Arc<[u8]>>) {
        let WordRange { start, end } = words;
        let old = self.take(words);
        let is_clean = |at: usize| {
            let ChunkPiece { first, fill, .. } = &old[at];
            let next = old.get(at + 1).map(|piece| &*piece.first).or(end);
            let to = next.map_or(Bound::Unbounded, |next| Bound::Included(group_start(next)));
            let mut changed = keys.range::<[u8], _>((Bound::Included(group_start(first)), to));
            let Some(key) = changed.next() else { return true };
            let Some(next) = next.filter(|next| *group_start(next) == **key) else { return false };
            let mut after = input.groups(key, None);
            let is_there = |group: &KeyGroup<'_>| group_start(&group.first()) == group_start(next);
            after.next().is_some_and(|group| is_there(&group) && fill.is_too_full_for(&group))
        };
        let first = old.first().map(|piece| &*piece.first);
        let is_first = |first: &&[u8]| {
            let before = (Bound::Included(start), Bound::Excluded(group_start(first)));
            keys.range::<[u8], _>(before).next().is_none()
        };
        let (mut pieces, mut new_files) = (Vec::<ChunkPiece>::new(), HashMap::new());
        let mut cutter = PieceCutter::new(input);
        let mut from: Option<Box<[u8]>> = Some(first.filter(is_first).unwrap_or(start).into());
        while let Some(key) = from.take() {
            if let Ok(at) = old.binary_search_by(|piece| (*piece.first).cmp(&key))
                && is_clean(at)
            {
                pieces.push(old[at].clone());
                from = old.get(at + 1).map(|piece| (*piece.first).into());
            } else if let Some(CutPiece { first, bytes, fill, next }) = cutter.cut(&key, end) {
                let name = PieceName::of(&bytes);
                new_files.insert(name, bytes);
                pieces.push(ChunkPiece { first, name, fill });
                from = next;
            }
        }
        self.pieces_cut += new_files.len() as u64;
        let names: BTreeSet<_> = pieces.iter().map(|piece| piece.name).collect();
        for gone in old.iter().filter(|piece| !names.contains(&piece.name)) {
            self.files.remove(&gone.name);
        }
        for (name, bytes) in new_files {
            self.files.entry(name).or_insert_with(|| bytes.into());
        }
        self.put(start, pieces);
    }

    /// Removes the chunks that start with some words, and returns their pieces.
    fn take(&mut self, words: WordRange<'_>) -> Vec<ChunkPiece> {
        let bounds = (Bound::Included(words.start), words.end.map_or(Bound::Unbounded, Bound::Excluded));
        let starts: Vec<_> =
            self.chunks.range::<[u8], _>(bounds).map(|(start, _)| Arc::clone(start)).collect();
        starts.iter().filter_map(|start| self.chunks.remove(start)).flatten().collect()
    }

    /// Divides pieces into chunks.
    fn put(&mut self, start: &[u8], pieces: Vec<ChunkPiece>) {
        let mut start: Arc<[u8]> = start.into();
        for piece in pieces {
            let word = base(&piece.first);
            if *group_start(&piece.first) == *word && starts_chunk(word) {
                start = word.into();
            }
            self.chunks.entry(Arc::clone(&start)).or_default().push(piece);
        }
    }
}
