//! Snapshots of what changed since a revision.

use std::path::Path;

use crate::harness::{Registry, Skill, eventually};

use super::archive::Archive;
use super::{apply, assert_mirrors, create, grow, lived_in, lived_in_with, snapshot, vkey};

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
    let (delta, middle) = (create(&registry, "delta.tar.zst", &["--since", &base]), revision());
    let file = delta.to_str().unwrap();
    let said = snapshot(&registry, &["verify", file]).ok().stdout;
    assert!(said.contains(&format!("It continues revision {base}")), "{said}");
    let (to, key) = (mirror.to_str().unwrap(), vkey(&registry));
    let alone = snapshot(&registry, &["verify", file, "--vkey", &key]);
    assert!(alone.code == 1 && alone.stderr.contains("--to DIR"), "{alone:?}");
    let before = crate::harness::tree::contents(&mirror);
    snapshot(&registry, &["verify", file, "--to", to, "--vkey", &key]).ok();
    crate::harness::tree::assert_equal(&crate::harness::tree::contents(&mirror), &before);
    assert_forgeries_of_delta_are_refused(&registry, &delta, to, &key);
    snapshot(&registry, &["apply", file, "--to", to, "--vkey", &key]).ok();
    assert_mirrors(&registry, &mirror);
    let said = apply(&registry, &delta, &mirror).ok().stdout;
    assert!(said.contains("was already at"), "{said}");
    grow(&registry, &admin, "fourth");
    let next = create(&registry, "next.tar.zst", &["--since", &middle]);
    apply(&registry, &next, &mirror).ok();
    assert_mirrors(&registry, &mirror);
    // An older one, full or not, changes nothing.
    let output = apply(&registry, &all, &mirror);
    assert!(output.code == 1 && output.stderr.contains("it is an old copy"), "{output:?}");
    let output = apply(&registry, &delta, &mirror);
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
        "api/v1/mirror/counters/00.json",
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
fn delta_on_another_base_is_refused() {
    let (registry, admin) = lived_in();
    let mirror = registry.folder().join("mirror");
    let revision = || registry.tree_json("api/v1/mirror/head.json")["revision"].to_string();
    let (all, base) = (create(&registry, "all.tar.zst", &[]), revision());
    grow(&registry, &admin, "third");
    let middle = revision();
    let first = create(&registry, "first.tar.zst", &["--since", &base]);
    grow(&registry, &admin, "fourth");
    let second = create(&registry, "second.tar.zst", &["--since", &middle]);
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
fn since_a_revision_without_a_tree_is_refused() {
    let (registry, admin) = lived_in();
    let made = registry.as_user(&admin).post_json("/api/v1/tokens", &serde_json::json!({"name": "quiet"}));
    let private = made.expect(201).revision().to_string();
    registry.publish(Skill::named("later")).to("tools").by(&admin).expect(201);
    for revision in [private.as_str(), "0", "99999"] {
        let output = registry.command(["snapshot", "create", "--out", "x", "--since", revision]);
        assert!(output.code == 1 && output.stderr.contains("no tree ends at revision"), "{output:?}");
    }
}
