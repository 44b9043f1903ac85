//! An index that follows a catalog has the files of one that is built from it.

use std::collections::{BTreeMap, BTreeSet};

use generator::search::{Index, PieceName, SharedIndex};
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
    let split = {
        let index = shared.current(&world.shelf.catalog);
        let firsts = index.manifest().pieces.iter().map(|(first, _)| first);
        firsts.filter(|first| first.contains(&1)).count()
    };
    assert!(split > 3, "the lists by namespace of one word are in several pieces: {split}");
    for status in [NamespaceStatus::Archived, NamespaceStatus::Active] {
        world.shelf.namespace("team-7", status);
        assert_like_built(&shared.current(&world.shelf.catalog), &world.shelf.catalog, 30);
    }
}

#[test]
fn lists_by_namespace_come_and_go_with_the_length_of_the_list() {
    let mut shelf = Shelf::new();
    shelf.namespace("acme", NamespaceStatus::Active);
    let text = |number: usize, namespace: &str| {
        // With other words around them, so that their lists fill pieces of their own.
        Text::new(&format!("skill-{number}"), &format!("A common text, aaa{number} zzz{number}."))
            .of(namespace)
    };
    let acme = text(1_000, "acme");
    let shared = SharedIndex::default();
    // If any word has a list of `acme`, several have.
    let has_list = |shelf: &Shelf| {
        let index = shared.current(&shelf.catalog);
        let pieces: Vec<_> = index.pieces().filter_map(|name| index.piece(name)).collect();
        pieces.iter().any(|bytes| bytes.windows(5).any(|some| some == b"\x01acme"))
    };
    let mut step = 0;
    let mut assert_listed = |shelf: &Shelf, is_listed: bool| {
        step += 1;
        assert_like_built(&shared.current(&shelf.catalog), &shelf.catalog, step);
        assert_eq!(has_list(shelf), is_listed, "step {step}");
    };
    for number in 0..160 {
        shelf.publish(&text(number, "global"), "1.0.0");
    }
    assert_listed(&shelf, false);
    // The 161st skill, and the first one of a second namespace.
    shelf.publish(&acme, "1.0.0");
    assert_listed(&shelf, true);
    for _ in 0..2 {
        shelf.remove(&acme);
        assert_listed(&shelf, false);
        shelf.restore(&acme);
        assert_listed(&shelf, true);
    }
    // With more skills, the lists depend only on the second namespace.
    for number in 160..170 {
        shelf.publish(&text(number, "global"), "1.0.0");
    }
    assert_listed(&shelf, true);
    shelf.remove(&acme);
    assert_listed(&shelf, false);
    shelf.restore(&acme);
    assert_listed(&shelf, true);
}

#[test]
fn change_cuts_only_pieces_of_its_own_namespace() {
    let mut shelf = Shelf::new();
    let teams: Vec<String> = (0..400).map(|team| format!("team-{team}")).collect();
    teams.iter().for_each(|team| shelf.namespace(team, NamespaceStatus::Active));
    let text = |number: usize| {
        let long = "x".repeat(50);
        Text::new(&format!("{long}-{number}"), "Texts.").of(&teams[number % teams.len()])
    };
    for number in 0..6_000 {
        shelf.publish(&text(number), "1.0.0");
    }
    let shared = SharedIndex::default();
    let state = |shelf: &Shelf| {
        let index = shared.current(&shelf.catalog);
        let firsts = index.manifest().pieces.iter().map(|(first, _)| first);
        (index.pieces_cut(), firsts.filter(|first| first.starts_with(b"texts\x01")).count())
    };
    let (before, of_a_word) = state(&shelf);
    assert!(of_a_word >= 3, "the lists by namespace fill several pieces: {of_a_word}");
    shelf.publish(&text(0), "1.1.0");
    assert_eq!(state(&shelf).0, before, "a version of the same words and name cuts nothing");
    // Its card changes. It is a candidate of some words and prefixes with several pieces each.
    shelf.publish(&Text { name: "Otherwise".into(), ..text(0) }, "1.2.0");
    let after = state(&shelf).0;
    let all = shared.current(&shelf.catalog).manifest().pieces.len() as u64;
    assert!((1..=all / 4).contains(&(after - before)), "{} of {all} pieces were cut", after - before);
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
    // A common word has more lists by namespace than fit into one piece.
    let teams: Vec<_> = (0..12).map(|team| format!("team-{team}")).collect();
    let world = World::in_namespaces(40, 9_000, &teams);
    let shared = SharedIndex::default();
    let index = shared.current(&world.shelf.catalog);
    for name in index.pieces() {
        let bytes = index.piece(name).unwrap();
        assert_eq!(PieceName::of(&bytes), name);
        assert!(bytes.len() <= 40 * 1024, "{name} {}", bytes.len());
    }
    let listed = index.manifest().pieces.iter().map(|(_, name)| *name);
    let listed: BTreeSet<_> = listed.chain(index.manifest().shards.iter().flatten().copied()).collect();
    assert_eq!(listed, index.pieces().collect());
}

#[test]
fn skill_after_all_cutoffs_changes_no_piece_of_a_word() {
    let mut shelf = Shelf::new();
    shelf.namespace("acme", NamespaceStatus::Active);
    let text = |slug: &str, namespace: &str| Text::new(slug, "A common text.").of(namespace);
    for number in 0..3_300 {
        let namespace = if number % 10 == 0 { "acme" } else { "global" };
        shelf.publish(&text(&format!("skill-{number}"), namespace), "1.0.0");
    }
    let shared = SharedIndex::default();
    let piece = |catalog: &PublicCatalog, key: &[u8]| {
        let index = shared.current(catalog);
        let place = index.manifest().position(key).unwrap();
        index.manifest().pieces[place].1
    };
    let keys = [&b"common"[..], b"common\x01global", b"common\x01acme"];
    let before = keys.map(|key| piece(&shelf.catalog, key));
    // 3,000 skills have a posting, and a thousand of `global`. Of `acme`, all have one.
    shelf.publish(&text("yy-zz", "global"), "1.0.0");
    assert_eq!(keys.map(|key| piece(&shelf.catalog, key)), before);
    assert_like_built(&shared.current(&shelf.catalog), &shelf.catalog, 0);
    shelf.publish(&text("yy-zzz", "acme"), "1.0.0");
    assert_ne!(piece(&shelf.catalog, keys[2]), before[2]);
    assert_like_built(&shared.current(&shelf.catalog), &shelf.catalog, 1);
    // A skill with a posting is removed, and another one gets a posting.
    shelf.remove(&text("skill-1", "global"));
    assert_ne!(piece(&shelf.catalog, keys[0]), before[0]);
    assert_like_built(&shared.current(&shelf.catalog), &shelf.catalog, 2);
}
