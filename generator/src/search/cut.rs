//! Where the sorted keys are cut into pieces.
//!
//! The cut depends on the keys alone, and a change moves it only nearby: some
//! words, chosen by a hash, always begin a piece, and so a new **stretch**; in a
//! stretch a piece ends where it would grow too large.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use super::packed::{Packed, Rank};
use super::piece::{
    BEST, MOST_OF_PREFIX, MOST_POSTINGS, PREFIX, SCOPED, SCOPED_PREFIX, base, encode, encode_list,
    most_in_namespace, written_df,
};
use super::postings::{Listed, Postings};

/// Of so many words one begins a stretch.
const WORDS: u64 = 256;

/// A piece is not made larger than this, in bytes, unless by what cannot be
/// divided. A cold query of two words reads two, beside the manifest.
const LARGEST: usize = 24 * 1024;

/// The same for a piece of keys with a namespace alone. Larger ones cost who asks
/// in a namespace; more of them cost everybody, for the manifest lists them all.
const LARGEST_SCOPED: usize = 128 * 1024;

/// Whether a word always begins a piece: by its FNV-1a hash of 64 bits.
pub(super) fn begins_stretch(word: &[u8]) -> bool {
    let step = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
    let hash = word.iter().fold(0xcbf2_9ce4_8422_2325, step);
    // The low bits of this hash are those of the last letters.
    (hash >> 32) % WORDS == 0
}

/// What the pieces say of a skill.
#[derive(PartialEq)]
pub(super) struct Shown {
    /// The bytes of its card.
    pub card: Box<[u8]>,
    pub namespace: u32,
}

/// All that pieces are made of.
#[derive(Clone, Copy)]
pub(super) struct Sources<'a> {
    pub postings: &'a Postings,
    pub shown: &'a HashMap<u64, Shown>,
    /// By their numbers.
    pub namespaces: &'a [Arc<str>],
}

/// Keys that stand in one piece, in order, with the bytes of their lists, and
/// the skills that need a card.
#[derive(Default)]
struct Block {
    keys: Vec<(Box<[u8]>, Vec<u8>)>,
    cards: Vec<u64>,
}

/// A piece.
pub(super) struct Made {
    pub first: Arc<[u8]>,
    pub bytes: Vec<u8>,
    /// What its bytes were taken for where it was cut.
    pub size: usize,
    /// The first key behind it. None where it is the last piece.
    pub next: Option<Box<[u8]>>,
}

/// Makes pieces one after the other.
pub(super) struct Cutter<'a> {
    sources: Sources<'a>,
    /// The rest of a word that was divided.
    left: std::vec::IntoIter<Block>,
}

impl<'a> Cutter<'a> {
    pub fn new(sources: Sources<'a>) -> Self {
        Self { sources, left: Vec::new().into_iter() }
    }

    /// The piece that begins with the key `from`, or with the first one behind
    /// it. None where there is none before `end`.
    pub fn piece(&mut self, from: &[u8], end: Option<&[u8]>) -> Option<Made> {
        let mut open = Open::new(self.sources.shown);
        let left = std::mem::take(&mut self.left);
        // What is left of a word is of use only to who goes on there.
        let mut left: Vec<_> = left.skip_while(|block| block.first() != from).collect();
        let start = match left.is_empty() {
            true => base(from).to_vec(),
            // The words behind the divided one begin behind all its keys.
            false => [base(from), &[SCOPED_PREFIX + 1]].concat(),
        };
        let mut next = None;
        let mut divided = Vec::new();
        let words = self.sources.postings.words(&start, end);
        for word in [None].into_iter().chain(words.map(Some)) {
            let blocks = match word {
                None => std::mem::take(&mut left),
                // Most words that are too large for what is left need no look.
                Some((word, lists)) if !open.keys.is_empty() && is_behind(open.size, word, &lists) => {
                    next = Some(first_key(word, &lists));
                    break;
                }
                Some((word, lists)) => blocks(word, &lists, &self.sources),
            };
            for block in blocks.into_iter().filter(|block| block.first() >= from) {
                if next.is_some() || !open.takes(&block) {
                    next.get_or_insert_with(|| block.first().into());
                    divided.push(block);
                } else {
                    open.push(block);
                }
            }
            if next.is_some() {
                break;
            }
        }
        self.left = divided.into_iter();
        open.close(next)
    }
}

/// Whether a word begins a piece behind one of that size, as far as that can be told
/// from how many postings it has, which have a byte each at least.
pub(super) fn is_behind(size: usize, word: &[u8], [own, prefix]: &[Listed<'_>; 2]) -> bool {
    let least = own.skills.len().min(MOST_POSTINGS) + prefix.skills.len().min(MOST_OF_PREFIX);
    begins_stretch(word) || size + least > LARGEST
}

/// The first key of a word.
pub(super) fn first_key(word: &[u8], [own, _]: &[Listed<'_>; 2]) -> Box<[u8]> {
    if own.skills.is_empty() { [word, &[PREFIX]].concat().into() } else { word.into() }
}

/// All keys of a word: it and its prefix together, then each with a namespace.
fn blocks(word: &[u8], [own, prefix]: &[Listed<'_>; 2], sources: &Sources<'_>) -> Vec<Block> {
    let mut head = Block::default();
    let mut scoped = Vec::new();
    let both =
        [(own, &[][..], SCOPED, MOST_POSTINGS), (prefix, &[PREFIX][..], SCOPED_PREFIX, MOST_OF_PREFIX)];
    for (listed, mark, scope, most) in both.into_iter().filter(|(listed, ..)| !listed.skills.is_empty()) {
        if listed.skills.len() > BEST {
            let most = most_in_namespace(scope == SCOPED_PREFIX);
            each_namespace(listed.skills, sources.namespaces, &mut |namespace, inside| {
                let mut block = Block::default();
                block.add([word, &[scope], namespace.as_bytes()].concat(), Listed::of(inside, most), most);
                scoped.push(block);
            });
        }
        head.add([word, mark].concat(), *listed, most);
    }
    scoped.insert(0, head);
    scoped
}

/// Calls `visit` with each namespace, in order, and the skills of it, by id; not at
/// all where all are of one.
fn each_namespace(skills: &[Packed], namespaces: &[Arc<str>], visit: &mut dyn FnMut(&str, &[Packed])) {
    // By the numbers of namespaces: how many skills each has, then where they end.
    let mut places = vec![0usize; namespaces.len()];
    for packed in skills {
        if let Some(count) = places.get_mut(packed.namespace() as usize) {
            *count += 1;
        }
    }
    let mut met: Vec<_> = (0..places.len()).filter(|number| places[*number] > 0).collect();
    if met.len() < 2 {
        return;
    }
    met.sort_unstable_by_key(|number| &*namespaces[*number]);
    let mut end = 0;
    for number in &met {
        end += std::mem::replace(&mut places[*number], end);
    }
    let mut sorted = skills.to_vec();
    for packed in skills {
        if let Some(place) = places.get_mut(packed.namespace() as usize) {
            sorted[*place] = *packed;
            *place += 1;
        }
    }
    let mut start = 0;
    for number in met {
        visit(&namespaces[number], &sorted[start..places[number]]);
        start = places[number];
    }
}

impl Block {
    fn first(&self) -> &[u8] {
        self.keys.first().map_or(&[], |(key, _)| key)
    }

    /// Whether its keys have a namespace.
    fn is_scoped(&self) -> bool {
        self.first().iter().any(|byte| matches!(*byte, SCOPED | SCOPED_PREFIX))
    }

    fn add(&mut self, key: Vec<u8>, listed: Listed<'_>, most: usize) {
        let until = |edge: Rank| move |packed: &&Packed| packed.rank() <= edge;
        let listing: Vec<Packed> = listed.skills.iter().filter(until(listed.last)).copied().collect();
        self.cards.extend(listing.iter().filter(until(listed.best)).map(|packed| packed.id()));
        let df = written_df(listed.skills.len(), most);
        let postings = listing.iter().map(|packed| packed.posting());
        self.keys.push((key.into(), encode_list(df, listing.len(), postings)));
    }
}

/// The piece that is being filled.
struct Open<'a> {
    shown: &'a HashMap<u64, Shown>,
    keys: Vec<(Box<[u8]>, Vec<u8>)>,
    cards: BTreeMap<u64, &'a [u8]>,
    size: usize,
    /// Whether all its keys have a namespace.
    is_scoped: bool,
}

impl<'a> Open<'a> {
    fn new(shown: &'a HashMap<u64, Shown>) -> Self {
        Self { shown, keys: Vec::new(), cards: BTreeMap::new(), size: 0, is_scoped: true }
    }

    fn card(&self, id: u64) -> &'a [u8] {
        self.shown.get(&id).map_or(&[], |shown| &shown.card)
    }

    /// Whether it may grow by these keys.
    fn takes(&self, block: &Block) -> bool {
        if self.keys.is_empty() {
            return true;
        }
        let largest = if self.is_scoped && block.is_scoped() { LARGEST_SCOPED } else { LARGEST };
        let size = self.size + size_of_keys(block);
        let new = || block.cards.iter().filter(|id| !self.cards.contains_key(id));
        size <= largest && size + new().map(|id| self.card(*id).len() + 2).sum::<usize>() <= largest
    }

    fn push(&mut self, block: Block) {
        self.is_scoped &= block.is_scoped();
        for id in &block.cards {
            let card = self.card(*id);
            if self.cards.insert(*id, card).is_none() {
                self.size += card.len() + 2;
            }
        }
        self.size += size_of_keys(&block);
        self.keys.extend(block.keys);
    }

    fn close(self, next: Option<Box<[u8]>>) -> Option<Made> {
        let (first, _) = self.keys.first()?;
        let cards = self.cards.iter().map(|(id, card)| (*id, *card));
        let keys = self.keys.iter().map(|(key, list)| (&**key, list.as_slice()));
        Some(Made { first: Arc::from(&**first), bytes: encode(cards, keys), size: self.size, next })
    }
}

fn size_of_keys(block: &Block) -> usize {
    block.keys.iter().map(|(key, list)| key.len() + list.len() + 4).sum()
}
