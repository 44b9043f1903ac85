//! After a restore, no number, id or modification time means two things.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::SystemTime;

use serde_json::Value;

use crate::harness::{Nginx, Registry, Skill, Watch, eventually, tree};

const FILES: [&str; 4] = [
    "/api/v1/skills/global/lost/versions/1.0.0.json",
    "/api/v1/skills/global/lost/versions/1.0.0/download.zip",
    "/api/v1/skills/global/lost.json",
    "/global/lost/index.html",
];

fn lost(word: &str) -> Skill {
    Skill::named("lost").text(&format!("Text {word}.\n"))
}

/// A registry with three skills, whose backup lacks `lost` 1.0.0.
fn with_lost_version() -> (Registry, Value) {
    let registry = Registry::start();
    let admin = registry.admin();
    for slug in ["one", "two", "three"] {
        registry.publish(Skill::named(slug)).by(&admin).expect(201);
    }
    registry.command(["journal", "backup", "backup.zip"]).ok();
    let published = registry.publish(lost("alpha")).version("1.0.0").by(&admin).expect_json(201);
    (registry, published)
}

fn revision(registry: &Registry) -> u64 {
    registry.tree_json("api/v1/mirror/head.json")["revision"].as_u64().unwrap()
}

#[test]
fn validator_of_a_lost_version_is_not_used_again() {
    let (mut registry, before) = with_lost_version();
    let admin = registry.admin();
    let nginx = Nginx::configured(&registry.public(), &registry.folder().join("nginx"));
    let tags = |path: &str| nginx.client().get(path).expect(200).require_header("etag").to_owned();
    let known = FILES.map(tags);
    let last = revision(&registry);
    registry.stop();
    registry.command(["journal", "restore", "backup.zip"]).ok();
    registry.restart();
    nginx.client().get(FILES[0]).expect(404);
    assert!(revision(&registry) > last, "numbers go on above all that were used");
    let after = registry.publish(lost("gamma")).version("1.0.0").by(&admin).expect_json(201);
    for (path, tag) in FILES.iter().zip(&known) {
        let response = nginx.client().with("if-none-match", tag).get(path);
        assert_eq!(response.status, 200, "{path}");
    }
    for id in ["skillId", "versionId"] {
        assert_ne!(before[id], after[id], "{id}");
    }
    registry.command(["verify"]).ok();
    registry.command(["journal", "check"]).ok();
    let audit = registry.command(["audit"]).ok();
    assert!(audit.stdout.contains("restored a backup of revision"), "{audit:?}");
}

#[test]
fn restore_elsewhere_goes_on_above_the_tree_that_it_is_told_of() {
    let (registry, _) = with_lost_version();
    let last = revision(&registry);
    let mut other = Registry::not_started();
    let backup = registry.folder().join("backup.zip");
    let backup = backup.to_str().unwrap();
    let restored = other.command(["journal", "restore", backup, "--seen", registry.base()]).ok();
    // A tree does not tell how many private changes came after its last revision.
    let next = last + 100_001;
    assert!(restored.stdout.contains(&format!("goes on at revision {next}")), "{restored:?}");
    other.restart();
    assert_eq!(revision(&other), next);
    let nothing = Registry::not_started();
    let unknown = nothing.command(["journal", "restore", backup]).ok();
    assert!(unknown.stdout.contains("100,000 revisions are skipped"), "{unknown:?}");
    let refused = Registry::not_started().command(["journal", "restore", backup, "--seen", "nowhere"]);
    assert!(refused.code == 1 && refused.stderr.contains("nowhere"), "{refused:?}");
}

#[test]
fn mirror_follows_a_restored_source_once_told() {
    let (mut registry, _) = with_lost_version();
    let mirror = registry.folder().join("mirror");
    let arguments = ["--feed", "public", "--public", "mirror"];
    Watch::start(registry.folder(), arguments).ready().kill();
    let before = times(&mirror);
    registry.stop();
    registry.command(["journal", "restore", "backup.zip"]).ok();
    registry.restart();
    registry.publish(lost("gamma")).version("1.0.0").by(&registry.admin()).expect(201);
    let watching = Watch::start(registry.folder(), arguments).until_it_says("another history");
    watching.kill();
    assert_eq!(times(&mirror), before);
    let told = [&arguments[..], &["--accept-new-history"]].concat();
    let watching = Watch::start(registry.folder(), told).ready();
    eventually("the mirror has the source's tree", || {
        (tree::contents(&mirror) == registry.tree_bytes()).then_some(())
    });
    watching.kill();
    let after = times(&mirror);
    for path in FILES {
        let path = path.trim_start_matches('/');
        assert!(after[path] > before[path], "{path}");
    }
}

#[test]
fn deleted_tree_with_other_settings_uses_no_time_again() {
    let (mut registry, _) = with_lost_version();
    registry.stop();
    let before = times(&registry.public());
    let again = |public_url: &str| {
        std::fs::remove_dir_all(registry.public()).unwrap();
        registry.command(["generate", "--public-url", public_url]).ok();
        times(&registry.public())
    };
    let mut last = before;
    for url in ["https://a.example", "https://b.example", "https://a.example"] {
        let after = again(url);
        let latest = last.values().max().unwrap();
        assert!(after.values().all(|time| time > latest), "{url}");
        last = after;
    }
    assert_eq!(again("https://a.example"), last, "equal settings make equal times");
}

/// The modification times of a tree's files.
fn times(folder: &Path) -> BTreeMap<String, SystemTime> {
    let time = |file: &String| folder.join(file).metadata().unwrap().modified().unwrap();
    tree::files(folder).into_iter().map(|file| (file.clone(), time(&file))).collect()
}
