//! Snapshots: a tree in one file, carried to another place.

mod archive;
mod closed_network;
mod deltas;
mod described;
mod kills;
mod lies;
mod minisigned;
mod other_format;
mod serving;
mod whole;

use std::path::{Path, PathBuf};

use crate::harness::{CommandOutput, Registry, Skill, User, run, tree};

/// A registry that signs, with two skills, several versions, tags, a yank and a removed skill.
fn lived_in() -> (Registry, User) {
    lived_in_with("[mirror]\ncounter_interval = 86400\n")
}

fn lived_in_with(config: &str) -> (Registry, User) {
    let mut registry = Registry::configured(config);
    registry.command(["key", "new", "--name", "skills.example.org"]).ok();
    registry.restart();
    let admin = registry.admin();
    registry.team("tools", &admin);
    registry.versions("tools/hello", &["1.0.0", "1.1.0", "2.0.0-rc.1"], &admin);
    registry.versions("tools/world", &["0.1.0"], &admin);
    registry.versions("tools/gone", &["0.1.0", "0.2.0"], &admin);
    registry.tag("tools/hello", "stable", "1.0.0", &admin).expect(201);
    registry.remove("tools/gone", &admin).expect(204);
    (registry, admin)
}

/// The public key of a registry.
fn vkey(registry: &Registry) -> String {
    registry.command(["key", "show"]).ok().stdout.trim().to_owned()
}

/// Makes a snapshot `name` of the registry's tree.
#[track_caller]
fn create(registry: &Registry, name: &str, options: &[&str]) -> PathBuf {
    let file = registry.folder().join(name);
    let arguments = ["snapshot", "create", "--out", file.to_str().unwrap()];
    registry.command(arguments.iter().chain(options)).ok();
    file
}

/// Makes the delta `name` between two snapshots.
#[track_caller]
fn delta(registry: &Registry, name: &str, old: &Path, new: &Path) -> PathBuf {
    let file = registry.folder().join(name);
    let [old, new, out] = [old, new, &file].map(|path| path.to_str().unwrap());
    registry.command(["snapshot", "delta", old, new, "--out", out]).ok();
    file
}

/// Runs `snapshot` in the folder of the registry.
#[track_caller]
fn snapshot(registry: &Registry, arguments: &[&str]) -> CommandOutput {
    let arguments: Vec<_> = ["snapshot"].iter().chain(arguments).map(Into::into).collect();
    run(registry.folder(), &arguments)
}

#[track_caller]
fn apply(registry: &Registry, file: &Path, to: &Path) -> CommandOutput {
    snapshot(registry, &["apply", file.to_str().unwrap(), "--to", to.to_str().unwrap()])
}

/// Asserts that a mirror has the bytes of the registry's tree.
#[track_caller]
fn assert_mirrors(registry: &Registry, mirror: &Path) {
    tree::assert_equal(&registry.tree_bytes(), &tree::contents(mirror));
}

/// Publishes one more version of a new skill.
#[track_caller]
fn grow(registry: &Registry, by: &User, slug: &str) {
    let skill = Skill::named(slug).text(&format!("The text of {slug}.\n"));
    registry.publish(skill).to("tools").version("1.0.0").by(by).expect(201);
}
