//! The skills of a registry by MCP: `skillmirror mcp`, and `/mcp` of a server.

mod agent;
mod http;
mod installing;
mod listing;
mod reading;
mod sources;
mod tools;

pub use agent::Agent;

use crate::harness::{Registry, Skill, User};

/// A registry with skills that MCP serves, and some that it leaves out.
fn stocked() -> (Registry, User) {
    let registry = Registry::start();
    let admin = registry.admin();
    registry.team("tools", &admin);
    let pdf = Skill::named("pdf-forms")
        .description("Fills in PDF forms.")
        .line("license: MIT")
        .line("metadata: {author: Ann}")
        .executable("scripts/fill me.py", "print(1)\n")
        .file("assets/logo.png", [0xff, 0x00, 0x80]);
    registry.publish(pdf).to("tools").version("1.1.0").by(&admin).expect(201);
    registry.versions("tools/hello", &["1.0.0", "1.1.0", "2.0.0-rc.1"], &admin);
    // The front matter has another name than the registry.
    registry
        .publish(Skill::named("before"))
        .to("tools")
        .slug("after")
        .version("1.0.0")
        .by(&admin)
        .expect(201);
    let nested = Skill::named("nested").line("metadata: {openclaw: {emoji: x}}");
    registry.publish(nested).to("tools").version("1.0.0").by(&admin).expect(201);
    registry.publish(Skill::nameless()).to("tools").slug("nameless").version("1.0.0").by(&admin).expect(201);
    (registry, admin)
}

/// One agent for each way to reach a registry: by a process, and over HTTP.
fn agents(registry: &Registry, project: &crate::harness::Project) -> [Agent; 2] {
    [Agent::started(project, &format!("--registry {}", registry.base())), Agent::at(registry.base())]
}
