//! The pieces of an index, kept while their words stay the same.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ops::Bound;
use std::sync::Arc;

use super::PieceName;
use super::block::{Sources, place};
use super::cut::{Cutter, Room, begins_stretch};
use super::piece::base;

/// A piece with its first key.
pub(super) type Placed = (Arc<[u8]>, PieceName);

/// The pieces, by stretches of words: a change makes those of its stretch anew.
#[derive(Default)]
pub(super) struct Stretches {
    /// By the word that begins it; the first one by no word.
    stretches: BTreeMap<Arc<[u8]>, Vec<Placed>>,
    pub files: HashMap<PieceName, Arc<[u8]>>,
    rooms: HashMap<PieceName, Room>,
}

impl Stretches {
    /// All pieces of some skills.
    pub fn of(sources: Sources<'_>) -> Self {
        let mut stretches = Self::default();
        stretches.fill(sources, (&[], None), &BTreeSet::new());
        stretches
    }

    /// The pieces in order.
    pub fn pieces(&self) -> impl Iterator<Item = &Placed> {
        self.stretches.values().flatten()
    }

    /// Makes those of some keys anew; a word stands for its own and its prefix's.
    pub fn update(&mut self, sources: Sources<'_>, keys: &BTreeSet<Arc<[u8]>>) {
        let mut done: Arc<[u8]> = Arc::default();
        for key in keys {
            let word = base(key);
            if *word < *done {
                continue;
            }
            let start = self.stretch_of(sources, word);
            let behind = self.stretches.range::<[u8], _>((Bound::Excluded(word), Bound::Unbounded)).next();
            let end = behind.map(|(begin, _)| Arc::clone(begin));
            self.fill(sources, (&start, end.as_deref()), keys);
            match end {
                Some(end) => done = end,
                None => break,
            }
        }
    }

    /// Where the stretch begins that a word is in.
    fn stretch_of(&self, sources: Sources<'_>, word: &[u8]) -> Arc<[u8]> {
        let before = self.stretches.range::<[u8], _>((Bound::Unbounded, Bound::Included(word))).rev();
        // One whose first word has just gone belongs to the one before it.
        let mut begins = before.map(|(begin, _)| begin);
        begins.find(|begin| begin.is_empty() || sources.postings.has(begin)).cloned().unwrap_or_default()
    }

    /// Makes the pieces of the words from `start` on and before `end`. One is as
    /// it was where none of `keys` is in it, and the key behind it is none of them
    /// or too large for it in any case: where a piece ends depends on what comes next.
    fn fill(
        &mut self,
        sources: Sources<'_>,
        (start, end): (&[u8], Option<&[u8]>),
        keys: &BTreeSet<Arc<[u8]>>,
    ) {
        let old = self.take(start, end);
        let is_clean = |at: usize| {
            let (first, name) = &old[at];
            let next = old.get(at + 1).map(|(first, _)| &**first).or(end);
            let to = next.map_or(Bound::Unbounded, |next| Bound::Included(place(next)));
            let mut touched = keys.range::<[u8], _>((Bound::Included(place(first)), to));
            let Some(key) = touched.next() else { return true };
            let Some(next) = next.filter(|next| *place(next) == **key) else { return false };
            // What is behind it: does it begin where it did, and not in this piece?
            let behind = sources.units(key, None).next();
            behind
                .zip(self.rooms.get(name))
                .is_some_and(|(unit, room)| *unit.first() == *next && room.is_too_small(&unit))
        };
        let first = old.first().map(|(first, _)| &**first);
        let is_first = |first: &&[u8]| {
            keys.range::<[u8], _>((Bound::Included(start), Bound::Excluded(place(first)))).next().is_none()
        };
        let (mut new, mut made) = (Vec::<Placed>::new(), Vec::new());
        let mut cutter = Cutter::new(sources);
        let mut from: Option<Box<[u8]>> = Some(first.filter(is_first).unwrap_or(start).into());
        while let Some(key) = from.take() {
            if let Ok(at) = old.binary_search_by(|(first, _)| (**first).cmp(&key))
                && is_clean(at)
            {
                new.push(old[at].clone());
                from = old.get(at + 1).map(|(first, _)| (**first).into());
            } else if let Some(piece) = cutter.piece(&key, end) {
                let name = PieceName::of(&piece.bytes);
                made.push((name, piece.bytes, piece.room));
                new.push((piece.first, name));
                from = piece.next;
            }
        }
        let names: BTreeSet<_> = new.iter().map(|(_, name)| *name).collect();
        for (_, name) in old.iter().filter(|(_, name)| !names.contains(name)) {
            self.files.remove(name);
            self.rooms.remove(name);
        }
        for (name, bytes, room) in made {
            self.files.entry(name).or_insert_with(|| bytes.into());
            self.rooms.insert(name, room);
        }
        self.put(start, new);
    }

    /// Takes the pieces of some stretches out.
    fn take(&mut self, start: &[u8], end: Option<&[u8]>) -> Vec<Placed> {
        let bounds = (Bound::Included(start), end.map_or(Bound::Unbounded, Bound::Excluded));
        let begins: Vec<_> =
            self.stretches.range::<[u8], _>(bounds).map(|(begin, _)| Arc::clone(begin)).collect();
        begins.iter().filter_map(|begin| self.stretches.remove(begin)).flatten().collect()
    }

    fn put(&mut self, start: &[u8], pieces: Vec<Placed>) {
        let mut begin: Arc<[u8]> = start.into();
        for (first, name) in pieces {
            let word = base(&first);
            if *place(&first) == *word && begins_stretch(word) {
                begin = word.into();
            }
            self.stretches.entry(Arc::clone(&begin)).or_default().push((first, name));
        }
    }
}
