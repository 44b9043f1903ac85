//! Snapshots of the files that exist after an action.

use crate::harness::{Registry, Skill, snapshot};

#[test]
fn first_start_writes_these_files() {
    let registry = Registry::start();
    snapshot::assert("first-start", &registry.tree());
}

#[test]
fn publish_writes_these_files() {
    let registry = Registry::start();
    let admin = registry.admin();
    registry.publish(Skill::named("hello")).version("1.0.0").by(&admin).expect(201);
    snapshot::assert("publish", &registry.tree());
    let second = Skill::named("hello").text("Louder.\n");
    registry.publish(second).version("1.1.0").tags("stable").by(&admin).expect(201);
    snapshot::assert("second-version", &registry.tree());
}

#[test]
fn new_namespace_writes_these_files() {
    let registry = Registry::start();
    let admin = registry.admin();
    registry.team("tools", &admin);
    snapshot::assert("new-namespace", &registry.tree());
    registry.publish(Skill::named("hello")).to("tools").version("1.0.0").by(&admin).expect(201);
    snapshot::assert("publish-in-namespace", &registry.tree());
}
