//! Versions of a team's skill are copied into `global`.

use serde_json::{Value, json};

use crate::harness::{
    Registry, Response, Shared, Skill, User, assert_fields, record_fields::REVIEW, skill_path,
};

static RUNNING: Shared<Registry> = Shared::new();

/// A team with a skill of ann's, and a reviewer of `global`.
struct Team {
    slug: String,
    /// Its full name, and its id.
    skill: String,
    id: String,
    owner: User,
    ann: User,
}

impl Team {
    fn of(registry: &Registry, slug: &str) -> Self {
        let (owner, ann) = (registry.user(&format!("own-{slug}")), registry.user(&format!("ann-{slug}")));
        registry.team(slug, &owner);
        registry.join(slug, &owner, &ann, "member");
        let skill = format!("{slug}/tool-of-{slug}");
        registry.versions(&skill, &["1.0.0", "1.1.0"], &ann);
        let id = registry.read(&skill_path(&skill))["id"].as_str().unwrap().to_owned();
        Self { slug: slug.to_owned(), skill, id, owner, ann }
    }

    fn target(&self) -> String {
        format!("global/tool-of-{}", self.slug)
    }

    fn promote(&self, registry: &Registry, by: &User, body: &Value) -> Response {
        let path = format!("/api/v1/namespaces/{}/skills/{}/promote", self.slug, self.id);
        registry.as_user(by).post_json(&path, body)
    }
}

fn moderator(registry: &Registry, handle: &str) -> User {
    registry.command(["user", "add", handle, "--role", "moderator"]).ok();
    let token = registry.issue(handle, &["--name", "test"]);
    registry.wait_until_known(User { handle: handle.to_owned(), token })
}

#[test]
fn promotion_is_requested_reviewed_and_copied() {
    let registry = Registry::start();
    let team = Team::of(&registry, "tools");
    let judge = moderator(&registry, "judge");
    let before = registry.tree_bytes();
    let response =
        team.promote(&registry, &team.owner, &json!({"version": "1.0.0", "comment": "For everyone."}));
    assert!(response.revision() > 0);
    let review = response.expect_json(201);
    assert_fields(&review, REVIEW);
    assert_eq!((&review["kind"], &review["status"]), (&json!("promotion"), &json!("pending")));
    assert_eq!(
        (&review["namespace"], &review["slug"], &review["version"]),
        (&json!("global"), &json!("tool-of-tools"), &json!("1.0.0"))
    );
    assert_eq!((&review["skillId"], &review["comment"]), (&json!(team.id), &json!("For everyone.")));
    assert_eq!(review["source"], json!({"namespace": "tools", "slug": "tool-of-tools", "version": "1.0.0"}));
    assert_eq!(review["submittedBy"]["handle"], json!(team.owner.handle));
    assert_eq!(registry.tree_bytes(), before, "nothing public happened");
    registry.get(&skill_path(&team.target())).problem(404, "not_found");

    let list = registry.as_user(&judge).get("/api/v1/namespaces/global/reviews").expect_json(200);
    assert_eq!(list["items"], json!([review]));
    let path = format!("/api/v1/namespaces/global/reviews/{}", review["id"].as_str().unwrap());
    let detail = registry.as_user(&judge).get(&path).expect_json(200);
    assert_fields(
        &detail,
        &format!("{REVIEW} changelog tags files metadata warnings looksLike findings unanswered"),
    );
    assert_eq!(detail["files"][0]["path"], "SKILL.md");
    let zip = registry.as_user(&judge).get(&format!("{path}/package")).expect(200).body;
    assert_eq!(
        zip,
        registry.get(&format!("{}/versions/1.0.0/download", skill_path(&team.skill))).expect(200).body
    );

    let approved = registry.decide(&judge, "approve", ("global", &review["id"]));
    assert_eq!(registry.tree_json("api/v1/mirror/head.json")["revision"], approved.revision());
    assert_eq!(approved.expect_json(200)["comment"], "For everyone.", "the words of who asked stay");
    let copy = registry.read(&skill_path(&team.target()));
    assert_eq!(copy["promotedFrom"], review["source"]);
    assert_eq!((&copy["version"], &copy["author"]["handle"]), (&json!("1.0.0"), &json!(team.ann.handle)));
    assert_ne!(copy["id"], json!(team.id));
    let source = registry.read(&format!("{}/versions/1.0.0", skill_path(&team.skill)));
    let version = registry.read(&format!("{}/versions/1.0.0", skill_path(&team.target())));
    for field in
        ["sha256", "contentDigest", "fingerprint", "fileCount", "metadata", "publishedBy", "changelog"]
    {
        assert_eq!(version[field], source[field], "{field}");
    }
    assert_eq!(registry.read(&skill_path(&team.skill))["promotedFrom"], Value::Null);
    assert_eq!(registry.get(&format!("{}/download", skill_path(&team.target()))).expect(200).body, zip);
    registry.command(["verify"]).ok();
}

#[test]
fn promotion_without_version_takes_the_latest_and_one_is_pending_at_a_time() {
    let registry = RUNNING.get(Registry::start);
    let (team, admin) = (Team::of(&registry, "single"), registry.admin());
    let first = team.promote(&registry, &team.ann, &json!({})).expect_json(201);
    assert_eq!((&first["version"], &first["comment"]), (&json!("1.1.0"), &Value::Null));
    team.promote(&registry, &team.ann, &json!({"version": "1.0.0"})).problem(409, "conflict");
    team.promote(&registry, &team.owner, &json!({})).problem(409, "conflict");
    registry.decide(&admin, "reject", ("global", &first["id"])).expect(200);
    let second = team.promote(&registry, &team.ann, &json!({"version": "1.0.0"})).expect_json(201);
    registry.decide(&admin, "approve", ("global", &second["id"])).expect(200);
    team.promote(&registry, &team.ann, &json!({"version": "1.0.0"})).problem(409, "conflict");
    let third = team.promote(&registry, &team.ann, &json!({"version": "v1.1"})).expect_json(201);
    registry.decide(&admin, "approve", ("global", &third["id"])).expect(200);
    let copy = registry.read(&skill_path(&team.target()));
    assert_eq!((&copy["version"], &copy["promotedFrom"]["version"]), (&json!("1.1.0"), &json!("1.1.0")));
}

#[test]
fn promotion_to_a_name_of_another_author_is_refused() {
    let registry = RUNNING.get(Registry::start);
    let (team, admin) = (Team::of(&registry, "names"), registry.admin());
    let stranger = registry.user("stranger-names");
    let submitted = registry.submit(&team.target(), "5.0.0", &stranger);
    team.promote(&registry, &team.ann, &json!({})).problem(409, "conflict");
    registry.decide(&admin, "reject", ("global", &submitted["reviewId"])).expect(200);
    let review = team.promote(&registry, &team.ann, &json!({})).expect_json(201);
    // Now it is the other way round.
    let slug = team.target().split_once('/').unwrap().1.to_owned();
    let theirs = registry.publish(Skill::named(&slug).text("Mine.\n")).version("5.0.0");
    theirs.by(&stranger).problem(409, "conflict");
    registry.versions(&team.target(), &["6.0.0"], &admin);
    registry.decide(&admin, "approve", ("global", &review["id"])).problem(409, "conflict");
    registry.decide(&admin, "reject", ("global", &review["id"])).expect(200);
    team.promote(&registry, &team.ann, &json!({})).problem(409, "conflict");
}

#[test]
fn promotion_of_a_removed_source_is_refused() {
    let registry = RUNNING.get(Registry::start);
    let (team, admin) = (Team::of(&registry, "sources"), registry.admin());
    let review = team.promote(&registry, &team.ann, &json!({})).expect_json(201);
    registry.yank(&team.skill, "1.1.0", &team.ann).expect(200);
    registry.decide(&admin, "approve", ("global", &review["id"])).problem(409, "conflict");
    registry.decide(&admin, "reject", ("global", &review["id"])).expect(200);
    team.promote(&registry, &team.ann, &json!({"version": "1.1.0"})).problem(409, "conflict");
    let review = team.promote(&registry, &team.ann, &json!({})).expect_json(201);
    assert_eq!(review["version"], "1.0.0", "the latest that is not yanked");
    registry.remove(&team.skill, &team.ann).expect(204);
    registry.decide(&admin, "approve", ("global", &review["id"])).problem(409, "conflict");
    team.promote(&registry, &team.ann, &json!({})).problem(410, "gone");
}

#[test]
fn invalid_promotion_is_refused() {
    let registry = RUNNING.get(Registry::start);
    let team = Team::of(&registry, "refused");
    team.promote(&registry, &team.ann, &json!({"version": "9.9.9"})).problem(404, "not_found");
    team.promote(&registry, &team.ann, &json!({"version": "beta"})).problem(400, "invalid_request");
    team.promote(&registry, &team.ann, &json!({"comment": "x".repeat(2049)})).problem(400, "invalid_request");
    team.promote(&registry, &team.ann, &json!({"to": "global"})).problem(400, "invalid_request");
    for path in [
        format!("/api/v1/namespaces/{}/skills/999999/promote", team.slug),
        format!("/api/v1/namespaces/{}/skills/x/promote", team.slug),
        format!("/api/v1/namespaces/nowhere/skills/{}/promote", team.id),
        format!("/api/v1/namespaces/global/skills/{}/promote", team.id),
    ] {
        registry.as_user(&team.ann).post_json(&path, &json!({})).problem(404, "not_found");
    }
}
