//! Precomputed answers stay correct until the index says that they are stale.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use generator::search::{Index, Query, SharedIndex};
use registry::public::{Counters, Id, NamespaceStatus, PublicCatalog};

use crate::world::World;

/// The answer to a query: the total and the first twenty skills. Scores are compared too, so
/// that a wrong one is noticed before it changes the order.
fn answer(index: &Index, catalog: &PublicCatalog, query: &str) -> String {
    let found = index.find(&Query::new(query), None).unwrap();
    let shown = found.hits.iter().take(20).map(|hit| {
        let skill = catalog.skill_by_id(Id(hit.id)).unwrap();
        let shown = (&skill.coordinate, skill.updated_revision, skill.counters.downloads);
        format!("{} {} {} {}", shown.0, shown.1, shown.2, hit.score)
    });
    format!("{} {:?}", found.hits.len(), shown.collect::<Vec<_>>())
}

/// How a world is checked.
#[derive(Clone, Copy)]
struct Check {
    /// Largest number of words with precomputed answers.
    max_words: u64,
    /// Number of changes between two updates of the index.
    batch: usize,
    /// One of so many queries is compared.
    one_of: usize,
    /// At most one of so many answers may be named as stale.
    max_named: usize,
}

impl Check {
    fn each_change(max_words: u64) -> Self {
        Self { max_words, batch: 1, one_of: 1, max_named: 3 }
    }

    fn answers(self, index: &Index, catalog: &PublicCatalog) -> BTreeMap<Arc<str>, String> {
        let is_compared =
            |query: &&Arc<str>| query.bytes().map(usize::from).sum::<usize>() % self.one_of == 0;
        let queries = index.precomputed().filter(is_compared);
        queries.map(|query| (Arc::clone(query), answer(index, catalog, query))).collect()
    }
}

/// Changes a world step by step. Returns how many answers were named as stale, and how many of
/// the compared ones did change.
fn change_and_compare(world: &mut World, check: Check, steps: Range<usize>) -> [usize; 2] {
    let shared = SharedIndex::new(check.max_words);
    assert!(shared.take_stale(&world.shelf.catalog).all);
    let mut kept = check.answers(&shared.current(&world.shelf.catalog), &world.shelf.catalog);
    assert!(kept.len() as u64 >= check.max_words.min(100));
    let (mut changed, mut named) = (0, 0);
    for step in steps.clone() {
        if check.batch > 1 && step % 20 > 17 {
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
        if step % check.batch > 0 {
            continue;
        }
        let catalog = &world.shelf.catalog;
        let stale = shared.take_stale(catalog);
        let index = shared.current(catalog);
        let now = check.answers(&index, catalog);
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
    // The list is useful only if it does not name everything.
    let all = kept.len() * check.one_of * steps.len() / check.batch;
    assert!(named < all / check.max_named, "{named} of {all} in {steps:?} ({changed})");
    [named, changed]
}

#[test]
fn stale_answers_of_rare_and_common_words_are_named() {
    change_and_compare(&mut World::new(2_000, 200), Check::each_change(300), 0..60);
}

#[test]
fn stale_answers_of_words_with_many_skills_are_named() {
    let mut world = World::new(100, 600);
    let [word, _] = world.max_counts();
    assert!(word > 160, "not all skills of its list are candidates: {word}");
    change_and_compare(&mut world, Check::each_change(50), 0..16);
}

#[test]
fn stale_answers_of_a_growing_registry_are_named() {
    change_and_compare(&mut World::new(300, 20), Check::each_change(100), 0..160);
}

#[test]
fn stale_answers_of_several_changes_at_once_are_named() {
    let check = Check { batch: 3, ..Check::each_change(100) };
    change_and_compare(&mut World::new(200, 400), check, 0..90);
}

#[test]
fn stale_answers_of_cut_off_lists_are_named() {
    let mut world = World::new(3, 3_015);
    let [word, _] = world.max_counts();
    assert!((3_000..3_016).contains(&word), "a list has a few more skills than postings: {word}");
    let check = Check { one_of: 3, ..Check::each_change(3) };
    let [_, changed] = change_and_compare(&mut world, check, 0..40);
    (0..30).for_each(|_| world.publish_new());
    let [_, more] = change_and_compare(&mut world, check, 40..60);
    assert!(changed + more > 10, "{changed} and {more}");
}

#[test]
fn stale_answers_of_slugs_of_common_words_are_named() {
    // A skill with the three words of a slug may be a candidate of none of them.
    let mut world = World::of_bare_slugs(4, 900, 40);
    let [word, _] = world.max_counts();
    assert!(world.texts.len() > 400 && word > 400, "{word} of {}", world.texts.len());
    let check = Check { max_named: 2, ..Check::each_change(40) };
    let [_, changed] = change_and_compare(&mut world, check, 0..60);
    assert!(changed > 40, "{changed}");
}

#[test]
fn few_answers_that_stay_are_named() {
    // Words with more skills than an answer shows, and with more than are candidates.
    for (words, texts, more_than) in [(40, 170, 100), (200, 500, 160)] {
        let mut world = World::new(words, texts);
        let [word, _] = world.max_counts();
        assert!(word > more_than, "{word}");
        let [named, changed] = change_and_compare(&mut world, Check::each_change(60), 0..60);
        assert!(named < changed * 2, "{named} for {changed}");
    }
}
