//! Readers that follow lists while skills are removed, restored and yanked.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test says no by panicking")]

mod world;

use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use generator::settings::TreeSettings;
use serde_json::Value;
use world::{Change, Complete, Step, World};

const STEPS: u64 = 1_200;
const SKILLS: u64 = 6;
/// How often a reader who misses something looks whether a list still leads there, before
/// it says so: each time the skill may have been restored and removed again.
const LOOKS: usize = 20;

/// What a list says of a skill.
#[derive(PartialEq)]
struct Item {
    skill: String,
    /// None where every version is yanked.
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

/// The files that a list's item leads to.
fn led_to(Item { skill, version }: &Item) -> Vec<String> {
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

/// Asks for all that a list leads to. What is missing must have gone from the list before.
fn look(root: &Path, list: &str) {
    for item in listed(root, list) {
        for file in led_to(&item) {
            let is_settled = || root.join(&file).exists() || !listed(root, list).contains(&item);
            assert!((0..LOOKS).any(|_| is_settled()), "{list} leads to {file}, which is not there");
        }
    }
}

/// One step after the other: each skill gets versions, goes, comes back, is yanked and
/// not, and its tag moves.
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
fn what_is_removed_is_missed_only_when_no_list_leads_there() {
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
        let lists = ["api/v1/skills.json", "api/v1/skills/_list/team1/name/20/1.json"];
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
            // Sometimes one change is written, sometimes what is left of many.
            if number % (1 + number / 64 % 9) == 0 {
                mirror.catch_up().unwrap();
            }
            if readers.iter().any(|reader| reader.is_finished()) {
                break;
            }
        }
        mirror.catch_up().unwrap();
        mirror.complete();
        done.store(true, Ordering::SeqCst);
    });
    assert!(looks.load(Ordering::SeqCst) > 100, "{looks:?}");
    let anew = folder.path().join("anew");
    world.mirror(&anew, &settings).generate().unwrap();
    assert_eq!(world::files(&root), world::files(&anew));
}
