//! The pieces of an index, kept while their words stay the same.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ops::Bound;
use std::sync::Arc;

use super::PieceName;
use super::block::{Sources, Unit, place};
use super::cut::{Cutter, Made, Room, begins_stretch};
use super::piece::base;

/// A piece in its place.
#[derive(Clone)]
struct Placed {
    first: Arc<[u8]>,
    name: PieceName,
    room: Room,
}

/// The pieces, by stretches of words: a change makes those anew that have one of its
/// keys, and what comes behind them up to the end of their stretch at most.
#[derive(Default)]
pub(super) struct Stretches {
    /// By the word that begins it; the first one by no word.
    stretches: BTreeMap<Arc<[u8]>, Vec<Placed>>,
    pub files: HashMap<PieceName, Arc<[u8]>>,
    /// How many pieces were cut.
    pub cut: u64,
}

impl Stretches {
    /// All pieces of some skills.
    pub fn of(sources: Sources<'_>) -> Self {
        let mut stretches = Self::default();
        stretches.fill(sources, (&[], None), &BTreeSet::new());
        stretches
    }

    /// The pieces in order, each with its first key.
    pub fn pieces(&self) -> impl Iterator<Item = (Arc<[u8]>, PieceName)> {
        self.stretches.values().flatten().map(|piece| (Arc::clone(&piece.first), piece.name))
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
            // As long as they begin one: see there.
            let behind = self.stretches.range::<[u8], _>((Bound::Excluded(word), Bound::Unbounded));
            let mut begins = behind.map(|(begin, _)| begin).filter(|begin| sources.postings.has(begin));
            let end = begins.next().cloned();
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
            let Placed { first, room, .. } = &old[at];
            let next = old.get(at + 1).map(|piece| &*piece.first).or(end);
            let to = next.map_or(Bound::Unbounded, |next| Bound::Included(place(next)));
            let mut touched = keys.range::<[u8], _>((Bound::Included(place(first)), to));
            let Some(key) = touched.next() else { return true };
            let Some(next) = next.filter(|next| *place(next) == **key) else { return false };
            // What is behind it: does it begin where it did, and not in this piece?
            let mut behind = sources.units(key, None);
            let is_there = |unit: &Unit<'_>| place(&unit.first()) == place(next);
            behind.next().is_some_and(|unit| is_there(&unit) && room.is_too_small(&unit))
        };
        let first = old.first().map(|piece| &*piece.first);
        let is_first = |first: &&[u8]| {
            keys.range::<[u8], _>((Bound::Included(start), Bound::Excluded(place(first)))).next().is_none()
        };
        let (mut new, mut made) = (Vec::<Placed>::new(), HashMap::new());
        let mut cutter = Cutter::new(sources);
        let mut from: Option<Box<[u8]>> = Some(first.filter(is_first).unwrap_or(start).into());
        while let Some(key) = from.take() {
            if let Ok(at) = old.binary_search_by(|piece| (*piece.first).cmp(&key))
                && is_clean(at)
            {
                new.push(old[at].clone());
                from = old.get(at + 1).map(|piece| (*piece.first).into());
            } else if let Some(Made { first, bytes, room, next }) = cutter.piece(&key, end) {
                let name = PieceName::of(&bytes);
                made.insert(name, bytes);
                new.push(Placed { first, name, room });
                from = next;
            }
        }
        self.cut += made.len() as u64;
        let names: BTreeSet<_> = new.iter().map(|piece| piece.name).collect();
        for gone in old.iter().filter(|piece| !names.contains(&piece.name)) {
            self.files.remove(&gone.name);
        }
        for (name, bytes) in made {
            self.files.entry(name).or_insert_with(|| bytes.into());
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
        for piece in pieces {
            let word = base(&piece.first);
            if *place(&piece.first) == *word && begins_stretch(word) {
                begin = word.into();
            }
            self.stretches.entry(Arc::clone(&begin)).or_default().push(piece);
        }
    }
}
