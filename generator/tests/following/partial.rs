//! A mirror that waits with new versions.

use std::fs;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicI64, Ordering};

use generator::follower::FollowOptions;
use generator::selection::Selection;
use generator::settings::TreeSettings;
use generator::tree::Tree;
use registry::time::Timestamp;

use super::{open, options, published};

const DAY: i64 = 86_400;

static NOW: AtomicI64 = AtomicI64::new(0);

/// The tests here share a clock.
static CLOCK: Mutex<()> = Mutex::new(());

fn now() -> Timestamp {
    Timestamp::from_unix(NOW.load(Ordering::SeqCst)).unwrap()
}

#[test]
fn versions_are_shown_when_they_are_old_enough() {
    let _clock = CLOCK.lock();
    let folder = tempfile::tempdir().unwrap();
    let (there, here) = (folder.path().join("there"), folder.path().join("here"));
    let world = published(&there);
    let set = |seconds: i64| NOW.store(seconds, Ordering::SeqCst);
    let published_at = Timestamp::now().as_unix();
    set(published_at + DAY);
    let selection = Selection { min_age: 3 * DAY as u64, ..Selection::default() };
    let waiting = || FollowOptions { selection: selection.clone(), now, ..options(false) };
    let mut follower = open(Tree::at(&there), &here, waiting());
    follower.catch_up().unwrap();
    let skills = |tree: &Path| fs::read_to_string(tree.join("api/v1/skills.json")).unwrap();
    assert!(skills(&here).contains("\"total\":0"), "{}", skills(&here));
    assert!(!here.join("api/v1/skills/team1").exists());
    // Nothing new happens at the source.
    set(published_at + 4 * DAY);
    follower.catch_up().unwrap();
    assert_eq!(skills(&here), skills(&there));
    world.publish("team1", 30, (0, false), None);
    world.mirror(&there, &TreeSettings::default()).catch_up().unwrap();
    follower.catch_up().unwrap();
    drop(follower);
    // Another process knows which versions are shown.
    let mut follower = open(Tree::at(&there), &here, waiting());
    follower.catch_up().unwrap();
    assert_eq!(skills(&here), skills(&there));
}

#[test]
fn new_version_that_is_old_enough_is_shown_at_once() {
    let _clock = CLOCK.lock();
    let folder = tempfile::tempdir().unwrap();
    let (there, here) = (folder.path().join("there"), folder.path().join("here"));
    let world = published(&there);
    let published_at = Timestamp::now().as_unix();
    // Nothing waits in the first run.
    let since = Tree::at(&there).head().unwrap().revision;
    let selection = Selection { min_age: 3 * DAY as u64, since, ..Selection::default() };
    let waiting = || FollowOptions { selection: selection.clone(), now, ..options(false) };
    NOW.store(published_at + DAY, Ordering::SeqCst);
    open(Tree::at(&there), &here, waiting()).generate().unwrap();
    world.publish("team1", 31, (0, false), None);
    world.mirror(&there, &TreeSettings::default()).catch_up().unwrap();
    // A run each week sees the version when it is old enough already.
    NOW.store(published_at + 8 * DAY, Ordering::SeqCst);
    open(Tree::at(&there), &here, waiting()).generate().unwrap();
    let skills = fs::read_to_string(here.join("api/v1/skills.json")).unwrap();
    assert!(skills.contains("\"total\":1"), "{skills}");
}
