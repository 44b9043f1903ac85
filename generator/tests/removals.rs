//! Readers follow lists while skills are removed, restored and yanked.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test says no by panicking")]

mod world;

use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use generator::settings::TreeSettings;
use serde_json::Value;
use world::{Change, Step, World};

const STEPS: u64 = 1_200;
const SKILLS: u64 = 6;
/// How often a reader who misses a file reads the list again: each time, the skill may have been
/// restored and removed.
const LOOKS: usize = 20;

/// A skill in a list.
#[derive(PartialEq)]
struct Item {
    skill: String,
    /// `None` if all versions are yanked.
    version: Option<String>,
}

fn listed(root: &Path, list: &str) -> Vec<Item> {
    let text = fs::read(root.join(list)).unwrap_or_else(|why| panic!("{list}: {why}"));
    let page: Value = serde_json::from_slice(&text).unwrap_or_else(|why| panic!("{list}: {why}"));
    let item = |item: &Value| {
        let text = |field: &str| item[field].as_str().map(str::to_owned);
        let skill = format!("api/v1/skills/{}/{}", text("namespace").unwrap(), text("slug").unwrap());
        Item { skill, version: text("version") }
    };
    page["items"].as_array().unwrap().iter().map(item).collect()
}

/// The files that a list's item refers to.
fn files_of(Item { skill, version }: &Item) -> Vec<String> {
    let mut files = vec![format!("{skill}.json"), format!("{skill}/versions.json")];
    if let Some(version) = version {
        files.extend([
            format!("{skill}/resolve.json"),
            format!("{skill}/download.zip"),
            format!("{skill}/versions/{version}.json"),
            format!("{skill}/versions/{version}/files.json"),
            format!("{skill}/versions/{version}/download.zip"),
        ]);
    }
    files
}

/// Reads all files that a list refers to. A missing one must have left the list before.
fn look(root: &Path, list: &str) {
    for item in listed(root, list) {
        for file in files_of(&item) {
            let is_settled = || root.join(&file).exists() || !listed(root, list).contains(&item);
            assert!((0..LOOKS).any(|_| is_settled()), "{list} leads to {file}, which is not there");
        }
    }
}

/// A series of steps: each skill gets versions, is removed, restored, yanked and unyanked, and its
/// tag moves.
fn step(number: u64) -> Step {
    let (namespace, slug) = ((number % 3) as u8, (number / 3 % SKILLS) as u8);
    let minor = (number / 7 % 4) as u8;
    let change = |change| Step::Change { namespace, slug, change };
    match number % 11 {
        0 | 4 => Step::Publish { namespace, slug, version: (minor, false), tag: Some(0) },
        1 | 6 => change(Change::Remove),
        2 | 7 => change(Change::Restore),
        3 => change(Change::Yank { minor, reason: true }),
        5 => change(Change::Unyank { minor }),
        8 => change(Change::SetTag { tag: 1, minor }),
        9 => change(Change::RemoveTag { tag: 1 }),
        _ => Step::Tick,
    }
}

#[test]
fn file_is_removed_only_after_its_list_entry() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("public");
    let (world, settings) = (World::new(), TreeSettings { list_depth: 1, ..Default::default() });
    for namespace in 0..3 {
        world.step(&Step::Publish { namespace, slug: 0, version: (0, false), tag: None });
    }
    let mut mirror = world.mirror(&root, &settings);
    mirror.catch_up().unwrap();
    let (done, looks) = (AtomicBool::new(false), AtomicU64::new(0));
    std::thread::scope(|scope| {
        let lists = ["api/v1/skills.json", "api/v1/skills/_list/team1/updated-1.json"];
        let readers = lists.map(|list| {
            let (root, done, looks) = (&root, &done, &looks);
            scope.spawn(move || {
                while !done.load(Ordering::SeqCst) {
                    look(root, list);
                    looks.fetch_add(1, Ordering::SeqCst);
                }
            })
        });
        for number in 0..STEPS {
            world.step(&step(number));
            // The tree is updated after one change, or after many.
            if number % (1 + number / 64 % 9) == 0 {
                mirror.catch_up().unwrap();
            }
            if readers.iter().any(|reader| reader.is_finished()) {
                break;
            }
        }
        mirror.catch_up().unwrap();
        mirror.catch_up().unwrap();
        done.store(true, Ordering::SeqCst);
    });
    assert!(looks.load(Ordering::SeqCst) > 100, "{looks:?}");
    let rebuilt = folder.path().join("rebuilt");
    world.mirror(&rebuilt, &settings).generate().unwrap();
    assert_eq!(world::files(&root), world::files(&rebuilt));
}
