//! Skills as git repositories: clones from the server and from static hosts.

mod clone;
mod namespace;
mod protocol;
mod static_host;
mod worker;

use std::collections::BTreeMap;

use crate::harness::{Registry, Skill, noise};

/// A skill with a script, folders, equal files, and files that are stored without compression.
fn skill(text: &str) -> Skill {
    Skill::named("hello")
        .text(text)
        .executable("scripts/run.sh", "#!/bin/sh\necho hello\n")
        .file("scripts/lib/a.txt", "the same\n")
        .file("scripts.txt", "the same\n")
        .file("empty", "")
        .file("noise.bin", noise(200_000, 7))
        .file("zeros.bin", vec![0; 200_000])
}

/// The files that a clone of a skill has.
fn files_of(skill: &Skill) -> BTreeMap<String, (Vec<u8>, bool)> {
    skill.entries().into_iter().map(|(path, bytes, executable)| (path, (bytes, executable))).collect()
}

/// Publishes a version of `team/hello`, or of `hello`.
#[track_caller]
fn publish(registry: &Registry, namespace: &str, version: &str) -> Skill {
    let skill = skill(&format!("This is {version}.\n"));
    registry.publish(skill.clone()).to(namespace).version(version).by(&registry.admin()).expect(201);
    skill
}
