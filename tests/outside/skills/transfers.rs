//! Transfers of skills to another author.

use serde_json::{Value, json};

use crate::harness::{
    Registry, Response, Shared, User, assert_fields,
    record_fields::{SKILL, TRANSFER},
    skill_path,
};

static RUNNING: Shared<Registry> = Shared::new();

/// A team with the skill `hello` of its member ann, the member bob, and the owner.
struct Team {
    skill: String,
    owner: User,
    ann: User,
    bob: User,
}

impl Team {
    fn of(registry: &Registry, slug: &str) -> Self {
        let user = |name: &str| registry.user(&format!("{name}-{slug}"));
        let (owner, ann, bob) = (user("own"), user("ann"), user("bob"));
        registry.team(slug, &owner);
        registry.join(slug, &owner, &ann, "member");
        registry.join(slug, &owner, &bob, "member");
        let skill = format!("{slug}/hello");
        registry.versions(&skill, &["1.0.0"], &ann);
        Self { skill, owner, ann, bob }
    }

    fn offer(&self, registry: &Registry, by: &User, to: &User) -> Response {
        let body = json!({"to": to.handle, "message": "Take it."});
        registry.as_user(by).post_json(&format!("{}/transfer", skill_path(&self.skill)), &body)
    }

    fn accept(&self, registry: &Registry, by: &User) -> Response {
        registry.as_user(by).request("POST", &format!("{}/transfer/accept", skill_path(&self.skill)), None)
    }

    fn end(&self, registry: &Registry, by: &User) -> Response {
        registry.as_user(by).delete(&format!("{}/transfer", skill_path(&self.skill)))
    }
}

fn offers(registry: &Registry, user: &User) -> Value {
    registry.as_user(user).get("/api/v1/me/transfers").expect_json(200)
}

#[test]
fn transfer_is_offered_and_accepted() {
    let registry = Registry::start();
    let team = Team::of(&registry, "gives");
    let Team { ann, bob, skill, .. } = &team;
    let before = registry.tree_bytes();
    let response = team.offer(&registry, ann, bob);
    assert!(response.revision() > 0);
    let offer = response.expect_json(201);
    assert_fields(&offer, TRANSFER);
    assert_eq!(
        (&offer["namespace"], &offer["slug"], &offer["message"]),
        (&json!("gives"), &json!("hello"), &json!("Take it."))
    );
    assert_eq!((&offer["from"]["handle"], &offer["to"]["handle"]), (&json!(ann.handle), &json!(bob.handle)));
    let time = |field: &str| offer[field].as_str().unwrap().parse::<jiff::Timestamp>().unwrap().as_second();
    assert_eq!(time("expiresAt") - time("createdAt"), 30 * 86_400);
    assert_eq!(registry.tree_bytes(), before, "an offer is no public matter");
    for user in [ann, bob] {
        assert_eq!(offers(&registry, user), json!({"items": [offer], "total": 1, "page": 1, "size": 20}));
    }
    assert_eq!(offers(&registry, &team.owner)["total"], 0);

    let accepted = team.accept(&registry, bob);
    assert_eq!(registry.tree_json("api/v1/mirror/head.json")["revision"], accepted.revision());
    let record = accepted.expect_json(200);
    assert_fields(&record, SKILL);
    assert_eq!(record["author"]["handle"], json!(bob.handle));
    assert_eq!(registry.read(&skill_path(skill)), record);
    assert_eq!(record["latest"]["publishedBy"]["handle"], json!(ann.handle), "who published stays");
    assert_eq!(
        registry.read("/api/v1/skills?namespace=gives")["items"][0]["author"]["handle"],
        json!(bob.handle)
    );
    assert_eq!(offers(&registry, bob)["total"], 0);
    team.accept(&registry, bob).problem(404, "not_found");
    // Rights go with it.
    registry.tag(skill, "beta", "1.0.0", ann).problem(403, "forbidden");
    registry.tag(skill, "beta", "1.0.0", bob).expect(201);
    registry.rate(skill, 5, bob).problem(403, "forbidden");
    registry.rate(skill, 5, ann).expect(200);
    registry.command(["verify"]).ok();
}

#[test]
fn transfer_is_declined_withdrawn_and_replaced() {
    let registry = RUNNING.get(Registry::start);
    let team = Team::of(&registry, "changes");
    let Team { owner, ann, bob, .. } = &team;
    team.offer(&registry, ann, bob).expect(201);
    assert!(team.end(&registry, bob).expect(204).revision() > 0, "declined");
    team.accept(&registry, bob).problem(404, "not_found");
    team.end(&registry, bob).problem(404, "not_found");
    team.offer(&registry, ann, bob).expect(201);
    team.end(&registry, ann).expect(204);
    team.accept(&registry, bob).problem(404, "not_found");
    // A later offer replaces an earlier one.
    team.offer(&registry, ann, bob).expect(201);
    team.offer(&registry, owner, owner).expect(201);
    assert_eq!(offers(&registry, bob)["total"], 0);
    team.accept(&registry, bob).problem(404, "not_found");
    team.accept(&registry, owner).expect(200);
    assert_eq!(registry.read(&skill_path(&team.skill))["author"]["handle"], json!(owner.handle));
}

#[test]
fn transfer_to_a_user_who_cannot_be_author_is_refused() {
    let registry = RUNNING.get(Registry::start);
    let team = Team::of(&registry, "eligible");
    let Team { owner, ann, bob, skill } = &team;
    let stranger = registry.user("stranger-eligible");
    team.offer(&registry, ann, &stranger).problem(409, "conflict");
    team.offer(&registry, ann, ann).problem(409, "conflict");
    team.offer(&registry, ann, &User { handle: "nobody-at-all".into(), token: String::new() })
        .problem(404, "not_found");
    let path = format!("{}/transfer", skill_path(skill));
    for body in
        [json!({}), json!({"to": "Not A Handle"}), json!({"to": bob.handle, "message": "x".repeat(2049)})]
    {
        registry.as_user(ann).post_json(&path, &body).problem(400, "invalid_request");
    }
    // A user who has left the team cannot accept.
    team.offer(&registry, ann, bob).expect(201);
    registry.as_user(bob).delete(&format!("/api/v1/namespaces/eligible/members/{}", bob.handle)).expect(204);
    team.accept(&registry, bob).problem(409, "conflict");
    registry.join("eligible", owner, bob, "member");
    team.accept(&registry, bob).expect(200);
}

#[test]
fn transfer_by_a_former_author_is_refused() {
    let registry = RUNNING.get(Registry::start);
    let team = Team::of(&registry, "loses");
    let Team { owner, ann, bob, skill } = &team;
    team.offer(&registry, ann, bob).expect(201);
    registry.as_user(owner).delete(&format!("/api/v1/namespaces/loses/members/{}", ann.handle)).expect(204);
    team.accept(&registry, bob).problem(409, "conflict");
    team.offer(&registry, owner, bob).expect(201);
    team.accept(&registry, bob).expect(200);
    assert_eq!(registry.read(&skill_path(skill))["author"]["handle"], json!(bob.handle));
}

#[test]
fn transfer_in_a_frozen_team_or_of_a_removed_skill_is_refused() {
    let registry = RUNNING.get(Registry::start);
    let team = Team::of(&registry, "stands");
    let Team { owner, ann, bob, skill } = &team;
    team.offer(&registry, ann, bob).expect(201);
    let status = |status: &str| {
        registry.as_user(owner).put_json("/api/v1/namespaces/stands", &json!({"status": status})).expect(200)
    };
    status("frozen");
    team.accept(&registry, bob).problem(409, "conflict");
    status("active");
    registry.remove(skill, ann).expect(204);
    team.accept(&registry, bob).problem(410, "gone");
    assert_eq!(offers(&registry, bob)["total"], 0, "what is removed is not offered");
    registry.restore(skill, ann).expect(200);
    assert_eq!(offers(&registry, bob)["total"], 1);
    team.accept(&registry, bob).expect(200);
}

#[test]
fn transfer_in_global_moves_the_name() {
    let registry = Registry::start();
    let (ann, bob) = (registry.user("ann"), registry.user("bob"));
    let receipt = registry.submit("global/hello", "1.0.0", &ann);
    registry.decide(&registry.admin(), "approve", ("global", &receipt["reviewId"])).expect(200);
    let path = format!("{}/transfer", skill_path("global/hello"));
    registry.as_user(&ann).post_json(&path, &json!({"to": "bob"})).expect(201);
    registry.as_user(&bob).request("POST", &format!("{path}/accept"), None).expect(200);
    registry.submit("global/hello", "1.1.0", &bob);
    let other = crate::harness::Skill::named("hello").text("Hers.\n");
    registry.publish(other).version("1.2.0").by(&ann).problem(409, "conflict");
}
