//! Snapshots of what changed since a revision.

use std::collections::BTreeSet;
use std::path::Path;

use crate::harness::{Registry, eventually};

use super::archive::{Archive, Entry};
use super::{apply, assert_mirrors, create, delta, grow, lived_in, lived_in_with, snapshot, vkey};

#[test]
fn delta_brings_a_mirror_to_the_next_state() {
    let (registry, admin) = lived_in_with("[mirror]\ncounter_interval = 0\n");
    let mirror = registry.folder().join("mirror");
    let revision = || registry.tree_json("api/v1/mirror/head.json")["revision"].to_string();
    let (all, base) = (create(&registry, "all.tar.zst", &[]), revision());
    apply(&registry, &all, &mirror).ok();
    grow(&registry, &admin, "third");
    registry.versions("tools/hello", &["3.0.0"], &admin);
    registry.restore("tools/gone", &admin).expect(200);
    registry.remove("tools/world", &admin).expect(204);
    registry.yank("tools/hello", "1.1.0", &admin).expect(200);
    registry.star("tools/hello", &admin).expect(200);
    eventually("the star is published", || {
        let head = registry.tree_json("api/v1/mirror/head.json");
        (head["counters"]["generation"] == 1).then_some(())
    });
    // More rows than a page has.
    for n in 0..70 {
        let body = serde_json::json!({"description": format!("Number {n}.")});
        registry.as_user(&admin).put_json("/api/v1/namespaces/tools", &body).expect(200);
    }
    let middle = create(&registry, "middle.tar.zst", &[]);
    let first = delta(&registry, "delta.tar.zst", &all, &middle);
    let file = first.to_str().unwrap();
    let said = snapshot(&registry, &["verify", file]).ok().stdout;
    assert!(said.contains(&format!("It continues revision {base}")), "{said}");
    let (to, key) = (mirror.to_str().unwrap(), vkey(&registry));
    let alone = snapshot(&registry, &["verify", file, "--vkey", &key]);
    assert!(alone.code == 1 && alone.stderr.contains("--to DIR"), "{alone:?}");
    let before = crate::harness::tree::contents(&mirror);
    snapshot(&registry, &["verify", file, "--to", to, "--vkey", &key]).ok();
    crate::harness::tree::assert_equal(&crate::harness::tree::contents(&mirror), &before);
    assert_forgeries_of_delta_are_refused(&registry, &first, to, &key);
    snapshot(&registry, &["apply", file, "--to", to, "--vkey", &key]).ok();
    assert_mirrors(&registry, &mirror);
    let said = apply(&registry, &first, &mirror).ok().stdout;
    assert!(said.contains("was already at"), "{said}");
    grow(&registry, &admin, "fourth");
    let next = delta(&registry, "next.tar.zst", &middle, &create(&registry, "last.tar.zst", &[]));
    apply(&registry, &next, &mirror).ok();
    assert_mirrors(&registry, &mirror);
    // An older one, full or not, changes nothing.
    let output = apply(&registry, &all, &mirror);
    assert!(output.code == 1 && output.stderr.contains("it is an old copy"), "{output:?}");
    let output = apply(&registry, &first, &mirror);
    assert!(output.code == 1 && output.stderr.contains("continues revision"), "{output:?}");
    assert_mirrors(&registry, &mirror);
}

/// `verify` refuses what `apply` would.
fn assert_forgeries_of_delta_are_refused(registry: &Registry, delta: &Path, to: &str, key: &str) {
    let honest = Archive::read(delta);
    for path in [
        "api/v1/mirror/changes/1.json",
        "api/v1/mirror/changes/2.json",
        "api/v1/mirror/head.json",
        "api/v1/mirror/settings.json",
        "tools/hello/index.html",
        "snapshot-removed",
        "api/v1/log/checkpoint",
        "api/v1/skills/tools/hello/versions/3.0.0/download.zip",
    ] {
        for is_removed in [false, true] {
            let Some(at) = honest.0.iter().position(|entry| entry.path() == path) else { continue };
            let mut lie = honest.clone();
            if is_removed {
                lie.0.remove(at);
            } else {
                let middle = lie.0[at].content.len() / 2;
                lie.0[at].content[middle] ^= 1;
            }
            let file = registry.folder().join("lie.tar.zst");
            lie.fitted().write(&file);
            let said = snapshot(registry, &["verify", file.to_str().unwrap(), "--to", to, "--vkey", key]);
            assert!(said.code == 1 && !said.stdout.contains("whole"), "{path} {is_removed}: {said:?}");
        }
    }
}

#[test]
fn delta_is_verified_against_a_mirror_with_its_own_address() {
    let (registry, admin) = lived_in();
    let all = create(&registry, "all.tar.zst", &[]);
    grow(&registry, &admin, "third");
    let file = delta(&registry, "delta.tar.zst", &all, &create(&registry, "more.tar.zst", &[]));
    let mirror = registry.folder().join("mirror");
    let [all, file, to] = [&all, &file, &mirror].map(|path| path.to_str().unwrap());
    let own = ["--public-url", "https://mirror.example.net"];
    snapshot(&registry, &[&["apply", all, "--to", to][..], &own].concat()).ok();
    snapshot(&registry, &["verify", file, "--to", to]).ok();
}

#[test]
fn delta_on_another_base_is_refused() {
    let (registry, admin) = lived_in();
    let mirror = registry.folder().join("mirror");
    let revision = || registry.tree_json("api/v1/mirror/head.json")["revision"].to_string();
    let (all, base) = (create(&registry, "all.tar.zst", &[]), revision());
    grow(&registry, &admin, "third");
    let middle = revision();
    let more = create(&registry, "more.tar.zst", &[]);
    let first = delta(&registry, "first.tar.zst", &all, &more);
    grow(&registry, &admin, "fourth");
    let second = delta(&registry, "second.tar.zst", &more, &create(&registry, "most.tar.zst", &[]));
    let output = apply(&registry, &first, &mirror);
    let said = format!("apply the snapshot of revision {base} first");
    assert!(output.code == 1 && output.stderr.contains(&said), "{output:?}");
    assert!(output.stderr.contains("is empty"), "{output:?}");
    apply(&registry, &all, &mirror).ok();
    let output = apply(&registry, &second, &mirror);
    let said = format!("is at revision {base}: apply the snapshot of revision {middle} first");
    assert!(output.code == 1 && output.stderr.contains(&said), "{output:?}");
    apply(&registry, &first, &mirror).ok();
    apply(&registry, &second, &mirror).ok();
    assert_mirrors(&registry, &mirror);
    let (other, _) = lived_in();
    let all = create(&other, "all.tar.zst", &[]);
    let elsewhere = other.folder().join("mirror");
    apply(&other, &all, &elsewhere).ok();
    let output = apply(&other, &first, &elsewhere);
    assert!(output.code == 1 && output.stderr.contains("of the history"), "{output:?}");
    let output = apply(&registry, &all, &mirror);
    assert!(output.code == 1 && output.stderr.contains("has another history now"), "{output:?}");
}

#[test]
fn delta_of_snapshots_that_do_not_continue_each_other_is_refused() {
    let (registry, admin) = lived_in();
    let all = create(&registry, "all.tar.zst", &[]);
    grow(&registry, &admin, "third");
    let more = create(&registry, "more.tar.zst", &[]);
    let made = delta(&registry, "delta.tar.zst", &all, &more);
    let (other, _) = lived_in();
    let stranger = create(&other, "all.tar.zst", &[]);
    for (old, new, why) in [
        (&more, &all, "but the older snapshot is of revision"),
        (&stranger, &more, "but the older snapshot is of the history"),
        (&all, &made, "is that of a delta"),
        (&made, &more, "is that of a delta"),
    ] {
        let [old, new] = [old, new].map(|path| path.to_str().unwrap());
        let output = registry.command(["snapshot", "delta", old, new, "--out", "x"]);
        assert!(output.code == 1 && output.stderr.contains(why), "{why}: {output:?}");
        assert!(!registry.folder().join("x").exists() && !registry.folder().join("x.tmp").exists());
    }
}

#[test]
fn delta_has_what_changed_and_no_more() {
    let (registry, admin) = lived_in();
    let all = create(&registry, "all.tar.zst", &[]);
    let before = registry.tree_bytes();
    grow(&registry, &admin, "third");
    registry.remove("tools/world", &admin).expect(204);
    let made = delta(&registry, "delta.tar.zst", &all, &create(&registry, "more.tar.zst", &[]));
    let again = delta(&registry, "again.tar.zst", &all, &registry.folder().join("more.tar.zst"));
    assert_eq!(std::fs::read(&made).unwrap(), std::fs::read(again).unwrap());
    // The documents that a mirror may have otherwise are always there.
    let always = ["api/v1/mirror/settings.json", "api/v1/log/checkpoint"];
    let after = registry.tree_bytes();
    let entries = Archive::read(&made).0;
    let names: BTreeSet<_> = entries.iter().map(Entry::path).collect();
    let own = ["snapshot.json", "snapshot-removed"];
    let is_changed = |path: &&String| before.get(*path) != after.get(*path);
    let changed =
        after.keys().filter(is_changed).cloned().chain(always.iter().chain(&own).map(|&name| name.into()));
    assert_eq!(names, changed.collect());
    let removed: BTreeSet<_> = before.keys().filter(|path| !after.contains_key(*path)).cloned().collect();
    let list = entries.iter().find(|entry| entry.path() == "snapshot-removed").unwrap();
    let list: BTreeSet<_> = std::str::from_utf8(&list.content).unwrap().lines().map(str::to_owned).collect();
    assert!(!removed.is_empty() && list == removed, "{list:?} {removed:?}");
}

/// As `docs/snapshots.md` says.
#[test]
fn tar_unpacks_a_delta_over_its_base() {
    let (registry, admin) = lived_in();
    let all = create(&registry, "all.tar.zst", &[]);
    registry.versions("tools/hello", &["3.0.0"], &admin);
    registry.remove("tools/world", &admin).expect(204);
    delta(&registry, "more.tar.zst", &all, &create(&registry, "new.tar.zst", &[]));
    let page = include_str!("../../../docs/snapshots.md");
    for command in
        page.lines().filter(|line| line.starts_with("mkdir unpacked") || line.contains(" -C unpacked"))
    {
        let ran =
            std::process::Command::new("sh").args(["-ec", command]).current_dir(registry.folder()).status();
        assert!(ran.unwrap().success(), "{command}");
    }
    let mut unpacked = crate::harness::tree::contents(&registry.folder().join("unpacked"));
    for own in ["snapshot.json", "snapshot-removed"] {
        unpacked.remove(own).unwrap();
    }
    crate::harness::tree::assert_equal(&unpacked, &registry.tree_bytes());
}
