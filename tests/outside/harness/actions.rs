//! Short forms of common requests.

use std::path::PathBuf;

use serde_json::{Value, json};

use super::{Registry, Response, Skill, User};

/// The address of a skill that is named `team/slug`.
pub fn skill_path(skill: &str) -> String {
    format!("/api/v1/skills/{skill}")
}

impl Registry {
    /// The folder of a mirror that was made from a snapshot of the registry.
    #[track_caller]
    pub fn carried(&self) -> PathBuf {
        let [file, mirror] = ["all.tar.zst", "mirror"].map(|name| self.folder().join(name));
        let [from, to] = [&file, &mirror].map(|path| path.to_str().expect("a path in UTF-8"));
        self.command(["snapshot", "create", "--out", from]).ok();
        self.command(["snapshot", "apply", from, "--to", to]).ok();
        mirror
    }

    /// A team that reviews what its members publish.
    #[track_caller]
    pub fn reviewing_team(&self, slug: &str, owner: &User) {
        let body = json!({"slug": slug, "reviewRequired": true});
        self.as_user(owner).post_json("/api/v1/namespaces", &body).expect(201);
    }

    /// Publishes versions of a skill `team/slug`, each with its own text.
    #[track_caller]
    pub fn versions(&self, skill: &str, versions: &[&str], by: &User) {
        let (namespace, slug) = skill.split_once('/').expect("a namespace and a slug");
        for version in versions {
            let package = Skill::named(slug).text(&format!("This is {version}.\n"));
            self.publish(package).to(namespace).version(version).by(by).expect(201);
        }
    }

    /// Submits a version for review and returns its receipt.
    #[track_caller]
    pub fn submit(&self, skill: &str, version: &str, by: &User) -> Value {
        let (namespace, slug) = skill.split_once('/').expect("a namespace and a slug");
        let package = Skill::named(slug).text(&format!("This is {version} by {}.\n", by.handle));
        let receipt = self.publish(package).to(namespace).version(version).by(by).expect_json(201);
        assert_eq!(receipt["status"], "pending_review", "{receipt}");
        receipt
    }

    /// Approves or rejects a review of a namespace.
    pub fn decide(&self, by: &User, verdict: &str, (namespace, review): (&str, &Value)) -> Response {
        let review = review.as_str().expect("the id of a review");
        let path = format!("/api/v1/namespaces/{namespace}/reviews/{review}/{verdict}");
        self.as_user(by).post_json(&path, &json!({}))
    }

    /// Yanks a version with a reason.
    pub fn yank(&self, skill: &str, version: &str, by: &User) -> Response {
        let path = format!("{}/versions/{version}/yank", skill_path(skill));
        self.as_user(by).post_json(&path, &json!({"reason": "It greets nobody."}))
    }

    /// Removes a skill.
    pub fn remove(&self, skill: &str, by: &User) -> Response {
        self.as_user(by).delete(&skill_path(skill))
    }

    /// Restores a removed skill.
    pub fn restore(&self, skill: &str, by: &User) -> Response {
        self.as_user(by).request("POST", &format!("{}/restore", skill_path(skill)), None)
    }

    /// Stars a skill.
    pub fn star(&self, skill: &str, by: &User) -> Response {
        self.as_user(by).request("POST", &format!("{}/star", skill_path(skill)), None)
    }

    /// Rates a skill.
    pub fn rate(&self, skill: &str, score: impl Into<Value>, by: &User) -> Response {
        let score: Value = score.into();
        self.as_user(by).post_json(&format!("{}/rating", skill_path(skill)), &json!({ "score": score }))
    }

    /// Points a tag to a version.
    pub fn tag(&self, skill: &str, tag: &str, version: &str, by: &User) -> Response {
        self.as_user(by)
            .put_json(&format!("{}/tags/{tag}", skill_path(skill)), &json!({ "version": version }))
    }
}

impl Response {
    /// The revision that this write created.
    #[track_caller]
    pub fn revision(&self) -> u64 {
        self.require_header("x-revision").parse().expect("a number")
    }

    /// The JSON of a 200 to a write that changed nothing.
    #[track_caller]
    pub fn unchanged(self) -> Value {
        assert_eq!(self.header("x-revision"), None, "{self}");
        self.expect_json(200)
    }
}
