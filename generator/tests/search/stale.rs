//! Answers that are kept are those that would be given anew, unless the index
//! said that they are stale.

use std::collections::BTreeMap;
use std::sync::Arc;

use generator::search::{Index, Query, Shared};
use registry::public::{Counters, Id, PublicCatalog};

use crate::world::World;

/// What a query shows: how much it finds, and the first twenty as they are.
fn answer(index: &Index, catalog: &PublicCatalog, query: &str) -> String {
    let found = index.find(&Query::new(query), None).unwrap();
    let shown = found.hits.iter().take(20).map(|hit| {
        let skill = catalog.skill_by_id(Id(hit.id)).unwrap();
        format!("{} {} {}", skill.coordinate, skill.updated_revision, skill.counters.downloads)
    });
    format!("{} {:?}", found.hits.len(), shown.collect::<Vec<_>>())
}

fn answers(index: &Index, catalog: &PublicCatalog) -> BTreeMap<Arc<str>, String> {
    index.precomputed().map(|query| (Arc::clone(query), answer(index, catalog, query))).collect()
}

fn hold(world: &mut World, precomputed: u64, steps: usize) {
    let shared = Shared::new(precomputed);
    assert!(shared.take_stale(&world.shelf.catalog).all);
    let mut kept = answers(&shared.of(&world.shelf.catalog), &world.shelf.catalog);
    assert!(kept.len() as u64 >= precomputed.min(100));
    let (mut changed, mut named) = (0, 0);
    for step in 0..steps {
        if step % 4 == 3 {
            let ids: Vec<_> = world.shelf.catalog.skills().map(|skill| skill.id).collect();
            let id = ids.into_iter().min_by_key(|id| id.0.wrapping_mul(step as u64 * 7919) % 1009).unwrap();
            let downloads = (step as u64).pow(3);
            let counters = Counters { downloads, ..Counters::default() };
            world.shelf.catalog.publish_counters(&[(id, counters, step as u64 + 1)]);
        } else {
            world.change(step);
        }
        let catalog = &world.shelf.catalog;
        let stale = shared.take_stale(catalog);
        let index = shared.of(catalog);
        let now = answers(&index, catalog);
        if !stale.all {
            kept.retain(|query, _| !stale.queries.contains(query));
            named += stale.queries.len();
            for (query, was) in &kept {
                assert_eq!(now.get(query), Some(was), "step {step}: {query}");
            }
            for query in now.keys().filter(|query| !kept.contains_key(*query)) {
                assert!(stale.queries.contains(query), "step {step}: {query} is new");
            }
            changed += now.iter().filter(|(query, _)| !kept.contains_key(*query)).count();
        }
        assert!(now.keys().all(|query| index.is_precomputed(query)));
        kept = now;
    }
    // It is of use only if it does not name everything.
    assert!(named < kept.len() * steps / 3, "{named} of {} in {steps} steps ({changed})", kept.len());
}

#[test]
fn rare_words_and_common_ones() {
    hold(&mut World::new(2_000, 200), 300, 60);
}

#[test]
fn words_that_many_skills_have() {
    let mut world = World::new(100, 600);
    let [word, _] = world.most();
    assert!(word > 160, "its list leaves skills out of its best: {word}");
    hold(&mut world, 50, 16);
}

#[test]
fn a_registry_that_grows() {
    hold(&mut World::new(300, 20), 100, 160);
}
