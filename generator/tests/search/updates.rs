//! An index that follows a catalog has the files of one that is built from it.

use std::collections::{BTreeMap, BTreeSet};

use generator::search::{Index, PieceName, SharedIndex, unpack};
use registry::public::{NamespaceStatus, PublicCatalog};

use crate::shelf::{Shelf, Text};
use crate::world::World;

/// All files of an index.
fn files(index: &Index) -> BTreeMap<String, Vec<u8>> {
    let pieces = index.pieces().map(|name| (name.to_string(), index.piece(name).unwrap().to_vec()));
    pieces.chain([("manifest".into(), index.manifest().encode())]).collect()
}

/// Fails if an index has other files than one that is built from the catalog.
fn assert_like_built(index: &Index, catalog: &PublicCatalog, step: usize) {
    let (updated, built) = (files(index), files(&SharedIndex::default().current(catalog)));
    let names = |of: &BTreeMap<String, Vec<u8>>, other: &BTreeMap<String, Vec<u8>>| {
        let odd = of.iter().filter(|(name, bytes)| other.get(*name) != Some(*bytes));
        odd.map(|(name, bytes)| format!("{name}: {}", String::from_utf8_lossy(bytes))).collect::<Vec<_>>()
    };
    let (old, new) = (names(&updated, &built), names(&built, &updated));
    assert!(old.is_empty() && new.is_empty(), "step {step}\n\nupdated: {old:#?}\n\nbuilt: {new:#?}");
}

/// Changes a world step by step, and compares all files every `interval` steps.
fn change_and_compare(world: &mut World, steps: usize, interval: usize) -> SharedIndex {
    let shared = SharedIndex::default();
    let mut before: BTreeSet<PieceName> = shared.current(&world.shelf.catalog).pieces().collect();
    for step in 0..steps {
        world.change(step);
        if step % 3 == 0 {
            let after: BTreeSet<PieceName> = shared.current(&world.shelf.catalog).pieces().collect();
            // Three changes with fifteen words each.
            let new = after.difference(&before).count();
            assert!(new < 120, "step {step}: {new}");
            before = after;
        }
        if step % interval == interval - 1 {
            assert_like_built(&shared.current(&world.shelf.catalog), &world.shelf.catalog, step);
        }
    }
    shared
}

#[test]
fn updated_index_equals_a_built_one() {
    let mut world = World::new(300, 700);
    let [word, _] = world.max_counts();
    assert!(word > 160, "a key has more skills than cards: {word}");
    let shared = change_and_compare(&mut world, 120, 20);
    for status in [NamespaceStatus::Archived, NamespaceStatus::Active] {
        world.shelf.namespace("acme", status);
        assert_like_built(&shared.current(&world.shelf.catalog), &world.shelf.catalog, 120);
    }
}

#[test]
fn updated_index_with_cut_off_lists_equals_a_built_one() {
    let mut world = World::new(8, 2_300);
    let [_, prefix] = world.max_counts();
    assert!(prefix > 2_000, "a key of a prefix has more skills than postings: {prefix}");
    change_and_compare(&mut world, 30, 15);
}

#[test]
fn updated_index_with_many_namespaces_equals_a_built_one() {
    let teams: Vec<String> = (0..400).map(|team| format!("team-{team}")).collect();
    let mut world = World::in_namespaces(6, 2_000, &teams);
    let shared = change_and_compare(&mut world, 30, 10);
    for status in [NamespaceStatus::Archived, NamespaceStatus::Active] {
        world.shelf.namespace("team-7", status);
        assert_like_built(&shared.current(&world.shelf.catalog), &world.shelf.catalog, 30);
    }
}

#[test]
fn change_of_a_card_cuts_only_pieces_that_show_it() {
    let mut shelf = Shelf::new();
    let text = |number: usize| {
        let words: Vec<_> = (0..20).map(|word| format!("w{}x", (number * 7 + word * 131) % 3_000)).collect();
        Text::new(&format!("skill-{number}x"), &words.join(" "))
    };
    for number in 0..2_000 {
        shelf.publish(&text(number), "1.0.0");
    }
    let shared = SharedIndex::default();
    let state = |shelf: &Shelf| {
        let index = shared.current(&shelf.catalog);
        (index.pieces_cut(), index.manifest().pieces.len() as u64)
    };
    let (before, all) = state(&shelf);
    assert!(all > 10, "{all}");
    // The version is shown only where a word of the name is.
    shelf.publish(&text(0), "1.1.0");
    let cut = state(&shelf).0 - before;
    assert!((1..=4).contains(&cut), "{cut} of {all} pieces were cut");
    let before = state(&shelf).0;
    shelf.publish(&Text { name: "Otherwise".into(), ..text(0) }, "1.2.0");
    let cut = state(&shelf).0 - before;
    assert!((5..=20).contains(&cut), "{cut} of {all} pieces were cut");
    assert_like_built(&shared.current(&shelf.catalog), &shelf.catalog, 0);
}

#[test]
fn updated_index_with_many_words_equals_a_built_one() {
    let mut world = World::new(8_000, 600);
    let shared = change_and_compare(&mut world, 120, 20);
    let texts = std::mem::take(&mut world.texts);
    for text in &texts {
        world.shelf.remove(text);
    }
    let index = shared.current(&world.shelf.catalog);
    assert_eq!(index.pieces().count(), 0);
    assert_like_built(&index, &world.shelf.catalog, 120);
}

#[test]
fn pieces_are_limited_in_size_and_named_by_their_bytes() {
    let teams: Vec<_> = (0..12).map(|team| format!("team-{team}")).collect();
    let world = World::in_namespaces(40, 9_000, &teams);
    let shared = SharedIndex::default();
    let index = shared.current(&world.shelf.catalog);
    for name in index.pieces() {
        let bytes = index.piece(name).unwrap();
        assert_eq!(PieceName::of(&bytes), name);
        // A namespace alone may be larger: its key has a thousand cards.
        let length = unpack(&bytes).unwrap().len();
        assert!(length <= 100 * 1024, "{name} {length}");
    }
    let listed = index.manifest().pieces.iter().map(|(_, name)| *name);
    let listed: BTreeSet<_> = listed.chain(index.manifest().shards.iter().flatten().copied()).collect();
    assert_eq!(listed, index.pieces().collect());
}

#[test]
fn skill_after_all_cutoffs_changes_no_piece_of_a_word() {
    let mut shelf = Shelf::new();
    shelf.namespace("acme", NamespaceStatus::Active);
    let text = |slug: &str, namespace: &str| {
        // With other words around it, the common one has a piece without the namespaces.
        let around = slug.bytes().fold(0u64, |sum, byte| sum * 31 + u64::from(byte)) % 10_000;
        Text::new(slug, &format!("A common text, bbb{around} ddd{around}.")).of(namespace)
    };
    for number in 0..3_300 {
        let namespace = if number % 10 == 0 { "acme" } else { "global" };
        shelf.publish(&text(&format!("skill-{number}"), namespace), "1.0.0");
    }
    let shared = SharedIndex::default();
    let list = |catalog: &PublicCatalog| {
        let index = shared.current(catalog);
        let place = index.manifest().position(b"common").unwrap();
        index.manifest().pieces[place].1
    };
    let before = list(&shelf.catalog);
    // 3,000 skills have a posting.
    shelf.publish(&Text::new("yy-zz", "A common text, zzz yyy."), "1.0.0");
    assert_eq!(list(&shelf.catalog), before);
    assert_like_built(&shared.current(&shelf.catalog), &shelf.catalog, 0);
    // A skill with a posting is removed, and another one gets a posting.
    shelf.remove(&text("skill-1", "global"));
    assert_ne!(list(&shelf.catalog), before);
    assert_like_built(&shared.current(&shelf.catalog), &shelf.catalog, 2);
}
