//! The files of the search index: current, expired and repaired ones.

use std::collections::BTreeSet;
use std::fs::File;
use std::path::Path;
use std::time::{Duration, SystemTime};

use crate::harness::{Registry, Skill, eventually, manifest, run, sha256, tree};

const MANIFEST: &str = "/api/v1/search/_index/manifest.bin";

/// Publishes a version that is found by words of its own: pieces change with
/// what is found.
fn publish(registry: &Registry, version: &str) {
    let skill = Skill::named("fern").description(&format!("What {version} says."));
    registry.publish(skill).version(version).by(&registry.admin()).expect(201);
}

/// All pieces in a tree.
fn pieces(root: &Path) -> BTreeSet<String> {
    let all = tree::all_files(root).into_iter();
    all.filter(|file| file.starts_with("api/v1/search/_index/") && file != manifest::FILE).collect()
}

fn current(registry: &Registry) -> BTreeSet<String> {
    manifest::pieces(&registry.tree_file(manifest::FILE))
}

/// The pieces that the manifest of a tree does not name.
fn superseded(registry: &Registry) -> BTreeSet<String> {
    pieces(&registry.public()).difference(&current(registry)).cloned().collect()
}

/// Makes a file look as if it had been superseded that long ago.
fn age(file: &Path, by: Duration) {
    let time = SystemTime::now() - by;
    File::options().write(true).open(file).unwrap().set_modified(time).unwrap();
}

const HOUR: Duration = Duration::from_secs(60 * 60);

#[test]
fn reader_with_an_older_manifest_finds_its_pieces() {
    let mut registry = Registry::start();
    publish(&registry, "1.0.0");
    let older = manifest::pieces(&registry.get(MANIFEST).expect(200).body);
    publish(&registry, "1.1.0");
    let newer = manifest::pieces(&registry.get(MANIFEST).expect(200).body);
    assert!(older.difference(&newer).next().is_some(), "something is superseded");
    for piece in older.union(&newer) {
        let response = registry.get(&format!("/{piece}")).expect(200);
        assert!(piece.contains(&sha256(&response.body)[..16]), "{piece}");
    }
    assert_eq!(current(&registry), newer);
    // They survive a restart and a regeneration, and are no difference.
    registry.command(["verify"]).ok();
    registry.stop();
    registry.command(["generate"]).ok();
    registry.command(["verify"]).ok();
    registry.restart();
    assert!(pieces(&registry.public()).is_superset(&older));
}

#[test]
fn expired_pieces_are_removed() {
    let mut registry = Registry::start();
    for version in ["1.0.0", "1.1.0", "1.2.0"] {
        publish(&registry, version);
    }
    registry.stop();
    let old = superseded(&registry);
    assert!(old.len() >= 2, "{old:?}");
    let (first, young) = (old.first().unwrap(), old.last().unwrap());
    age(&registry.public().join(young), HOUR / 2);
    age(&registry.public().join(first), HOUR * 2);
    // A current piece may have any age.
    let kept = current(&registry);
    age(&registry.public().join(kept.first().unwrap()), HOUR * 99);
    registry.command(["generate"]).ok();
    let left = pieces(&registry.public());
    assert!(!left.contains(first) && left.contains(young) && left.is_superset(&kept), "{left:?}");
    // A server at rest does it too.
    age(&registry.public().join(young), HOUR * 2);
    registry.restart();
    let path = registry.public().join(young);
    eventually("the piece is gone", || (!path.exists()).then_some(()));
    assert!(pieces(&registry.public()).is_superset(&kept));
    registry.command(["verify"]).ok();
}

#[test]
fn pieces_left_by_a_killed_process_expire() {
    let mut registry = Registry::start();
    publish(&registry, "1.0.0");
    registry.stop();
    // A piece that no manifest has named expires like any other.
    let bytes = b"nobody leads here";
    let stray = format!("api/v1/search/_index/{}.bin", &sha256(bytes)[..16]);
    let path = registry.public().join(&stray);
    std::fs::write(&path, bytes).unwrap();
    age(&path, HOUR * 24 * 365 * 5);
    registry.command(["verify"]).ok();
    registry.command(["generate"]).ok();
    let age = path.metadata().unwrap().modified().unwrap().elapsed().unwrap();
    assert!(age < HOUR, "its time begins now");
}

#[test]
fn disabled_index_has_no_files() {
    let mut registry = Registry::with_config("[search]\nkeep = 0\n");
    for version in ["1.0.0", "1.1.0", "1.2.0"] {
        publish(&registry, version);
        registry.stop();
        assert_eq!(superseded(&registry), BTreeSet::new(), "{version}");
        registry.restart();
    }
    registry.command(["verify"]).ok();
}

#[test]
fn damage_is_named_and_repaired() {
    let mut registry = Registry::start();
    for slug in ["fern", "moss", "reed"] {
        registry.publish(Skill::named(slug)).by(&registry.admin()).expect(201);
    }
    publish(&registry, "1.1.0");
    registry.stop();
    let kept = current(&registry);
    let old = superseded(&registry).pop_first().unwrap();
    let (damaged, missing) = (kept.first().unwrap(), kept.last().unwrap());
    let before = registry.tree_bytes();
    // Of the same length, and of the same time.
    for file in [damaged, &old] {
        let path = registry.public().join(file);
        let modified = path.metadata().unwrap().modified().unwrap();
        let mut bytes = std::fs::read(&path).unwrap();
        bytes[0] ^= 1;
        std::fs::write(&path, bytes).unwrap();
        File::options().write(true).open(&path).unwrap().set_modified(modified).unwrap();
    }
    std::fs::remove_file(registry.public().join(missing)).unwrap();
    let stranger = "api/v1/search/_index/stranger.bin";
    std::fs::write(registry.public().join(stranger), b"x").unwrap();
    let sibling = format!("{damaged}.gz");
    std::fs::write(registry.public().join(&sibling), b"x").unwrap();
    let output = registry.command(["verify"]);
    assert_eq!(output.code, 1, "{output:?}");
    let lines = [("differs", damaged), ("differs", &old), ("missing", missing)];
    for (fault, file) in
        lines.into_iter().chain([("unexpected", &stranger.to_owned()), ("unexpected", &sibling)])
    {
        assert!(output.stdout.contains(&format!("{fault:10} {file}\n")), "{file}: {}", output.stdout);
    }
    assert_eq!(output.stdout.lines().count(), 5, "{}", output.stdout);
    registry.command(["generate"]).ok();
    registry.command(["verify"]).ok();
    tree::assert_equal(&registry.tree_bytes(), &before);
    assert!(!registry.public().join(&old).exists(), "a damaged one that nobody needs is gone");
}

#[test]
fn follower_has_the_same_index() {
    let registry = Registry::start();
    for version in ["1.0.0", "1.1.0"] {
        publish(&registry, version);
    }
    let mirror = registry.folder().join("mirror");
    let generate = ["generate", "--feed", "public", "--out", mirror.to_str().unwrap()];
    run(registry.folder(), &generate.map(Into::into)).ok();
    let there = std::fs::read(mirror.join(manifest::FILE)).unwrap();
    assert_eq!(there, registry.tree_file(manifest::FILE));
    assert_eq!(pieces(&mirror), current(&registry), "and nothing that is superseded");
    tree::assert_equal(&tree::contents(&mirror), &registry.tree_bytes());
}
