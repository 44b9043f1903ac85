//! Precomputed answers are up to date at every head, and only those that differ are written.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test says no by panicking")]

mod world;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use generator::address::locate;
use generator::render::{RenderContext, Rendered, render};
use generator::settings::TreeSettings;
use generator::tree::Tree;
use generator::{Sources, TreePublisher};
use proptest::prelude::*;
use world::{KEEP, Step, World, step, with_public_url};

const FOLDER: &str = "api/v1/search/_q";

fn sources(world: &World, settings: &TreeSettings) -> Sources {
    Sources::new(world.registry.public(), world.registry.store(), settings)
}

fn open(world: &World, root: &Path, settings: &TreeSettings) -> TreePublisher {
    let locked = Tree::at(root).lock().unwrap().unwrap();
    TreePublisher::new(sources(world, settings), settings.clone(), locked, KEEP)
}

/// The names of the answers' files, each with what `of` says.
fn answers<T>(root: &Path, of: impl Fn(&Path) -> T) -> BTreeMap<String, T> {
    let Ok(entries) = fs::read_dir(root.join(FOLDER)) else { return BTreeMap::new() };
    let paths = entries.map(|entry| entry.unwrap().path());
    let plain = paths.filter(|path| path.extension().is_some_and(|suffix| suffix == "json"));
    plain.map(|path| (path.file_name().unwrap().to_str().unwrap().to_owned(), of(&path))).collect()
}

/// What the files must be: rendered with an index that is built for it.
fn rendered(world: &World, settings: &TreeSettings) -> BTreeMap<String, String> {
    let sources = sources(world, settings);
    let catalog = sources.public.read();
    let context = RenderContext {
        catalog: &catalog,
        search: &sources.search,
        store: &*sources.store,
        settings,
        signing: &sources.signing,
    };
    let words: Vec<_> = sources.search.current(&catalog).precomputed().cloned().collect();
    let answer = |word: &str| {
        let document = locate(&format!("/{FOLDER}/{word}.json"), "").unwrap().unwrap();
        match render(context, &document).unwrap().unwrap() {
            Rendered::Bytes(bytes) => String::from_utf8(bytes).unwrap(),
            _ => panic!("{word} is no JSON"),
        }
    };
    words.iter().map(|word| (format!("{word}.json"), answer(word))).collect()
}

/// The answers whose files were written between two states.
fn written(before: &BTreeMap<String, u64>, after: &BTreeMap<String, u64>) -> BTreeSet<String> {
    after
        .iter()
        .filter(|(name, inode)| before.get(*name) != Some(inode))
        .map(|(name, _)| name.clone())
        .collect()
}

fn inodes(root: &Path) -> BTreeMap<String, u64> {
    answers(root, |path| fs::metadata(path).unwrap().ino())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn answers_after_every_change_are_those_of_a_rebuild(
        steps in proptest::collection::vec(step(), 1..40),
        precompute in prop_oneof![Just(0u64), 5..40u64, Just(1000)],
    ) {
        let folder = tempfile::tempdir().unwrap();
        let (root, world) = (folder.path().join("public"), World::new());
        let settings = TreeSettings { precompute, ..with_public_url() };
        (100..124).for_each(|slug| world.publish("global", slug, (0, false), None));
        let mut mirror = None;
        for (number, step) in steps.iter().enumerate() {
            world.step(step);
            let open_mirror = mirror.get_or_insert_with(|| open(&world, &root, &settings));
            open_mirror.catch_up().unwrap();
            let files = answers(&root, |path| fs::read_to_string(path).unwrap());
            prop_assert_eq!(files, rendered(&world, &settings), "{}", number);
            // The next step is then made while nobody follows.
            if matches!(step, Step::CatchUp) {
                mirror = None;
            }
        }
    }
}

#[test]
fn answer_that_stays_as_it_is_is_not_written() {
    let folder = tempfile::tempdir().unwrap();
    let (root, settings, world) = (folder.path().join("public"), TreeSettings::default(), World::new());
    // All of these have the word `alpha`. An answer shows twenty.
    let slugs: Vec<u8> = (0..210).step_by(7).collect();
    slugs.iter().for_each(|slug| world.publish("global", *slug, (0, false), None));
    let mut mirror = open(&world, &root, &settings);
    mirror.catch_up().unwrap();
    let (before, shown) = (inodes(&root), fs::read_to_string(root.join(FOLDER).join("alpha.json")).unwrap());
    assert!(shown.contains("\"total\":30,"), "{shown}");
    let hidden = slugs.iter().find(|slug| !shown.contains(&format!("\"slug\":\"s{slug}\""))).unwrap();
    world.publish("global", *hidden, (7, false), None);
    mirror.catch_up().unwrap();
    let written = written(&before, &inodes(&root));
    assert!(written.contains("m7.json") && !written.contains("alpha.json"), "{written:?}");
    assert_eq!(answers(&root, |path| fs::read_to_string(path).unwrap()), rendered(&world, &settings));
}

#[test]
fn only_missing_answers_are_written_after_a_start() {
    let folder = tempfile::tempdir().unwrap();
    let (root, settings, world) = (folder.path().join("public"), TreeSettings::default(), World::new());
    (0..20).for_each(|slug| world.publish("global", slug, (0, false), None));
    open(&world, &root, &settings).catch_up().unwrap();
    let (whole, file) = (world::files(&root), |name: &str| root.join(FOLDER).join(name));
    fs::remove_file(file("alpha.json")).unwrap();
    fs::write(file("unheard.json"), "{}").unwrap();
    let before = inodes(&root);
    open(&world, &root, &settings).catch_up().unwrap();
    assert_eq!(written(&before, &inodes(&root)), BTreeSet::from(["alpha.json".to_owned()]));
    assert_eq!(world::files(&root), whole);
}
