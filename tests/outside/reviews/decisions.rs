//! Decisions on reviews.

use serde_json::{Value, json};

use crate::harness::{
    Registry, Shared, Skill, User, assert_fields, record_fields::REVIEW, sha256, skill_path,
};

static RUNNING: Shared<Registry> = Shared::new();

/// A team that reviews, with an owner, an admin and two members.
struct Team {
    team: String,
    owner: User,
    admin: User,
    bob: User,
    eve: User,
}

impl Team {
    fn of(registry: &Registry, team: &str) -> Self {
        let user = |name: &str| registry.user(&format!("{name}-{team}"));
        let [owner, admin, bob, eve] = ["own", "adm", "bob", "eve"].map(user);
        registry.reviewing_team(team, &owner);
        registry.join(team, &owner, &admin, "admin");
        registry.join(team, &owner, &bob, "member");
        registry.join(team, &owner, &eve, "member");
        Self { team: team.to_owned(), owner, admin, bob, eve }
    }

    fn skill(&self) -> String {
        format!("{}/hello", self.team)
    }

    fn reviews(&self, registry: &Registry, by: &User, rest: &str) -> Value {
        let path = format!("/api/v1/namespaces/{}/reviews{rest}", self.team);
        registry.as_user(by).get(&path).expect_json(200)
    }

    fn decide(
        &self,
        registry: &Registry,
        by: &User,
        verdict: &str,
        receipt: &Value,
    ) -> crate::harness::Response {
        registry.decide(by, verdict, (&self.team, &receipt["reviewId"]))
    }
}

fn versions_of(list: &Value) -> Vec<&str> {
    list["items"].as_array().unwrap().iter().map(|item| item["version"].as_str().unwrap()).collect()
}

#[test]
fn approved_version_is_public_before_the_response() {
    let registry = Registry::start();
    let team = Team::of(&registry, "desk");
    let Team { owner, bob, eve, .. } = &team;
    let skill = Skill::named("hello").text("Pending.\n").file("data/a.txt", "a");
    let receipt =
        registry.publish(skill.clone()).to("desk").tags("beta").changelog("New.").by(bob).expect_json(201);
    let id = receipt["reviewId"].as_str().unwrap();

    let review = team.reviews(&registry, owner, &format!("/{id}"));
    assert_fields(
        &review,
        &format!("{REVIEW} changelog tags files metadata warnings findings unanswered looksLike"),
    );
    assert_eq!((&review["kind"], &review["status"]), (&json!("publish"), &json!("pending")));
    assert_eq!((&review["id"], &review["skillId"]), (&receipt["reviewId"], &receipt["skillId"]));
    assert_eq!(
        (&review["namespace"], &review["slug"], &review["version"]),
        (&json!("desk"), &json!("hello"), &json!("1.0.0"))
    );
    assert_eq!((&review["sha256"], &review["source"]), (&receipt["sha256"], &Value::Null));
    assert_eq!(
        (&review["decidedBy"], &review["decidedAt"], &review["comment"]),
        (&Value::Null, &Value::Null, &Value::Null)
    );
    let paths: Vec<_> = review["files"].as_array().unwrap().iter().map(|file| file["path"].clone()).collect();
    assert_eq!(paths, ["SKILL.md", "data/a.txt"]);
    assert_eq!(review["metadata"]["name"], "hello");
    assert_eq!(team.reviews(&registry, bob, &format!("/{id}")), review, "its submitter sees it too");

    let package = format!("/api/v1/namespaces/desk/reviews/{id}/package");
    let zip = registry.as_user(owner).get(&package).expect(200);
    assert_eq!(
        (zip.require_header("content-type"), zip.require_header("cache-control")),
        ("application/zip", "no-store")
    );
    assert_eq!(json!(sha256(&zip.body)), receipt["sha256"]);
    assert!(zip.require_header("content-disposition").contains("\"hello-1.0.0.zip\""), "{zip}");
    registry.as_user(eve).get(&package).problem(403, "forbidden");

    let path = format!("/api/v1/namespaces/desk/reviews/{id}/approve");
    let response = registry.as_user(owner).post_json(&path, &json!({"comment": "Well done."}));
    assert_eq!(registry.tree_json("api/v1/mirror/head.json")["revision"], response.revision());
    let approved = response.expect_json(200);
    assert_fields(&approved, REVIEW);
    assert_eq!((&approved["status"], &approved["comment"]), (&json!("approved"), &json!("Well done.")));
    assert_eq!(approved["decidedBy"]["handle"], json!(owner.handle));
    approved["decidedAt"].as_str().unwrap().parse::<jiff::Timestamp>().expect("a time");

    let public = registry.tree_json("api/v1/skills/desk/hello.json");
    assert_eq!((&public["id"], &public["author"]["handle"]), (&receipt["skillId"], &json!(bob.handle)));
    assert_eq!(
        (&public["tags"], &public["latest"]["changelog"]),
        (&json!({"beta": "1.0.0"}), &json!("New."))
    );
    assert_eq!(public["latest"]["versionId"], receipt["versionId"], "ids are kept");
    assert_eq!(public["latest"]["publishedBy"]["handle"], json!(bob.handle));
    assert_eq!(registry.get("/api/v1/skills/desk/hello/download").expect(200).body, zip.body);
    assert_eq!(public["createdAt"], approved["decidedAt"], "it became public by being approved");
    let again = registry.publish(skill).to("desk").by(bob).expect_json(200);
    assert_eq!((&again["status"], &again["reviewId"]), (&json!("published"), &Value::Null));
    registry.command(["verify"]).ok();
}

#[test]
fn rejected_version_is_nowhere_and_its_number_is_free() {
    let registry = Registry::start();
    let team = Team::of(&registry, "desk");
    let Team { admin, bob, eve, .. } = &team;
    let first = registry.submit(&team.skill(), "1.0.0", bob);
    let before = registry.tree_bytes();
    let response = team.decide(&registry, admin, "reject", &first);
    assert!(response.revision() > 0);
    let rejected = response.expect_json(200);
    assert_eq!((&rejected["status"], &rejected["comment"]), (&json!("rejected"), &Value::Null));
    assert_eq!(registry.tree_bytes(), before);
    registry.get(&skill_path(&team.skill())).problem(404, "not_found");
    for verdict in ["approve", "reject"] {
        team.decide(&registry, admin, verdict, &first).problem(409, "conflict");
    }
    // The number and the name are free, for the same person and for others.
    let second = registry.submit(&team.skill(), "1.0.0", bob);
    assert_ne!(second["reviewId"], first["reviewId"]);
    team.decide(&registry, admin, "reject", &second).expect(200);
    let third = registry.submit(&team.skill(), "1.0.0", eve);
    team.decide(&registry, admin, "approve", &third).expect(200);
    assert_eq!(registry.read(&skill_path(&team.skill()))["author"]["handle"], json!(eve.handle));
}

#[test]
fn reviews_are_listed_by_status() {
    let registry = RUNNING.get(Registry::start);
    let team = Team::of(&registry, "statuses");
    let Team { owner, bob, .. } = &team;
    let list = |query: &str| team.reviews(&registry, owner, query);
    assert_eq!(list(""), json!({"items": [], "total": 0, "page": 1, "size": 20}));
    let submit = |version: &str| registry.submit(&team.skill(), version, bob);
    team.decide(&registry, owner, "approve", &submit("1.0.0")).expect(200);
    team.decide(&registry, owner, "reject", &submit("2.0.0")).expect(200);
    submit("3.0.0");
    let newer = Skill::named("hello").text("Another 3.0.0.\n");
    registry.publish(newer).to("statuses").version("3.0.0").by(bob).expect(201);
    submit("4.0.0");
    for (query, versions) in [
        ("", vec!["4.0.0", "3.0.0"]),
        ("?status=pending", vec!["4.0.0", "3.0.0"]),
        ("?status=approved", vec!["1.0.0"]),
        ("?status=rejected", vec!["2.0.0"]),
        ("?status=withdrawn", vec!["3.0.0"]),
        ("?status=all", vec!["4.0.0", "3.0.0", "3.0.0", "2.0.0", "1.0.0"]),
        ("?status=all&page=2&size=2", vec!["3.0.0", "2.0.0"]),
    ] {
        let found = list(query);
        assert_eq!(versions_of(&found), versions, "{query}");
        found["items"].as_array().unwrap().iter().for_each(|item| assert_fields(item, REVIEW));
    }
    let path = "/api/v1/namespaces/statuses/reviews?status=open";
    registry.as_user(owner).get(path).problem(400, "invalid_request");
    let elsewhere = team.reviews(&registry, owner, "")["items"][0]["id"].as_str().unwrap().to_owned();
    let path = format!("/api/v1/namespaces/global/reviews/{elsewhere}");
    registry.as_user(&registry.admin()).get(&path).problem(404, "not_found");
    registry.as_user(owner).get("/api/v1/namespaces/nowhere/reviews").problem(404, "not_found");
}

#[test]
fn newer_submission_withdraws_the_older() {
    let registry = RUNNING.get(Registry::start);
    let team = Team::of(&registry, "newer");
    let Team { owner, bob, .. } = &team;
    let old = registry.submit(&team.skill(), "1.0.0", bob);
    let new = Skill::named("hello").text("Newer.\n");
    let new = registry.publish(new).to("newer").version("1.0.0").by(bob).expect_json(201);
    let id = old["reviewId"].as_str().unwrap();
    assert_eq!(team.reviews(&registry, bob, &format!("/{id}"))["status"], "withdrawn");
    for verdict in ["approve", "reject"] {
        team.decide(&registry, owner, verdict, &old).problem(409, "conflict");
    }
    team.decide(&registry, owner, "approve", &new).expect(200);
    assert_eq!(registry.read(&skill_path(&team.skill()))["latest"]["sha256"], new["sha256"]);
}

#[test]
fn approval_of_an_older_version_keeps_latest() {
    let registry = RUNNING.get(Registry::start);
    let team = Team::of(&registry, "older");
    let Team { owner, bob, .. } = &team;
    let (low, high) =
        (registry.submit(&team.skill(), "1.0.0", bob), registry.submit(&team.skill(), "2.0.0", bob));
    team.decide(&registry, owner, "approve", &high).expect(200);
    team.decide(&registry, owner, "approve", &low).expect(200);
    assert_eq!(registry.read(&skill_path(&team.skill()))["version"], "2.0.0");
    assert_eq!(registry.read(&format!("{}/resolve", skill_path(&team.skill())))["version"], "2.0.0");
    let versions = registry.read(&format!("{}/versions", skill_path(&team.skill())));
    assert_eq!(versions_of(&versions), ["1.0.0", "2.0.0"], "the last published first");
}

#[test]
fn version_published_in_the_meantime_is_not_published_again() {
    let registry = RUNNING.get(Registry::start);
    let team = Team::of(&registry, "direct");
    let Team { owner, admin, bob, .. } = &team;
    let waiting = registry.submit(&team.skill(), "1.0.0", bob);
    // A pending submission does not block users who need no review.
    let direct =
        registry.publish(Skill::named("hello")).to("direct").version("1.0.0").by(owner).expect_json(201);
    assert_eq!(direct["skillId"], waiting["skillId"], "the id was given at the submission");
    team.decide(&registry, admin, "approve", &waiting).problem(409, "conflict");
    let id = waiting["reviewId"].as_str().unwrap();
    assert_eq!(team.reviews(&registry, admin, &format!("/{id}"))["status"], "pending");
    team.decide(&registry, admin, "reject", &waiting).expect(200);
    assert_eq!(registry.read(&skill_path(&team.skill()))["latest"]["sha256"], direct["sha256"]);
}

#[test]
fn approval_of_a_removed_skill_is_refused() {
    let registry = RUNNING.get(Registry::start);
    let team = Team::of(&registry, "gone");
    let Team { owner, bob, .. } = &team;
    let first = registry.submit(&team.skill(), "1.0.0", bob);
    team.decide(&registry, owner, "approve", &first).expect(200);
    let second = registry.submit(&team.skill(), "1.1.0", bob);
    registry.remove(&team.skill(), owner).expect(204);
    team.decide(&registry, owner, "approve", &second).problem(409, "conflict");
    registry.restore(&team.skill(), owner).expect(200);
    team.decide(&registry, owner, "approve", &second).expect(200);
    assert_eq!(registry.read(&skill_path(&team.skill()))["version"], "1.1.0");
}

#[test]
fn long_comments_are_refused() {
    let registry = RUNNING.get(Registry::start);
    let team = Team::of(&registry, "comments");
    let Team { owner, bob, .. } = &team;
    let receipt = registry.submit(&team.skill(), "1.0.0", bob);
    let path =
        format!("/api/v1/namespaces/comments/reviews/{}/reject", receipt["reviewId"].as_str().unwrap());
    let reject = |body: Value| registry.as_user(owner).post_json(&path, &body);
    reject(json!({"comment": "x".repeat(2049)})).problem(400, "invalid_request");
    reject(json!({"comment": "a\u{0}b"})).problem(400, "invalid_request");
    reject(json!({"comment": ["x"]})).problem(400, "invalid_request");
    reject(json!({"reason": "x"})).problem(400, "invalid_request");
    let rejected = reject(json!({"comment": "é".repeat(1024)})).expect_json(200);
    assert_eq!(rejected["comment"], "é".repeat(1024));
}

#[test]
fn approval_in_global_of_a_name_taken_by_another_is_refused() {
    let registry = Registry::start();
    let (ann, admin) = (registry.user("ann"), registry.admin());
    let waiting = registry.submit("global/hello", "1.0.0", &ann);
    registry.publish(Skill::named("hello")).version("2.0.0").by(&admin).expect(201);
    registry.decide(&admin, "approve", ("global", &waiting["reviewId"])).problem(409, "conflict");
    registry.decide(&admin, "reject", ("global", &waiting["reviewId"])).expect(200);
}

#[test]
fn secret_warnings_are_shown_to_submitter_and_reviewers() {
    let registry = Registry::start();
    let team = Team::of(&registry, "desk");
    // In two pieces, so that no file of the project holds one.
    let header = ["-----BEGIN RSA PRIVATE", " KEY-----"].concat();
    let skill = Skill::named("hello").file("how.md", format!("A key begins with {header}\n"));
    let receipt = registry.publish(skill).to("desk").by(&team.bob).expect_json(201);
    assert_eq!(receipt["warnings"][0]["code"], "secret_suspected");
    let id = receipt["reviewId"].as_str().unwrap();
    let review = team.reviews(&registry, &team.owner, &format!("/{id}"));
    assert_eq!(review["warnings"], receipt["warnings"]);
    team.decide(&registry, &team.owner, "approve", &receipt).expect(200);
    assert_eq!(registry.read("/api/v1/skills/desk/hello/versions/1.0.0")["warnings"], json!([]));
    for (path, bytes) in registry.tree_bytes() {
        assert!(!String::from_utf8_lossy(&bytes).contains("secret_suspected"), "{path} has the hint");
    }
}
