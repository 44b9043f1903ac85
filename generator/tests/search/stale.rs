//! Answers that are kept are those that would be given anew, unless the index
//! said that they are stale.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use generator::search::{Index, Query, SharedIndex};
use registry::public::{Counters, Id, NamespaceStatus, PublicCatalog};

use crate::world::World;

/// What a query shows: how much it finds, and the first twenty as they are, with
/// their scores, so that what may change their order is seen before it does.
fn answer(index: &Index, catalog: &PublicCatalog, query: &str) -> String {
    let found = index.find(&Query::new(query), None).unwrap();
    let shown = found.hits.iter().take(20).map(|hit| {
        let skill = catalog.skill_by_id(Id(hit.id)).unwrap();
        let shown = (&skill.coordinate, skill.updated_revision, skill.counters.downloads);
        format!("{} {} {} {}", shown.0, shown.1, shown.2, hit.score)
    });
    format!("{} {:?}", found.hits.len(), shown.collect::<Vec<_>>())
}

/// How the index is asked.
#[derive(Clone, Copy)]
struct Asking {
    /// How many words are precomputed at most.
    precomputed: u64,
    /// How many changes it takes in at once.
    batch: usize,
    /// Of so many queries one is looked at.
    of: usize,
    /// Of so many answers at most one is said to be stale.
    named: usize,
}

impl Asking {
    fn each(precomputed: u64) -> Self {
        Self { precomputed, batch: 1, of: 1, named: 3 }
    }

    fn answers(self, index: &Index, catalog: &PublicCatalog) -> BTreeMap<Arc<str>, String> {
        let is_looked_at = |query: &&Arc<str>| query.bytes().map(usize::from).sum::<usize>() % self.of == 0;
        let queries = index.precomputed().filter(is_looked_at);
        queries.map(|query| (Arc::clone(query), answer(index, catalog, query))).collect()
    }
}

/// Returns how many answers were said to be stale, and how many of those that are looked at
/// did change.
fn hold(world: &mut World, asking: Asking, steps: Range<usize>) -> [usize; 2] {
    let shared = SharedIndex::new(asking.precomputed);
    assert!(shared.take_stale(&world.shelf.catalog).all);
    let mut kept = asking.answers(&shared.current(&world.shelf.catalog), &world.shelf.catalog);
    assert!(kept.len() as u64 >= asking.precomputed.min(100));
    let (mut changed, mut named) = (0, 0);
    for step in steps.clone() {
        if asking.batch > 1 && step % 20 > 17 {
            let status = [NamespaceStatus::Archived, NamespaceStatus::Active][step % 2];
            world.shelf.namespace("acme", status);
        }
        if step % 4 == 3 {
            let ids: Vec<_> = world.shelf.catalog.skills().map(|skill| skill.id).collect();
            let id = ids.into_iter().min_by_key(|id| id.0.wrapping_mul(step as u64 * 7919) % 1009).unwrap();
            let downloads = (step as u64).pow(3);
            let counters = Counters { downloads, ..Counters::default() };
            world.shelf.catalog.publish_counters(&[(id, counters, step as u64 + 1)]);
        } else {
            world.change(step);
        }
        if step % asking.batch > 0 {
            continue;
        }
        let catalog = &world.shelf.catalog;
        let stale = shared.take_stale(catalog);
        let index = shared.current(catalog);
        let now = asking.answers(&index, catalog);
        if !stale.all {
            named += stale.queries.len();
            let is_other = |query: &&Arc<str>| kept.get(*query) != now.get(*query);
            changed += stale.queries.iter().filter(is_other).count();
            kept.retain(|query, _| !stale.queries.contains(query));
            for (query, was) in &kept {
                assert_eq!(now.get(query), Some(was), "step {step}: {query}");
            }
            for query in now.keys().filter(|query| !kept.contains_key(*query)) {
                assert!(stale.queries.contains(query), "step {step}: {query} is new");
            }
        }
        assert!(now.keys().all(|query| index.is_precomputed(query)));
        kept = now;
    }
    // It is of use only if it does not name everything.
    let all = kept.len() * asking.of * steps.len() / asking.batch;
    assert!(named < all / asking.named, "{named} of {all} in {steps:?} ({changed})");
    [named, changed]
}

#[test]
fn rare_words_and_common_ones() {
    hold(&mut World::new(2_000, 200), Asking::each(300), 0..60);
}

#[test]
fn words_that_many_skills_have() {
    let mut world = World::new(100, 600);
    let [word, _] = world.most();
    assert!(word > 160, "its list leaves skills out of its best: {word}");
    hold(&mut world, Asking::each(50), 0..16);
}

#[test]
fn a_registry_that_grows() {
    hold(&mut World::new(300, 20), Asking::each(100), 0..160);
}

#[test]
fn changes_that_are_taken_in_together() {
    let asking = Asking { batch: 3, ..Asking::each(100) };
    hold(&mut World::new(200, 400), asking, 0..90);
}

#[test]
fn lists_that_leave_skills_out() {
    let mut world = World::new(3, 3_015);
    let [word, _] = world.most();
    assert!((3_000..3_016).contains(&word), "a list has a few skills more than postings: {word}");
    let asking = Asking { of: 3, ..Asking::each(3) };
    let [_, changed] = hold(&mut world, asking, 0..40);
    (0..30).for_each(|_| world.publish_new());
    let [_, more] = hold(&mut world, asking, 40..60);
    assert!(changed + more > 10, "{changed} and {more}");
}

#[test]
fn slugs_of_common_words_alone() {
    // Of a slug of three words no skill need be among the best of any.
    let mut world = World::of_bare_slugs(4, 900, 40);
    let [word, _] = world.most();
    assert!(world.texts.len() > 400 && word > 400, "{word} of {}", world.texts.len());
    let asking = Asking { named: 2, ..Asking::each(40) };
    let [_, changed] = hold(&mut world, asking, 0..60);
    assert!(changed > 40, "{changed}");
}

#[test]
fn little_is_named_that_stays() {
    // Words that more skills have than an answer shows, and than are candidates.
    for (words, texts, more_than) in [(40, 170, 100), (200, 500, 160)] {
        let mut world = World::new(words, texts);
        let [word, _] = world.most();
        assert!(word > more_than, "{word}");
        let [named, changed] = hold(&mut world, Asking::each(60), 0..60);
        assert!(named < changed * 2, "{named} for {changed}");
    }
}
