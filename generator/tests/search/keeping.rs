//! An index that follows a catalog is the one that is made of it anew.

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

/// Fails where an index is not the one that is made anew.
fn is_whole(index: &Index, catalog: &PublicCatalog, step: usize) {
    let (kept, made) = (files(index), files(&SharedIndex::default().current(catalog)));
    let names = |of: &BTreeMap<String, Vec<u8>>, other: &BTreeMap<String, Vec<u8>>| {
        let odd = of.iter().filter(|(name, bytes)| other.get(*name) != Some(*bytes));
        odd.map(|(name, bytes)| format!("{name}: {}", String::from_utf8_lossy(bytes))).collect::<Vec<_>>()
    };
    let (old, new) = (names(&kept, &made), names(&made, &kept));
    assert!(old.is_empty() && new.is_empty(), "step {step}\n\nkept: {old:#?}\n\nmade: {new:#?}");
}

/// Changes a world step by step, and compares all files each `look` steps.
fn hold(world: &mut World, steps: usize, look: usize) -> SharedIndex {
    let shared = SharedIndex::default();
    let mut before: BTreeSet<PieceName> = shared.current(&world.shelf.catalog).pieces().collect();
    for step in 0..steps {
        world.change(step);
        if step % 3 == 0 {
            let after: BTreeSet<PieceName> = shared.current(&world.shelf.catalog).pieces().collect();
            // Three changes of fifteen words each.
            let new = after.difference(&before).count();
            assert!(new < 120, "step {step}: {new}");
            before = after;
        }
        if step % look == look - 1 {
            is_whole(&shared.current(&world.shelf.catalog), &world.shelf.catalog, step);
        }
    }
    shared
}

#[test]
fn changes_lead_to_the_same_files_as_all_at_once() {
    let mut world = World::new(300, 700);
    let [word, _] = world.most();
    assert!(word > 160, "a key has more skills than cards: {word}");
    let shared = hold(&mut world, 120, 20);
    for status in [NamespaceStatus::Archived, NamespaceStatus::Active] {
        world.shelf.namespace("acme", status);
        is_whole(&shared.current(&world.shelf.catalog), &world.shelf.catalog, 120);
    }
}

#[test]
fn lists_that_leave_skills_out_follow_too() {
    let mut world = World::new(8, 2_300);
    let [_, prefix] = world.most();
    assert!(prefix > 2_000, "a key of a prefix has more skills than postings: {prefix}");
    hold(&mut world, 30, 15);
}

#[test]
fn lists_by_many_namespaces_follow_too() {
    let teams: Vec<String> = (0..400).map(|team| format!("team-{team}")).collect();
    let mut world = World::in_namespaces(6, 2_000, &teams);
    let shared = hold(&mut world, 30, 10);
    let dividing = {
        let index = shared.current(&world.shelf.catalog);
        let firsts = index.manifest().pieces.iter().map(|(first, _)| first);
        firsts.filter(|first| first.contains(&1)).count()
    };
    assert!(dividing > 3, "lists by namespace of one word are in several pieces: {dividing}");
    for status in [NamespaceStatus::Archived, NamespaceStatus::Active] {
        world.shelf.namespace("team-7", status);
        is_whole(&shared.current(&world.shelf.catalog), &world.shelf.catalog, 30);
    }
}

#[test]
fn lists_that_become_long_and_short_again_follow_too() {
    let mut shelf = Shelf::new();
    shelf.namespace("acme", NamespaceStatus::Active);
    let text = |number: usize, namespace: &str| {
        // Other words around it, so that its lists fill pieces of their own.
        Text::new(&format!("skill-{number}"), &format!("A common text, aaa{number} zzz{number}."))
            .of(namespace)
    };
    let acme = text(1_000, "acme");
    let shared = SharedIndex::default();
    // Where there is a list of `acme`, there are several, of each word.
    let has_list = |shelf: &Shelf| {
        let index = shared.current(&shelf.catalog);
        let pieces: Vec<_> = index.pieces().filter_map(|name| index.piece(name)).collect();
        pieces.iter().any(|bytes| bytes.windows(5).any(|some| some == b"\x01acme"))
    };
    let mut step = 0;
    let mut hold = |shelf: &Shelf, is_listed: bool| {
        step += 1;
        is_whole(&shared.current(&shelf.catalog), &shelf.catalog, step);
        assert_eq!(has_list(shelf), is_listed, "step {step}");
    };
    for number in 0..160 {
        shelf.publish(&text(number, "global"), "1.0.0");
    }
    hold(&shelf, false);
    // The 161st, and the first one of a second namespace.
    shelf.publish(&acme, "1.0.0");
    hold(&shelf, true);
    for _ in 0..2 {
        shelf.remove(&acme);
        hold(&shelf, false);
        shelf.restore(&acme);
        hold(&shelf, true);
    }
    // With more of them it is the second namespace alone that comes and goes.
    for number in 160..170 {
        shelf.publish(&text(number, "global"), "1.0.0");
    }
    hold(&shelf, true);
    shelf.remove(&acme);
    hold(&shelf, false);
    shelf.restore(&acme);
    hold(&shelf, true);
}

#[test]
fn a_change_cuts_pieces_of_its_own_namespace_alone() {
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
    assert!(of_a_word >= 3, "its lists by namespace fill several pieces: {of_a_word}");
    shelf.publish(&text(0), "1.1.0");
    assert_eq!(state(&shelf).0, before, "a version of the same words and name cuts nothing");
    // It is shown otherwise, among the best of some words and prefixes, each of which has
    // several pieces.
    shelf.publish(&Text { name: "Otherwise".into(), ..text(0) }, "1.2.0");
    let after = state(&shelf).0;
    let all = shared.current(&shelf.catalog).manifest().pieces.len() as u64;
    assert!((1..=all / 4).contains(&(after - before)), "{} of {all} pieces were cut", after - before);
    is_whole(&shared.current(&shelf.catalog), &shelf.catalog, 0);
}

#[test]
fn many_words_are_cut_the_same_way() {
    let mut world = World::new(8_000, 600);
    let shared = hold(&mut world, 120, 20);
    let texts = std::mem::take(&mut world.texts);
    for text in &texts {
        world.shelf.remove(text);
    }
    let index = shared.current(&world.shelf.catalog);
    assert_eq!(index.pieces().count(), 0);
    is_whole(&index, &world.shelf.catalog, 120);
}

#[test]
fn pieces_are_small_and_named_by_their_bytes() {
    // Of a common word more lists by namespace than go into one piece.
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
fn what_stands_behind_all_edges_changes_no_piece_of_a_word() {
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
    // 3,000 have a posting and a thousand of `global` have; of `acme` all have.
    shelf.publish(&text("yy-zz", "global"), "1.0.0");
    assert_eq!(keys.map(|key| piece(&shelf.catalog, key)), before);
    is_whole(&shared.current(&shelf.catalog), &shelf.catalog, 0);
    shelf.publish(&text("yy-zzz", "acme"), "1.0.0");
    assert_ne!(piece(&shelf.catalog, keys[2]), before[2]);
    is_whole(&shared.current(&shelf.catalog), &shelf.catalog, 1);
    // One with a posting goes, and another one gets it.
    shelf.remove(&text("skill-1", "global"));
    assert_ne!(piece(&shelf.catalog, keys[0]), before[0]);
    is_whole(&shared.current(&shelf.catalog), &shelf.catalog, 2);
}
