//! The index of a catalog's live skills, kept as the files that it is published
//! as: the server reads them in memory as others do from a disk.

use std::collections::BTreeSet;
use std::sync::Arc;

use registry::names::Namespace;
use registry::public::{CatalogClock, Id, PublicCatalog};

use super::manifest::Manifest;
use super::members::{Members, Touched};
use super::number::Damaged;
use super::popularity::popular;
use super::posting_list::PostingList;
use super::precomputed::{Looked, Precomputed, Sights, Stale};
use super::ranking::{Files, Found, find, octave};
use super::spelling::Spelling;
use super::stretches::Stretches;
use super::{PieceName, Query};

/// The index of a catalog's live skills.
#[derive(Default)]
pub struct Index {
    /// The state of the catalog that it is of.
    state: Option<(CatalogClock, u64)>,
    members: Members,
    stretches: Stretches,
    spelling: Spelling,
    manifest: Manifest,
    precomputed: Precomputed,
    /// How many words have a file of what they find.
    words: u64,
}

impl Index {
    /// Whether it is that of a catalog as it is.
    pub fn is_of(&self, catalog: &PublicCatalog) -> bool {
        self.state == Some((catalog.clock(), catalog.counter_generation()))
    }

    /// Whether it has ever been that of a catalog.
    pub fn is_made(&self) -> bool {
        self.state.is_some()
    }

    /// An index of nothing. `words` says how many words at most are queries with
    /// files of their own; with 0 slugs are none either.
    pub fn new(words: u64) -> Self {
        Self { precomputed: Precomputed::new(words), words, ..Self::default() }
    }

    /// Becomes that of a catalog as it is.
    pub fn catch_up(&mut self, catalog: &PublicCatalog) {
        let now = (catalog.clock(), catalog.counter_generation());
        // Until all of it is done, it is that of no state.
        let state = self.state.take();
        let touched = state.and_then(|(clock, _)| catalog.changed_since(clock));
        let touched: Option<Vec<_>> = touched.map(|touched| touched.take(self.most_updates() + 1).collect());
        match (touched, state) {
            (Some(touched), Some((_, generation))) if touched.len() <= self.most_updates() => {
                let (mut counted, mut seen) = (BTreeSet::new(), BTreeSet::new());
                for id in touched {
                    let mut touched = self.update(catalog, id);
                    counted.append(&mut touched.counted);
                    seen.append(&mut touched.seen);
                }
                self.take_in(&counted, &seen);
                for (_, id) in catalog.counters().changed_since(generation) {
                    self.note_touched(id.0, false);
                }
                self.follow_popularity(catalog);
            }
            _ => {
                self.make(catalog);
                self.manifest.popular = popular(catalog);
            }
        }
        let before = std::mem::replace(&mut self.manifest.skills, self.members.len());
        if octave(before) != octave(self.manifest.skills) {
            self.precomputed.stale.all = true;
        }
        self.state = Some(now);
    }

    /// How many skills are taken in one by one: for more, and where namespaces run
    /// out of numbers, making all of it anew costs less.
    fn most_updates(&self) -> usize {
        if self.members.is_worn_out() { 0 } else { (self.members.len() as usize / 8).max(500) }
    }

    fn follow_popularity(&mut self, catalog: &PublicCatalog) {
        let new = popular(catalog);
        let old = std::mem::take(&mut self.manifest.popular);
        let changed = |one: &[(u64, u8)], other: &[(u64, u8)]| -> Vec<u64> {
            let odd = one.iter().filter(|known| other.binary_search(known).is_err());
            odd.map(|(id, _)| *id).collect()
        };
        for id in changed(&old, &new).into_iter().chain(changed(&new, &old)) {
            self.note_touched(id, true);
        }
        self.manifest.popular = new;
    }

    /// Notes that the answers may be others that a skill is found by. Returns how it is:
    /// `is_popular` says that it is popular, whatever was known before.
    fn note_touched(&mut self, id: u64, is_popular: bool) -> Sights {
        if !self.precomputed.is_noting() {
            return Sights::default();
        }
        let is_popular = is_popular || self.manifest.class(id) > 0;
        let octave = octave(self.manifest.skills);
        let Some(looked) = Looked::new(&self.members, id, octave, is_popular) else {
            return Sights::default();
        };
        let sights = looked.sights();
        self.precomputed.touched(&looked, &sights);
        sights
    }

    /// Whether the answer to a query is a file of its own.
    pub fn is_precomputed(&self, query: &str) -> bool {
        self.precomputed.has(query)
    }

    /// Whether it is the slug of a live skill, and precomputed.
    pub(crate) fn is_slug(&self, query: &str) -> bool {
        self.precomputed.has(query) && self.precomputed.slugs.has(query)
    }

    /// The queries whose answers are files of their own, in no order.
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
        self.stretches.files.keys().chain(self.spelling.files.keys()).copied()
    }

    /// The bytes of one of them. None for any other.
    pub fn piece(&self, name: PieceName) -> Option<Arc<[u8]>> {
        self.stretches.files.get(&name).or_else(|| self.spelling.files.get(&name)).cloned()
    }

    /// How many pieces were cut since it was made, those that came out as before too:
    /// what following the catalog costs.
    pub fn cut(&self) -> u64 {
        self.stretches.cut
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
        let members = Members::of(&live);
        let stretches = Stretches::of(members.sources());
        let mut index = Self { members, stretches, ..Self::new(self.words) };
        let postings = &index.members.postings;
        for keys in postings.words(&[], None) {
            index.spelling.note(keys.word, keys.own.map_or(0, PostingList::len));
            index.precomputed.word(keys.word, postings);
        }
        for skill in &live {
            index.precomputed.add(skill.coordinate.slug.as_str(), skill.id.0, &index.members);
        }
        index.precomputed.stale = Stale { all: true, ..Stale::default() };
        index.list();
        *self = index;
    }

    /// Takes in what a skill is now.
    fn update(&mut self, catalog: &PublicCatalog, id: Id) -> Touched {
        let live = catalog.skill_by_id(id).filter(|skill| catalog.is_live(skill));
        let was_live = self.members.has(id.0);
        let before = self.note_touched(id.0, false);
        let mut touched = Touched::default();
        self.members.update(id.0, live, &mut touched);
        let Self { members, precomputed, .. } = self;
        for word in &touched.counted {
            precomputed.word(word, &members.postings);
        }
        if let Some(name) = catalog.name_of(id) {
            let slug = name.slug.as_str();
            match live {
                Some(_) if !was_live => precomputed.add(slug, id.0, members),
                None if was_live => precomputed.remove(slug, id.0, members),
                _ => precomputed.look(slug, members),
            }
        }
        for other in touched.moved.0.keys() {
            if let Some(name) = catalog.name_of(Id(*other)) {
                precomputed.look(name.slug.as_str(), members);
            }
        }
        if precomputed.is_noting() {
            let octave = octave(self.manifest.skills);
            for (other, came) in &touched.moved.0 {
                let is_popular = self.manifest.class(*other) > 0;
                if let Some(looked) = Looked::new(members, *other, octave, is_popular) {
                    precomputed.moved(&looked, came, &looked.sights());
                }
            }
        }
        let after = self.note_touched(id.0, false);
        self.precomputed.stepped((&before, &after), &touched.moved, &self.members);
        touched
    }

    /// Takes in how many skills some words have now, and which keys' lists are others.
    fn take_in(&mut self, counted: &BTreeSet<Arc<[u8]>>, seen: &BTreeSet<Arc<[u8]>>) {
        for word in counted {
            self.spelling.note(word, self.members.postings.under(word));
        }
        // Where no piece is another, no class of spelling is: that goes by `L(df)`.
        if !seen.is_empty() {
            self.stretches.update(self.members.sources(), seen);
            self.list();
        }
    }

    /// Lists the files in the manifest.
    fn list(&mut self) {
        self.manifest.shards = self.spelling.publish();
        self.manifest.pieces = self.stretches.pieces().collect();
    }
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
