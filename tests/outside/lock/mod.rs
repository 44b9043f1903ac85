//! `skills.lock` and `skills.toml`: install without names, update, outdated.

mod checkouts;
mod manifest;
mod merge;
mod moving;
mod places;
mod repository;
mod restore;
mod takeover;
mod tampered;
mod together;

use std::sync::Arc;

use serde_json::Value;

use crate::harness::{FakeHost, Project, Registry, Reply, Shared, Skill};

static WORLD: Shared<Registry> = Shared::new();

/// A registry with several versions of `hello` in `global`, a tag, and `tools/lint`. No test changes it.
fn world() -> Arc<Registry> {
    WORLD.get(|| {
        let registry = Registry::start();
        let admin = registry.admin();
        registry.team("tools", &admin);
        for version in ["1.0.0", "1.1.0", "2.0.0", "3.0.0-rc.1"] {
            let skill = Skill::named("hello")
                .executable("scripts/run.sh", "#!/bin/sh\necho hello\n")
                .file("references/ä ö.txt", version);
            registry.publish(skill.text(version)).version(version).by(&admin).expect(201);
        }
        registry.tag("global/hello", "stable", "1.0.0", &admin).expect(201);
        registry.versions("tools/lint", &["0.1.0", "0.1.5", "0.2.0"], &admin);
        registry
    })
}

/// The tree of a registry on a host that records its requests.
fn tree_host(registry: &Registry) -> FakeHost {
    let public = registry.public();
    FakeHost::answering(move |asked| {
        let found = std::fs::read(public.join(asked.path.trim_start_matches('/')));
        found.map_or_else(|_| Reply::status(404), Reply::bytes)
    })
}

trait LockedProject {
    /// The text of `skills.lock`.
    fn lock(&self) -> String;
    /// Changes the text of a file of the project. `from` must occur in it.
    fn change(&self, file: &str, from: &str, to: &str);
    /// Name, version, requirement and path of each locked skill.
    fn locked(&self) -> Vec<String>;
}

impl LockedProject for Project {
    #[track_caller]
    fn lock(&self) -> String {
        std::fs::read_to_string(self.path("skills.lock")).expect("a lock file")
    }

    #[track_caller]
    fn change(&self, file: &str, from: &str, to: &str) {
        let text = std::fs::read_to_string(self.path(file)).expect("a text");
        assert!(text.contains(from), "{from} in {text}");
        std::fs::write(self.path(file), text.replace(from, to)).expect("a file");
    }

    #[track_caller]
    fn locked(&self) -> Vec<String> {
        let lock: toml::Table = self.lock().parse().expect("TOML");
        let skills = lock.get("skill").and_then(toml::Value::as_array).cloned().unwrap_or_default();
        let text = |skill: &toml::Value, key: &str| skill[key].as_str().expect("a text").to_owned();
        let line = |skill: &toml::Value| {
            ["name", "version", "requirement", "path"].map(|key| text(skill, key)).join(" ")
        };
        skills.iter().map(line).collect()
    }
}

/// The error of a command that fails.
#[track_caller]
fn error(project: &Project, words: &str) -> Value {
    let output = project.run(&format!("{words} --json"));
    assert_eq!(output.code, 1, "{output:?}");
    let error: Value = serde_json::from_str(&output.stderr).unwrap_or_else(|why| panic!("{why}: {output:?}"));
    error["error"].clone()
}
