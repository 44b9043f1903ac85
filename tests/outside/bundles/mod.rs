//! What skills require, and bundles of a namespace.

mod closure;
mod kept;
mod of_namespaces;
mod requirements;

use crate::harness::{Publish, Registry, Skill, User};

/// Publishes `skill` of the namespace `a` with this version and these requirements.
fn publish<'r>(registry: &'r Registry, skill: &str, version: &str, requires: &str) -> Publish<'r> {
    let skill = Skill::named(skill).text(version);
    let skill = match requires {
        "" => skill,
        text => skill.line("metadata:").line(&format!("  requires: \"{text}\"")),
    };
    registry.publish(skill).to("a").version(version)
}

/// Publishes all of a list of `skill version: requirements`.
#[track_caller]
fn publish_all(registry: &Registry, admin: &User, lines: &[&str]) {
    for line in lines {
        let (skill, requires) = line.split_once(':').expect("a colon");
        let (skill, version) = skill.split_once(' ').expect("a version");
        publish(registry, skill, version, requires.trim()).by(admin).expect(201);
    }
}
