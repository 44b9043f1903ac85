//! A project in git.

use std::sync::Arc;

use serde_json::Value;

use super::LockedProject;
use crate::harness::{Git, Project, Registry, Shared, Skill};

static REGISTRY: Shared<Registry> = Shared::new();

/// A registry with the skills `a` to `d` and `m`, each with two versions.
pub fn registry() -> Arc<Registry> {
    REGISTRY.get(published)
}

/// The record of the folder `skills`.
pub const RECORD: &str = "skills/.skillmirror/installed.json";

fn published() -> Registry {
    let registry = Registry::start();
    let admin = registry.admin();
    for name in ["a", "b", "c", "d", "m"] {
        for version in ["1.0.0", "1.1.0"] {
            let skill = Skill::named(name).executable("run.sh", "#!/bin/sh\necho hello\n").text(version);
            registry.publish(skill).version(version).by(&admin).expect(201);
        }
    }
    registry
}

/// A project in git.
pub struct Repository {
    git: Git,
    pub project: Project,
    pub registry: Arc<Registry>,
    options: Vec<String>,
}

impl Repository {
    /// A repository with `m` installed and committed, also its record.
    pub fn new(options: &[&str]) -> Self {
        let options = options.iter().map(ToString::to_string).collect();
        let repository = Self { git: Git::new(), project: Project::new(), registry: registry(), options };
        repository.git("init --quiet --initial-branch=main");
        repository.install("m");
        repository.commit();
        repository
    }

    pub fn git(&self, words: &str) -> i32 {
        let path = self.project.path("").display().to_string();
        let identity = ["user.name=Ann", "user.email=ann@example.org", "core.editor=true"];
        let mut all: Vec<&str> = vec!["-C", &path];
        for option in identity.into_iter().chain(self.options.iter().map(String::as_str)) {
            all.extend(["-c", option]);
        }
        all.extend(words.split(' '));
        self.git.run(&all).code
    }

    pub fn install(&self, skill: &str) {
        self.project.run_with(self.registry.base(), &format!("install {skill}")).ok();
    }

    pub fn commit(&self) {
        assert_eq!(self.git("add --all"), 0);
        assert_eq!(self.git("commit --quiet --message=change"), 0);
    }

    /// Runs commands on two branches, and merges one into the other. They conflict.
    pub fn merged(options: &[&str], first: &str, second: &str, merge: &str) -> Self {
        let repository = Self::new(options);
        repository.project.write(".gitattributes", "* -text\n");
        repository.commit();
        for (branch, words) in [("x", first), ("y", second)] {
            assert_eq!(repository.git(&format!("checkout --quiet -b {branch} main")), 0);
            repository.project.run_any(repository.registry.base(), words).ok();
            repository.commit();
        }
        assert_eq!(repository.git(merge), 1, "{first} and {second} conflict");
        repository
    }

    pub fn text(&self, path: &str) -> String {
        std::fs::read_to_string(self.project.path(path)).unwrap_or_default()
    }

    /// Asserts that all is mended, and what is locked.
    #[track_caller]
    pub fn holds(&self, skills: &[&str]) {
        for file in ["skills.lock", RECORD] {
            assert!(!self.text(file).contains("<<<<"), "{file}: {}", self.text(file));
        }
        let locked = self.project.locked();
        let names: Vec<_> = locked.iter().map(|line| line.rsplit('/').next().unwrap()).collect();
        assert_eq!(names, skills);
        let output = self.project.run("install --locked").ok();
        assert!(
            output.stdout.contains(if skills.len() == 1 { "1 skill is" } else { "skills are as" }),
            "{output:?}"
        );
        let list: Value = serde_json::from_str(&self.project.run("list --json").ok().stdout).unwrap();
        let states: Vec<_> = list["items"].as_array().unwrap().iter().map(|item| &item["state"]).collect();
        assert!(states.len() == skills.len() && states.iter().all(|state| **state == "unchanged"), "{list}");
    }
}
