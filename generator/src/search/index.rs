//! The index of a catalog's live skills, kept as the files that it is published
//! as: the server reads them in memory as others do from a disk.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ops::Bound;
use std::sync::Arc;

use registry::names::Namespace;
use registry::public::{Id, Moment, PublicCatalog, Skill};

use super::cut::{Cutter, Shown, Sources, begins_stretch};
use super::found_by::{is_title_of, keys};
use super::manifest::{Manifest, SHARDS};
use super::number::Damaged;
use super::piece::{Card, PREFIX, base};
use super::popularity::popular;
use super::postings::{KeyNumber, Member, Postings};
use super::precomputed::{Precomputed, Stale};
use super::ranking::{Files, Found, find};
use super::spelling::{SHORTEST, Shard, class_of, shard_of};
use super::{PieceName, Query};

/// A piece with its first key.
type Placed = (Arc<[u8]>, PieceName);

/// The index of a catalog's live skills.
#[derive(Default)]
pub struct Index {
    /// The state of the catalog that it is of.
    state: Option<(Moment, u64)>,
    postings: Postings,
    shown: HashMap<u64, Shown>,
    /// All that were ever met, by their numbers, and the other way round.
    namespaces: Vec<Arc<str>>,
    numbers: HashMap<Arc<str>, u32>,
    /// The keys of each skill.
    keys: HashMap<u64, Box<[(KeyNumber, u8)]>>,
    /// By the word that begins it, each stretch's pieces with their first keys.
    stretches: BTreeMap<Arc<[u8]>, Vec<Placed>>,
    spelling: Vec<Shard>,
    files: HashMap<PieceName, Arc<[u8]>>,
    manifest: Manifest,
    precomputed: Precomputed,
    /// How many words have a file of what they find.
    words: u64,
}

impl Index {
    /// Whether it is that of a catalog as it is.
    pub fn is_of(&self, catalog: &PublicCatalog) -> bool {
        self.state == Some((catalog.moment(), catalog.counter_generation()))
    }

    /// An index of nothing. `words` says how many words at most are queries with
    /// files of their own; with 0 slugs are none either.
    pub fn new(words: u64) -> Self {
        Self { precomputed: Precomputed::new(words), words, ..Self::default() }
    }

    /// Becomes that of a catalog as it is.
    pub fn catch_up(&mut self, catalog: &PublicCatalog) {
        let now = (catalog.moment(), catalog.counter_generation());
        let touched = self.state.and_then(|(moment, _)| catalog.touched_since(moment));
        match (touched, self.state) {
            (Some(touched), Some((_, generation))) => {
                let mut words = BTreeSet::new();
                for id in touched {
                    self.update(catalog, id, &mut words);
                }
                self.cut(&words);
                for (_, id) in catalog.counters().changed_since(generation) {
                    self.note_touched(id.0);
                }
                self.follow_popularity(catalog);
            }
            _ => {
                self.make(catalog);
                self.manifest.popular = popular(catalog);
            }
        }
        let before = std::mem::replace(&mut self.manifest.skills, self.shown.len() as u64);
        if octave(before) != octave(self.manifest.skills) {
            self.precomputed.stale.all = true;
        }
        self.state = Some(now);
    }

    fn follow_popularity(&mut self, catalog: &PublicCatalog) {
        let new = popular(catalog);
        let old = std::mem::take(&mut self.manifest.popular);
        let changed = |one: &[(u64, u8)], other: &[(u64, u8)]| -> Vec<u64> {
            let odd = one.iter().filter(|known| other.binary_search(known).is_err());
            odd.map(|(id, _)| *id).collect()
        };
        for id in changed(&old, &new).into_iter().chain(changed(&new, &old)) {
            self.note_touched(id);
        }
        self.manifest.popular = new;
    }

    /// Notes that the answers may be others that a skill is found by.
    fn note_touched(&mut self, id: u64) {
        let keys = self.keys.get(&id).into_iter().flatten();
        let keys = keys.map(|(number, _)| &**self.postings.key(*number));
        self.precomputed.touched(keys, &self.postings);
    }

    /// Whether the answer to a query is a file of its own.
    pub fn is_precomputed(&self, query: &str) -> bool {
        self.precomputed.has(query)
    }

    /// The queries whose answers are files of their own.
    pub fn precomputed(&self) -> impl Iterator<Item = &Arc<str>> {
        self.precomputed.queries()
    }

    /// What has become stale among those files since it was last asked.
    pub fn take_stale(&mut self) -> Stale {
        std::mem::take(&mut self.precomputed.stale)
    }

    /// The manifest.
    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// The names of the pieces that the manifest leads to, in no order.
    pub fn pieces(&self) -> impl Iterator<Item = PieceName> {
        self.files.keys().copied()
    }

    /// The bytes of one of them. None for any other.
    pub fn piece(&self, name: PieceName) -> Option<Arc<[u8]>> {
        self.files.get(&name).cloned()
    }

    /// How many live skills there are.
    pub fn skills(&self) -> u64 {
        self.manifest.skills
    }

    /// What a query finds, in one namespace where that is given.
    pub fn find(&self, query: &Query, namespace: Option<&Namespace>) -> Result<Found, Damaged> {
        find(&self.manifest, &mut InMemory(self), query, namespace.map(Namespace::as_str))
    }

    /// Makes all of it anew.
    fn make(&mut self, catalog: &PublicCatalog) {
        let mut live: Vec<_> = catalog.skills().filter(|skill| catalog.is_live(skill)).collect();
        live.sort_unstable_by_key(|skill| skill.id);
        *self = Self { spelling: vec![Shard::default(); SHARDS], ..Self::new(self.words) };
        for skill in &live {
            let shown = self.shown(skill);
            self.shown.insert(skill.id.0, shown);
        }
        let member =
            |id: u64| Member { id, namespace: self.shown.get(&id).map_or(0, |shown| shown.namespace) };
        let keyed = keys_of_many(&live).map(|(id, keys)| (member(id), keys));
        let of_skill = &mut self.keys;
        self.postings = Postings::of(keyed, |id, keys| {
            of_skill.insert(id, keys);
        });
        for (key, skills) in self.postings.range(&[], None) {
            note(&mut self.spelling, key, skills.len());
        }
        for (word, ..) in self.postings.words(&[], None) {
            self.precomputed.word(word, &self.postings);
        }
        for skill in &live {
            self.precomputed.add(skill.coordinate.slug.as_str(), &self.postings);
        }
        self.precomputed.stale = Stale { all: true, ..Stale::default() };
        self.fill(&[], None, &BTreeSet::new());
        let all: BTreeSet<_> = (0..SHARDS).collect();
        self.publish_spelling(&all);
        self.list_pieces();
    }

    fn shown(&mut self, skill: &Skill) -> Shown {
        let coordinate = &skill.coordinate;
        let slug = coordinate.to_string();
        let name = skill.latest().map_or("", |face| &*face.name);
        let name = if is_title_of(name, coordinate.slug.as_str()) { "" } else { name };
        let card = Card { id: skill.id.0, slug: &slug, name }.encode();
        let namespace = coordinate.namespace.as_str();
        let number = match self.numbers.get(namespace) {
            Some(number) => *number,
            None => {
                let (name, number) = (Arc::<str>::from(namespace), self.namespaces.len() as u32);
                self.namespaces.push(Arc::clone(&name));
                self.numbers.insert(name, number);
                number
            }
        };
        Shown { card: card.into(), namespace: number }
    }

    /// Takes in what a skill is now. Adds the words whose keys are others.
    fn update(&mut self, catalog: &PublicCatalog, id: Id, words: &mut BTreeSet<Arc<[u8]>>) {
        let live = catalog.skill_by_id(id).filter(|skill| catalog.is_live(skill));
        let new_shown = live.map(|skill| self.shown(skill));
        let new_keys = live.and_then(keys).unwrap_or_default();
        let namespace = new_shown.as_ref().map_or(0, |shown| shown.namespace);
        let member = Member { id: id.0, namespace };
        self.note_touched(id.0);
        let old_keys = self.keys.remove(&id.0).unwrap_or_default();
        let old_shown = self.shown.remove(&id.0);
        if let (Some(_), None, Some(name)) = (&old_shown, &new_shown, catalog.name_of(id)) {
            self.precomputed.remove(name.slug.as_str());
        }
        let is_new = old_shown.is_none();
        let is_shown_so = match (&old_shown, &new_shown) {
            (Some(old), Some(new)) => old.card == new.card && old.namespace == new.namespace,
            (old, new) => old.is_none() && new.is_none(),
        };
        let mut touch = |key: &[u8]| {
            let word = base(key);
            if !words.contains(word) {
                words.insert(word.into());
            }
        };
        let mut kept = BTreeMap::new();
        for (number, impact) in &old_keys {
            let key = self.postings.key(*number);
            if new_keys.get(&**key) == Some(impact) {
                if !is_shown_so {
                    touch(key);
                }
                kept.insert(Arc::clone(key), *number);
            } else {
                touch(key);
                if !new_keys.contains_key(&**key) {
                    self.postings.remove(*number, id.0);
                }
            }
        }
        let keys = new_keys.into_iter().map(|(key, impact)| {
            let number = kept.get(key.as_slice()).copied().unwrap_or_else(|| {
                touch(&key);
                self.postings.insert(&key, member, impact)
            });
            (number, impact)
        });
        let keys: Box<[_]> = keys.collect();
        if let (Some(shown), Some(skill)) = (new_shown, live) {
            self.keys.insert(id.0, keys);
            self.shown.insert(id.0, shown);
            if is_new {
                self.precomputed.add(skill.coordinate.slug.as_str(), &self.postings);
            }
            self.note_touched(id.0);
        }
    }

    /// Makes the files of some words anew.
    fn cut(&mut self, words: &BTreeSet<Arc<[u8]>>) {
        let shards: BTreeSet<_> = words.iter().filter_map(|word| self.respell(word)).collect();
        for word in words {
            self.precomputed.word(word, &self.postings);
        }
        self.publish_spelling(&shards);
        let mut done: Arc<[u8]> = Arc::default();
        for word in words.iter() {
            if **word < *done {
                continue;
            }
            let start = self.stretch_of(word);
            let behind = self.stretches.range::<[u8], _>((Bound::Excluded(&**word), Bound::Unbounded)).next();
            let end = behind.map(|(begin, _)| Arc::clone(begin));
            self.fill(&start, end.as_deref(), words);
            match end {
                Some(end) => done = end,
                None => break,
            }
        }
        if !words.is_empty() {
            self.list_pieces();
        }
    }

    /// Where the stretch begins that a word is in.
    fn stretch_of(&self, word: &[u8]) -> Arc<[u8]> {
        let before = self.stretches.range::<[u8], _>((Bound::Unbounded, Bound::Included(word))).rev();
        // One whose first word has just gone belongs to the one before it.
        let mut begins = before.map(|(begin, _)| begin);
        begins.find(|begin| begin.is_empty() || self.has_word(begin)).cloned().unwrap_or_default()
    }

    fn has_word(&self, word: &[u8]) -> bool {
        self.postings.range(word, None).next().is_some_and(|(key, _)| base(key) == word)
    }

    /// Makes the pieces of the words from `start` on and before `end`. One is as
    /// it was where neither in it nor in the word behind it is any of `words`:
    /// where a piece ends depends on what comes next.
    fn fill(&mut self, start: &[u8], end: Option<&[u8]>, words: &BTreeSet<Arc<[u8]>>) {
        let bounds = (Bound::Included(start), end.map_or(Bound::Unbounded, Bound::Excluded));
        let begins: Vec<_> =
            self.stretches.range::<[u8], _>(bounds).map(|(begin, _)| Arc::clone(begin)).collect();
        let old: Vec<_> = begins.iter().filter_map(|begin| self.stretches.remove(begin)).flatten().collect();
        let is_clean = |at: usize| {
            let from = base(&old[at].0);
            let behind = old.get(at + 1).map(|(first, _)| Bound::Included(base(first)));
            let to = behind.unwrap_or(end.map_or(Bound::Unbounded, Bound::Included));
            words.range::<[u8], _>((Bound::Included(from), to)).next().is_none()
        };
        let mut new = Vec::<Placed>::new();
        let sources = Sources { postings: &self.postings, shown: &self.shown, namespaces: &self.namespaces };
        let mut cutter = Cutter::new(sources);
        let mut from: Option<Box<[u8]>> = Some(start.into());
        let mut made = Vec::new();
        while let Some(key) = from.take() {
            if let Ok(at) = old.binary_search_by(|(first, _)| (**first).cmp(&key))
                && is_clean(at)
            {
                new.push(old[at].clone());
                from = old.get(at + 1).map(|(first, _)| (**first).into());
            } else if let Some(piece) = cutter.piece(&key, end) {
                let name = PieceName::of(&piece.bytes);
                made.push((name, piece.bytes));
                new.push((piece.first, name));
                from = piece.next;
            }
        }
        let names: BTreeSet<_> = new.iter().map(|(_, name)| *name).collect();
        for (_, name) in old.iter().filter(|(_, name)| !names.contains(name)) {
            self.files.remove(name);
        }
        for (name, bytes) in made {
            self.files.entry(name).or_insert_with(|| bytes.into());
        }
        let mut begin: Arc<[u8]> = start.into();
        for (first, name) in new {
            let word = base(&first);
            let is_head =
                first.len() == word.len() || first.len() == word.len() + 1 && first.ends_with(&[PREFIX]);
            if is_head && begins_stretch(word) {
                begin = word.into();
            }
            self.stretches.entry(Arc::clone(&begin)).or_default().push((first, name));
        }
    }

    /// Notes how common a word is now. Returns its shard where that has changed.
    fn respell(&mut self, word: &[u8]) -> Option<usize> {
        let df = self.postings.under(word).len();
        note(&mut self.spelling, word, df)
    }

    fn publish_spelling(&mut self, shards: &BTreeSet<usize>) {
        for at in shards {
            let bytes = self.spelling[*at].encode();
            let name = (!bytes.is_empty()).then(|| PieceName::of(&bytes));
            if let Some(old) =
                std::mem::replace(&mut self.manifest.shards[*at], name).filter(|old| Some(*old) != name)
            {
                self.files.remove(&old);
            }
            if let Some(name) = name {
                self.files.insert(name, bytes.into());
            }
        }
    }

    fn list_pieces(&mut self) {
        self.manifest.pieces = self.stretches.values().flatten().cloned().collect();
    }
}

/// So many skills are read at once, so that what is read of them is not all in
/// memory.
const BATCH: usize = 4096;

/// The keys of many skills, in their order, found out by two threads.
fn keys_of_many<'a>(skills: &'a [&'a Skill]) -> impl Iterator<Item = (u64, BTreeMap<Vec<u8>, u8>)> + 'a {
    let read = |some: &[&Skill]| -> Vec<_> {
        some.iter().filter_map(|skill| Some((skill.id.0, keys(skill)?))).collect()
    };
    skills.chunks(BATCH).flat_map(move |batch| {
        let (one, other) = batch.split_at(batch.len() / 2);
        std::thread::scope(|scope| {
            let other = std::thread::Builder::new().spawn_scoped(scope, || read(other)).map_err(|_| other);
            let mut keyed = read(one);
            // Without a second thread the first one does it all.
            keyed.extend(match other {
                Ok(thread) => thread.join().unwrap_or_default(),
                Err(other) => read(other),
            });
            keyed
        })
    })
}

/// Notes how many skills have a word. Returns its shard where that has changed.
fn note(spelling: &mut [Shard], key: &[u8], df: usize) -> Option<usize> {
    let word = std::str::from_utf8(key).ok().filter(|_| base(key) == key)?;
    if word.chars().count() < SHORTEST {
        return None;
    }
    let at = shard_of(word);
    let words = &mut spelling[at].0;
    let class = (df > 0).then(|| class_of(df as u64));
    let before = match class {
        Some(class) => words.insert(word.into(), class),
        None => words.remove(word),
    };
    (before != class).then_some(at)
}

/// The files of an index that is all there.
struct InMemory<'a>(&'a Index);

impl Files for InMemory<'_> {
    type Error = Damaged;

    fn read(&mut self, names: &[PieceName]) -> Result<Vec<Arc<[u8]>>, Damaged> {
        let gone = Damaged("it leads to a piece that is not there");
        names.iter().map(|name| self.0.piece(*name).ok_or(gone)).collect()
    }
}

/// What of the number of skills counts in ranking.
pub(super) fn octave(skills: u64) -> u64 {
    skills.max(16).next_power_of_two()
}
