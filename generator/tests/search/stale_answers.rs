//! Precomputed answers stay as they are until the index says that they may be stale.

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

fn answers(index: &Index, catalog: &PublicCatalog) -> BTreeMap<Arc<str>, String> {
    index.precomputed().map(|query| (Arc::clone(query), answer(index, catalog, query))).collect()
}

/// Changes a world step by step, updates the index after every `batch` changes, and fails if an
/// answer changes without being named.
fn change_and_compare(world: &mut World, max_words: u64, batch: usize, steps: Range<usize>) {
    let least = if world.max_counts()[0] > 3_000 { 2 } else { 20 };
    let shared = SharedIndex::new(max_words);
    assert!(shared.take_stale(&world.shelf.catalog).all);
    let mut kept = answers(&shared.current(&world.shelf.catalog), &world.shelf.catalog);
    assert!(kept.len() as u64 >= max_words.min(100));
    let mut changed = 0;
    for step in steps {
        if batch > 1 && step % 20 > 17 {
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
        if step % batch > 0 {
            continue;
        }
        let catalog = &world.shelf.catalog;
        let stale = shared.take_stale(catalog);
        let index = shared.current(catalog);
        let now = answers(&index, catalog);
        for query in kept.keys().chain(now.keys()).filter(|query| kept.get(*query) != now.get(*query)) {
            changed += 1;
            assert!(stale.all || stale.queries.contains(query), "step {step}: {query}");
        }
        assert!(now.keys().all(|query| index.is_precomputed(query)));
        kept = now;
    }
    assert!(changed >= least, "{changed}");
}

#[test]
fn stale_answers_of_rare_and_common_words_are_named() {
    change_and_compare(&mut World::new(2_000, 200), 300, 1, 0..60);
}

#[test]
fn stale_answers_of_words_with_many_skills_are_named() {
    let mut world = World::new(100, 600);
    let [word, _] = world.max_counts();
    assert!(word > 160, "not all skills of its list are candidates: {word}");
    change_and_compare(&mut world, 50, 1, 0..16);
}

#[test]
fn stale_answers_of_a_growing_registry_are_named() {
    change_and_compare(&mut World::new(300, 20), 100, 1, 0..160);
}

#[test]
fn stale_answers_of_several_changes_at_once_are_named() {
    change_and_compare(&mut World::new(200, 400), 100, 3, 0..90);
}

#[test]
fn stale_answers_of_cut_off_lists_are_named() {
    let mut world = World::new(3, 3_015);
    let [word, _] = world.max_counts();
    assert!((3_000..3_016).contains(&word), "a list has a few more skills than postings: {word}");
    change_and_compare(&mut world, 3, 1, 0..40);
}

#[test]
fn new_skill_makes_only_answers_to_its_own_words_stale() {
    let mut world = World::new(2_000, 400);
    let shared = SharedIndex::new(1_000);
    shared.take_stale(&world.shelf.catalog);
    world.publish_new();
    let stale = shared.take_stale(&world.shelf.catalog);
    // Sixteen words and two numbers, and those words that are the start of another one.
    assert!(!stale.all && (1..=40).contains(&stale.queries.len()), "{stale:?}");
}
