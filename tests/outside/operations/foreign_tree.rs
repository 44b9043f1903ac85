//! A tree is taken over only by its own registry or mirror.

use std::collections::BTreeMap;
use std::path::Path;

use crate::harness::{CommandOutput, Registry, Skill, Watch, run, tree};

const ANY_PORT: [&str; 2] = ["--listen", "127.0.0.1:0"];

/// A stopped registry with one skill.
fn stopped() -> Registry {
    let mut registry = Registry::start();
    registry.publish(Skill::named("hello")).by(&registry.admin()).expect(201);
    registry.stop();
    registry
}

/// Runs the program in the registry's folder with only these arguments.
fn bare(registry: &Registry, arguments: &[&str]) -> CommandOutput {
    run(registry.folder(), &arguments.iter().map(Into::into).collect::<Vec<_>>())
}

fn epoch(registry: &Registry) -> String {
    registry.tree_json("api/v1/mirror/head.json")["epoch"].as_str().unwrap().to_owned()
}

#[track_caller]
fn assert_refused(output: &CommandOutput, registry: &Registry, before: &BTreeMap<String, Vec<u8>>) {
    assert_refused_saying("another registry", output, registry, before);
}

fn assert_refused_saying(
    why: &str,
    output: &CommandOutput,
    registry: &Registry,
    before: &BTreeMap<String, Vec<u8>>,
) {
    assert_eq!(output.code, 1, "{output:?}");
    for named in [why, "name another folder", "--replace-tree", epoch(registry).as_str()] {
        assert!(output.stderr.contains(named), "{named} is not named: {output:?}");
    }
    tree::assert_equal(&registry.tree_bytes(), before);
}

#[test]
fn tree_of_another_registry_is_not_taken_over() {
    let registry = stopped();
    let before = registry.tree_bytes();
    let mistyped = [&["serve", "--data", "dta", "--public", "public"][..], &ANY_PORT].concat();
    assert_refused(&bare(&registry, &mistyped), &registry, &before);
    assert!(!registry.folder().join("dta").exists(), "no registry is left in the mistyped folder");
    registry.write("other.zip", &Skill::named("other").zip());
    bare(&registry, &["import", "--init", "other.zip", "--data", "dta", "--public", "elsewhere"]).ok();
    let public = ["--data", "dta", "--public", "public"];
    for command in [&["serve", "--listen", "127.0.0.1:0"][..], &["generate"], &["watch"]] {
        assert_refused(&bare(&registry, &[command, &public].concat()), &registry, &before);
    }
    let out = bare(&registry, &["generate", "--data", "dta", "--public", "elsewhere", "--out", "public"]);
    assert_refused(&out, &registry, &before);
    // A lost state folder makes it nobody else's.
    std::fs::remove_dir_all(registry.folder().join("public.state")).unwrap();
    assert_refused(&bare(&registry, &[&["generate"], &public[..]].concat()), &registry, &before);
    // Writes go to the journal alone.
    let added = bare(&registry, &[&["user", "add", "bob"], &public[..]].concat()).ok();
    assert!(added.stderr.contains("another registry"), "{added:?}");
    tree::assert_equal(&registry.tree_bytes(), &before);

    bare(&registry, &[&["generate", "--replace-tree"], &public[..]].concat()).ok();
    bare(&registry, &[&["verify"], &public[..]].concat()).ok();
    // Now the first registry is the other one.
    let refused = registry.command(["generate"]);
    assert!(refused.code == 1 && refused.stderr.contains("another registry"), "{refused:?}");
}

#[test]
fn tree_of_a_mirror_is_not_taken_over_by_a_registry() {
    let mut registry = stopped();
    let mirror = registry.folder().join("mirror");
    let feed = ["generate", "--feed", "public", "--out", "mirror"];
    bare(&registry, &feed).ok();
    let before = tree::contents(&mirror);
    for command in [&["serve", "--listen", "127.0.0.1:0"][..], &["generate"], &["watch"]] {
        let output = bare(&registry, &[command, &["--data", "data", "--public", "mirror"]].concat());
        assert!(output.code == 1 && output.stderr.contains("is a mirror of"), "{output:?}");
        tree::assert_equal(&tree::contents(&mirror), &before);
    }
    // The mirror goes on.
    bare(&registry, &feed).ok();
    bare(&registry, &["generate", "--public", "mirror", "--replace-tree"]).ok();
    assert!(!registry.folder().join("mirror.state/feed").exists(), "it is no mirror any more");
    let refused = bare(&registry, &feed);
    assert!(refused.code == 1 && refused.stderr.contains("--replace-tree"), "{refused:?}");
    registry.restart();
}

#[test]
fn tree_of_a_registry_is_not_taken_over_by_a_mirror() {
    let registry = stopped();
    let other = stopped();
    let before = registry.tree_bytes();
    let why = "the tree of a registry, whose own process keeps it";
    for source in [&registry, &other].map(|source| copy_of(source, registry.folder())) {
        let generated = bare(&registry, &["generate", "--feed", &source, "--out", "public"]);
        assert_refused_saying(why, &generated, &registry, &before);
        let watched = bare(&registry, &["watch", "--feed", &source, "--public", "public"]);
        assert_refused_saying(why, &watched, &registry, &before);
    }
    let source = copy_of(&other, registry.folder());
    let arguments = ["--feed", &source, "--public", "public", "--replace-tree"];
    Watch::start(registry.folder(), arguments).ready().kill();
    tree::assert_equal(&registry.tree_bytes(), &other.tree_bytes());
    // It is a mirror now, and needs no option.
    bare(&registry, &["generate", "--feed", &source, "--out", "public"]).ok();
}

/// A copy of a registry's tree in `folder`.
fn copy_of(registry: &Registry, folder: &Path) -> String {
    let name = format!("copy-{}", epoch(registry));
    for (path, bytes) in registry.tree_bytes() {
        let file = folder.join(&name).join(path);
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(file, bytes).unwrap();
    }
    name
}
