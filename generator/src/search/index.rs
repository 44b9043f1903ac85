//! The index of a catalog's live skills, kept in memory as the files that it is published as.
//! The server reads them there as other readers do from a host.

use std::collections::BTreeSet;
use std::sync::Arc;

use registry::names::Namespace;
use registry::public::{CatalogClock, Id, PublicCatalog};

use super::builder::KeyGroup;
use super::builder::{Chunks, IndexChanges, LiveSkills, Spelling};
use super::format::keys::{Key, group_of, is_body};
use super::format::piece_file::IndexFile;
use super::popularity::popular;
use super::precomputed::Precomputed;
use super::query::weight::size_class;
use super::{Damaged, IndexFiles, Manifest, PieceName, Query, SearchResults, StaleAnswers, find};

/// The index of a catalog's live skills.
#[derive(Default)]
pub struct Index {
    /// The state of the catalog that it shows. None before the first build.
    state: Option<(CatalogClock, u64)>,
    skills: LiveSkills,
    chunks: Chunks,
    spelling: Spelling,
    manifest: Manifest,
    precomputed: Precomputed,
}

impl Index {
    /// An empty index. The answers to at most `max_words` words are precomputed.
    pub fn new(max_words: u64) -> Self {
        Self { precomputed: Precomputed::new(max_words), ..Self::default() }
    }

    /// Largest number of words with precomputed answers.
    pub(super) fn max_words(&self) -> u64 {
        self.precomputed.max_words()
    }

    /// Whether it shows the catalog's current state.
    pub fn is_current(&self, catalog: &PublicCatalog) -> bool {
        self.state == Some((catalog.clock(), catalog.counter_generation()))
    }

    /// Whether it was ever built.
    pub fn is_built(&self) -> bool {
        self.state.is_some()
    }

    /// Updates it to the catalog's current state.
    pub fn catch_up(&mut self, catalog: &PublicCatalog) {
        let changes = self.read_changes(catalog);
        let mut next = Some(Arc::default());
        while let Some(from) = next {
            next = self.write_next(&changes, &from);
        }
    }

    /// Updates all but its files to the catalog's current state. Returns what
    /// [`Self::write_next`] must write before the index is used.
    pub(super) fn read_changes(&mut self, catalog: &PublicCatalog) -> IndexChanges {
        let now = (catalog.clock(), catalog.counter_generation());
        // Until the update is complete, it shows no state.
        let state = self.state.take();
        let changed = state.and_then(|(clock, _)| catalog.changed_since(clock));
        let (max, mut changes) = (self.max_updates(), IndexChanges::default());
        let changed: Option<Vec<_>> = changed.map(|changed| changed.take(max + 1).collect());
        match (changed, state) {
            (Some(changed), Some((_, generation))) if changed.len() <= max => {
                changed.into_iter().for_each(|id| self.update(catalog, id, &mut changes));
                self.count_words(&changes);
                for (_, id) in catalog.counters().changed_since(generation) {
                    self.note_touched(id.0);
                }
                self.update_popularity(catalog);
            }
            _ => {
                self.rebuild(catalog);
                self.manifest.popular = popular(catalog);
            }
        }
        let before = std::mem::replace(&mut self.manifest.skills, self.skills.len());
        if size_class(before) != size_class(self.manifest.skills) {
            self.precomputed.stale.all = true;
        }
        self.state = Some(now);
        changes
    }

    /// Number of skills above which a rebuild costs less than updates one by one.
    fn max_updates(&self) -> usize {
        (self.skills.len() as usize / 8).max(500)
    }

    fn update_popularity(&mut self, catalog: &PublicCatalog) {
        let new = popular(catalog);
        let old = std::mem::take(&mut self.manifest.popular);
        for (list, other) in [(&old, &new), (&new, &old)] {
            for skill in list.iter().filter(|known| other.binary_search(known).is_err()) {
                self.note_touched(skill.id);
            }
        }
        self.manifest.popular = new;
    }

    /// Notes that the answers which find a skill may be stale: those to all words in the groups of
    /// its keys.
    fn note_touched(&mut self, id: u64) {
        let Self { skills, precomputed, .. } = self;
        // Precomputed answers are to one word, for which words of texts do not count.
        let keys = skills.keys(id).filter(|key| !is_body(key));
        let groups: BTreeSet<_> = keys.map(|key| group_of(key)).collect();
        for group in groups {
            let found = skills.postings.groups(group, None).next();
            found.iter().flat_map(KeyGroup::words).for_each(|(word, _)| precomputed.touched(word));
        }
        for key in skills.keys(id) {
            if let Some(Key::Prefix(prefix)) = Key::decode(key) {
                precomputed.touched(prefix);
            }
        }
    }

    /// Whether the answer to a query is precomputed.
    pub fn is_precomputed(&self, query: &str) -> bool {
        self.precomputed.has(query)
    }

    /// The queries whose answers are precomputed, in no order.
    pub fn precomputed(&self) -> impl Iterator<Item = &Arc<str>> {
        self.precomputed.queries()
    }

    /// Takes the list of precomputed answers that may be stale since the last call.
    pub fn take_stale(&mut self) -> StaleAnswers {
        std::mem::take(&mut self.precomputed.stale)
    }

    /// The manifest.
    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// The names of the pieces and shards in the manifest, in no order.
    pub fn pieces(&self) -> impl Iterator<Item = PieceName> {
        self.chunks.files.keys().chain(self.spelling.files.keys()).copied()
    }

    /// The bytes of a piece or shard. None if the manifest lacks it.
    pub fn piece(&self, name: PieceName) -> Option<Arc<[u8]>> {
        self.file(name).map(|file| Arc::clone(&file.bytes))
    }

    fn file(&self, name: PieceName) -> Option<&IndexFile> {
        self.chunks.files.get(&name).or_else(|| self.spelling.files.get(&name))
    }

    /// Number of pieces that were cut since the build, unchanged ones too. This is the cost of
    /// following the catalog.
    pub fn pieces_cut(&self) -> u64 {
        self.chunks.pieces_cut
    }

    /// Finds the skills of a query, in one namespace if given.
    pub fn find(&self, query: &Query, namespace: Option<&Namespace>) -> Result<SearchResults, Damaged> {
        find(&self.manifest, &mut &*self, query, namespace.map(Namespace::as_str))
    }

    fn rebuild(&mut self, catalog: &PublicCatalog) {
        let mut live: Vec<_> = catalog.skills().filter(|skill| catalog.is_live(skill)).collect();
        live.sort_unstable_by_key(|skill| skill.id);
        let skills = LiveSkills::of(&live);
        let chunks = Chunks::of(skills.piece_input());
        let mut index = Self { skills, chunks, ..Self::new(self.max_words()) };
        let postings = &index.skills.postings;
        for group in postings.groups(&[], None) {
            let df = group.df();
            for (word, count) in group.words() {
                index.spelling.set(word, df);
                index.precomputed.set_count(word, count);
            }
        }
        index.precomputed.stale = StaleAnswers { all: true, ..StaleAnswers::default() };
        index.list_files();
        *self = index;
    }

    /// Updates one skill.
    fn update(&mut self, catalog: &PublicCatalog, id: Id, changes: &mut IndexChanges) {
        let live = catalog.skill_by_id(id).filter(|skill| catalog.is_live(skill));
        self.note_touched(id.0);
        self.skills.update(id.0, live, changes);
        self.note_touched(id.0);
    }

    /// Counts the skills that have the words of changed keys.
    fn count_words(&mut self, changes: &IndexChanges) {
        for key in &changes.keys {
            if let Some(Key::Word(word)) = Key::decode(key) {
                let count = self.skills.postings.count(key);
                if count == 0 {
                    self.spelling.set(word, 0);
                }
                self.precomputed.set_count(word, count);
            }
        }
        for name in &changes.groups {
            let group =
                self.skills.postings.groups(name, None).next().filter(|group| group.name() == &**name);
            if let Some(group) = group {
                let df = group.df();
                group.words().for_each(|(word, _)| self.spelling.set(word, df));
            }
        }
    }

    /// Writes a few of the files again that have changed groups, from the group `from` on. Returns where to
    /// go on; `None` if all are written.
    pub(super) fn write_next(&mut self, changes: &IndexChanges, from: &[u8]) -> Option<Arc<[u8]>> {
        let next = self.chunks.update_next(self.skills.piece_input(), &changes.groups, from);
        // A frequency class depends on the logarithm of the written `df`. It changes only with a piece.
        if next.is_none() && !changes.groups.is_empty() {
            self.list_files();
        }
        next
    }

    /// Lists the files in the manifest.
    fn list_files(&mut self) {
        self.manifest.shards = self.spelling.encode_changed();
        self.manifest.pieces = self.chunks.pieces().collect();
    }
}

impl IndexFiles for &Index {
    type Error = Damaged;

    fn read(&mut self, names: &[PieceName]) -> Result<Vec<Arc<[u8]>>, Damaged> {
        let missing = Damaged("the manifest lists a piece that does not exist");
        let content = |name| self.file(name).map(|file| Arc::clone(&file.content));
        names.iter().map(|name| content(*name).ok_or(missing)).collect()
    }
}
