//! Sources: places that the registry follows, from which it submits what is new.

mod addresses;
mod changes;
mod git_lies;
mod kinds;
mod liars;
mod settings;
mod timer;

use std::fs;

use serde_json::{Value, json};

use crate::harness::{Git, Project, Registry, Skill, User, eventually};

/// A registry that signs, with the team `tools` of `ann`, and the account `curator` for submissions.
pub struct Following {
    pub registry: Registry,
    pub ann: User,
    key: String,
}

impl Following {
    pub fn start() -> Self {
        Self::with("")
    }

    /// With further settings.
    pub fn with(settings: &str) -> Self {
        let mut registry = Registry::configured(&format!("[mirror]\ncounter_interval = 86400\n{settings}"));
        registry.command(["key", "new", "--name", "skills.example.org"]).ok();
        registry.restart();
        let ann = registry.user("ann");
        registry.team("tools", &ann);
        registry.command(["user", "add", "curator"]).ok();
        let key = registry.command(["key", "show"]).ok().stdout.trim().to_owned();
        Self { registry, ann, key }
    }

    /// Adds the source `office` for `tools`, which may be on this machine.
    #[track_caller]
    pub fn follow(&self, kind: &str, address: &str, options: &[&str]) {
        let fixed =
            ["source", "add", "office", address, "--kind", kind, "--into", "@tools", "--as", "curator"];
        self.registry.command([&fixed[..], &["--private-network"], options].concat()).ok();
    }

    /// Sets more of the source `office`.
    pub fn set(&self, lines: &str) {
        let file = self.registry.folder().join("config.toml");
        let text = fs::read_to_string(&file).unwrap();
        fs::write(file, text + lines).unwrap();
    }

    /// Checks the source `office`, and returns its skills.
    #[track_caller]
    pub fn check(&self) -> Value {
        let checked = self.checked();
        assert_eq!(checked["error"], Value::Null, "{checked}");
        checked["skills"].clone()
    }

    /// Checks the source `office`, and returns the result.
    #[track_caller]
    pub fn checked(&self) -> Value {
        let output = self.registry.command(["source", "check", "office", "--json"]);
        let printed: Value =
            serde_json::from_str(&output.stdout).unwrap_or_else(|why| panic!("{why}: {output:?}"));
        let checked = printed["items"][0].clone();
        assert_eq!(output.code, i32::from(!checked["error"].is_null()), "{output:?}");
        checked
    }

    /// Checks the source, which must submit a skill. Returns the id of the review.
    #[track_caller]
    pub fn submitted(&self, skill: &str) -> Value {
        let skills = self.check();
        let seen = &skills[skill];
        assert_eq!(seen["outcome"], "submitted", "{skills}");
        json!(seen["message"].as_str().unwrap().strip_prefix("review ").expect("the review"))
    }

    /// Approves or rejects a review of `tools`.
    #[track_caller]
    pub fn decide(&self, verdict: &str, review: &Value) {
        eventually("the review is decided", || {
            let decided = self.registry.decide(&self.ann, verdict, ("tools", review));
            (decided.status == 200).then_some(())
        });
    }

    /// A review of `tools`.
    pub fn review(&self, review: &Value) -> Value {
        let path = format!("/api/v1/namespaces/tools/reviews/{}", review.as_str().unwrap());
        eventually("the server knows the review", || {
            let answer = self.registry.as_user(&self.ann).get(&path);
            (answer.status == 200).then(|| answer.json())
        })
    }

    /// Approves a review, and installs the skill: the review, its page and the offline proof name `place`.
    #[track_caller]
    pub fn installed(&self, review: &Value, skill: &str, place: &str) {
        let base = self.registry.base();
        let shown = self.review(review);
        assert_eq!(shown["submittedBy"]["handle"], "curator", "{shown}");
        let source = &shown["provenance"]["source"];
        let state = source["commit"].as_str().or(source["digest"].as_str()).unwrap();
        assert!(
            place.contains(source["address"].as_str().unwrap()) && place.contains(state),
            "{place}: {shown}"
        );
        self.decide("approve", review);
        let project = Project::new();
        project.run(&format!("trust add {base} --vkey {}", self.key)).ok();
        project.run_with(base, &format!("install @tools/{skill}")).ok();
        let output = project.run("verify skills --offline").ok();
        assert!(output.stdout.contains(&format!("taken from {place}")), "{place}: {output:?}");
        let info = project.run_with(base, &format!("info @tools/{skill}")).ok().stdout;
        assert!(info.contains("taken from") && info.contains(state), "{info}");
        let lock = fs::read_to_string(project.path("skills.lock")).unwrap();
        assert!(lock.contains("built_from = ") && lock.contains(state), "{lock}");
        let page = self.registry.get(&format!("/tools/{skill}/")).text();
        assert!(page.contains("Taken from") && page.contains(state), "{page}");
    }
}

/// A git repository to work in.
pub struct Work {
    git: Git,
}

impl Work {
    pub fn new() -> Self {
        let git = Git::new();
        git.run(&["init", "--quiet", "work"]).ok();
        Self { git }
    }

    /// The absolute path of the repository.
    pub fn address(&self) -> String {
        self.git.path("work").display().to_string()
    }

    /// Writes a skill into a folder.
    pub fn put(&self, folder: &str, skill: &Skill) {
        skill.write_to(&self.git.path("work").join(folder));
    }

    pub fn run(&self, arguments: &[&str]) {
        let who = ["-C", "work", "-c", "user.name=Ann", "-c", "user.email=ann@example.org"];
        self.git.run(&[&who[..], arguments].concat()).ok();
    }

    /// Commits everything, and returns the commit.
    pub fn commit(&self) -> String {
        self.run(&["add", "--all"]);
        self.run(&["commit", "--quiet", "--message", "Change"]);
        self.git.commit("work")
    }

    /// Commits a tree in which the folder has the name `..`.
    pub fn leads_up(&self, folder: &str) {
        let inner = self.git.line("work", &["rev-parse", &format!("HEAD:{folder}")]);
        let bytes = (0..inner.len()).step_by(2).map(|at| u8::from_str_radix(&inner[at..at + 2], 16).unwrap());
        let tree: Vec<u8> = b"40000 ..\0".iter().copied().chain(bytes).collect();
        fs::write(self.git.path("work").join("tree"), tree).unwrap();
        let tree = self.git.line("work", &["hash-object", "-w", "--literally", "-t", "tree", "tree"]);
        let who = ["-c", "user.name=Ann", "-c", "user.email=ann@example.org"];
        let commit = self.git.line("work", &[&who[..], &["commit-tree", &tree, "-m", "Evil"]].concat());
        self.run(&["update-ref", "HEAD", &commit]);
    }

    pub fn tag(&self, tag: &str) {
        self.run(&["tag", tag]);
    }
}
