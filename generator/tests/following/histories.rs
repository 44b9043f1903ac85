//! Other histories, and limits on what a source may need.

use std::fs;

use generator::follower::{FollowOptions, SourceLimits};
use generator::settings::TreeSettings;
use generator::tree::Tree;

use super::false_source::FalseSource;
use super::world::{World, files};
use super::{follow, open, options, published};

#[test]
fn follower_adopts_another_epoch_and_other_settings() {
    let folder = tempfile::tempdir().unwrap();
    let (there, here) = (folder.path().join("there"), folder.path().join("here"));
    let world = published(&there);
    let mut follower = follow(Tree::at(&there), &here);
    follower.catch_up().unwrap();
    world.mirror(&there, &TreeSettings { list_depth: 0, ..Default::default() }).catch_up().unwrap();
    follower.catch_up().unwrap();
    assert_eq!(files(&here), files(&there));

    let other = World::new();
    other.publish("team1", 7, (0, false), None);
    other.publish("global", 1, (2, true), Some(1));
    other.mirror(&there, &TreeSettings::default()).catch_up().unwrap();
    let before = files(&here);
    for _ in 0..2 {
        let why = follower.catch_up().unwrap_err().to_string();
        assert!(why.contains("another history") && why.contains("--accept-new-history"), "{why}");
        assert_eq!(files(&here), before);
    }
    drop(follower);
    follower = open(Tree::at(&there), &here, options(true));
    follower.catch_up().unwrap();
    assert_eq!(files(&here), files(&there));
    assert_eq!(fs::read_dir(folder.path().join("here.state/feed/pages")).unwrap().count(), 1);
}

#[test]
fn accepted_history_is_the_only_other_one() {
    let folder = tempfile::tempdir().unwrap();
    let (there, here) = (folder.path().join("there"), folder.path().join("here"));
    published(&there);
    follow(Tree::at(&there), &here).catch_up().unwrap();
    // The cache may be lost: the tree tells its history, too.
    fs::remove_dir_all(folder.path().join("here.state")).unwrap();
    let mut follower = open(Tree::at(&there), &here, options(true));
    for refused in [false, true] {
        let other = World::new();
        other.publish("global", 1, (2, true), Some(1));
        other.mirror(&there, &TreeSettings::default()).catch_up().unwrap();
        assert_eq!(follower.catch_up().is_err(), refused);
    }
    drop(follower);
    fs::remove_dir_all(folder.path().join("here.state")).unwrap();
    follow(Tree::at(&there), &here).catch_up().unwrap_err();
}

#[test]
fn sizes_over_the_limits_are_refused_before_packages_are_read() {
    let folder = tempfile::tempdir().unwrap();
    let (there, here) = (folder.path().join("there"), folder.path().join("here"));
    let world = published(&there);
    let source = || FalseSource::at(&there, "none", Some);
    let limited = |package, total| {
        let limits = SourceLimits { package, total, ..options(false).limits };
        FollowOptions { limits, ..options(false) }
    };
    let needed = {
        let largest = 1 << 20;
        // The smallest total that suffices.
        let fits = |total: u64| {
            let _ = fs::remove_dir_all(folder.path().join("trial.state"));
            let _ = fs::remove_dir_all(folder.path().join("trial"));
            open(source(), &folder.path().join("trial"), limited(largest, total)).catch_up().is_ok()
        };
        let (mut low, mut high) = (0, largest);
        while low + 1 < high {
            let middle = (low + high) / 2;
            if fits(middle) { high = middle } else { low = middle }
        }
        high
    };
    for (package, total, key) in
        [(100, 1 << 20, "mirror.feed_max_package"), (1 << 20, needed - 1, "mirror.feed_max_total")]
    {
        let source = source();
        let why = open(source.clone(), &here, limited(package, total)).catch_up().unwrap_err().to_string();
        assert!(why.contains(key), "{why}");
        assert!(!source.requested.lock().iter().any(|file| file.ends_with(".zip")), "{key}");
    }
    // The total counts what the mirror has, too, even after another start.
    let exact = || limited(1 << 20, needed);
    open(source(), &here, exact()).catch_up().unwrap();
    world.publish("team1", 15, (3, false), Some(1));
    world.mirror(&there, &TreeSettings::default()).catch_up().unwrap();
    let why = open(source(), &here, exact()).catch_up().unwrap_err().to_string();
    assert!(why.contains("mirror.feed_max_total"), "{why}");
    open(source(), &here, options(false)).catch_up().unwrap();
    assert_eq!(files(&here), files(&there));
}
