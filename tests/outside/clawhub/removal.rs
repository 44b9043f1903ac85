//! Deleting, starring and tagging with the requests of each client.

use serde_json::{Value, json};

use super::publishing::SKILLS;
use super::{harness, line_of};
use harness::{Client, Registry, Response, Shared, Skill};

static RUNNING: Shared<Registry> = Shared::new();

const STARS: &str = "/clawhub/api/v1/stars";

/// A skill by ann with 1.0.0 and 1.1.0, her client, and that of bob.
fn prepared(registry: &Registry, slug: &str) -> (Client, Client) {
    let (ann, bob) = (registry.user(&format!("ann-{slug}")), registry.user(&format!("bob-{slug}")));
    registry.team(&format!("team-{slug}"), &ann);
    for version in ["1.0.0", "1.1.0"] {
        let skill = Skill::named(slug).text(&format!("This is {version}.\n"));
        registry.publish(skill).to(&format!("team-{slug}")).version(version).by(&ann).expect(201);
    }
    (registry.as_user(&ann), registry.as_user(&bob))
}

fn json_body(client: &Client, method: &str, path: &str, body: &Value) -> Response {
    let client = client.with("content-type", "application/json");
    client.request(method, path, Some(body.to_string().into_bytes()))
}

#[test]
fn deleted_skill_is_not_found_until_it_is_undeleted() {
    let running = RUNNING.get(Registry::start);
    let registry: &Registry = &running;
    let (ann, bob) = prepared(registry, "gone");
    let path = format!("{SKILLS}/team-gone--gone");
    assert!(line_of(&bob.delete(&path), 403).contains("author"));
    let ok = json!({"ok": true});
    // With and without a body, as different clients send it.
    for (body, owner) in
        [(None, None), (Some(json!({"reason": "old"})), None), (Some(json!({})), Some("@Ann-Gone"))]
    {
        let deleted = match (body, owner) {
            (None, _) => ann.delete(&path),
            (Some(body), None) => json_body(&ann, "DELETE", &path, &body),
            (Some(mut body), Some(owner)) => {
                body["ownerHandle"] = owner.into();
                json_body(&ann, "DELETE", &path, &body)
            }
        };
        assert_eq!(deleted.expect_json(200), ok);
        for read in [
            path.clone(),
            format!("{path}/versions"),
            format!("{path}/versions/1.0.0"),
            "/clawhub/api/v1/resolve?slug=team-gone--gone&hash=00".into(),
            "/clawhub/api/v1/download?slug=team-gone--gone&version=1.0.0".into(),
        ] {
            assert_eq!(line_of(&registry.get(&read), 404), "Skill not found");
        }
        assert_eq!(line_of(&ann.delete(&path), 404), "Skill not found");
        let undelete = format!("{path}/undelete");
        line_of(&bob.post_json(&undelete, &json!({})), 403);
        assert_eq!(ann.post_json(&undelete, &json!({"reason": "back"})).expect_json(200), ok);
        assert_eq!(ann.post_json(&undelete, &json!({})).expect_json(200), ok, "it is there already");
        registry.get(&path).expect(200);
    }
}

#[test]
fn other_owner_is_not_found() {
    let running = RUNNING.get(Registry::start);
    let registry: &Registry = &running;
    let (ann, _) = prepared(registry, "owned");
    let path = format!("{SKILLS}/team-owned--owned");
    let other = json!({"ownerHandle": "bob-owned", "version": "1.0.0"});
    for (method, path) in [
        ("DELETE", path.clone()),
        ("POST", format!("{path}/undelete")),
        ("DELETE", format!("{path}/versions/1.0.0")),
        ("POST", format!("{path}/tags/stable")),
        ("POST", format!("{STARS}/team-owned--owned")),
        ("POST", format!("{STARS}/nothing")),
        ("DELETE", format!("{SKILLS}/Not%20A%20Slug")),
    ] {
        assert_eq!(line_of(&json_body(&ann, method, &path, &other), 404), "Skill not found");
    }
    let starred = ann.post_json(&format!("{STARS}/team-owned--owned?ownerHandle=bob-owned"), &json!({}));
    assert_eq!(line_of(&starred, 404), "Skill not found");
}

#[test]
fn deleted_version_is_yanked_until_it_is_restored() {
    let running = RUNNING.get(Registry::start);
    let registry: &Registry = &running;
    let (ann, _) = prepared(registry, "part");
    let path = format!("{SKILLS}/team-part--part/versions/1.1.0");
    let body = json!({"version": "1.1.0", "ownerHandle": "ann-part", "reason": "It is wrong."});
    assert_eq!(json_body(&ann, "DELETE", &path, &body).expect_json(200), json!({"ok": true}));
    assert!(line_of(&registry.get(&path), 404).contains("It is wrong."));
    let skill = registry.read(&format!("{SKILLS}/team-part--part"));
    assert_eq!(skill["latestVersion"]["version"], "1.0.0");
    assert_eq!(ann.post_json(&format!("{path}/restore"), &body).expect_json(200), json!({"ok": true}));
    registry.get(&path).expect(200);
    line_of(&ann.delete(&format!("{SKILLS}/team-part--part/versions/9.9.9")), 404);
}

#[test]
fn star_says_whether_it_was_there() {
    let running = RUNNING.get(Registry::start);
    let registry: &Registry = &running;
    let (_, bob) = prepared(registry, "star");
    let path = format!("{STARS}/team-star--star");
    for already in [false, true] {
        let starred = bob.post_json(&path, &json!({})).expect_json(200);
        assert_eq!(starred, json!({"ok": true, "starred": true, "alreadyStarred": already}));
    }
    for already in [false, true] {
        let unstarred = bob.delete(&path).expect_json(200);
        assert_eq!(unstarred, json!({"ok": true, "unstarred": true, "alreadyUnstarred": already}));
    }
}

#[test]
fn tag_points_to_a_version() {
    let running = RUNNING.get(Registry::start);
    let registry: &Registry = &running;
    let (ann, bob) = prepared(registry, "tags");
    let tag = |client: &Client, tag: &str, version: &str| {
        client.post_json(&format!("{SKILLS}/team-tags--tags/tags/{tag}"), &json!({"version": version}))
    };
    let set = tag(&ann, "stable", "1.0.0").expect_json(200);
    assert_eq!(set, json!({"ok": true, "slug": "team-tags--tags", "tag": "stable", "version": "1.0.0"}));
    assert_eq!(registry.read(&format!("{SKILLS}/team-tags--tags"))["skill"]["tags"]["stable"], "1.0.0");
    tag(&ann, "latest", "1.1.0").expect(200);
    assert!(line_of(&tag(&ann, "latest", "1.0.0"), 409).contains("--tag"));
    line_of(&tag(&ann, "stable", "9.9.9"), 404);
    line_of(&tag(&ann, "Not%20a%20tag", "1.0.0"), 400);
    line_of(&tag(&bob, "stable", "1.1.0"), 403);
}

#[test]
fn commands_that_are_not_offered_say_what_to_do() {
    let running = RUNNING.get(Registry::start);
    let registry: &Registry = &running;
    let ann = registry.as_user(&registry.admin());
    for (path, advice) in [
        ("skills/x/rename", "publish it under the new slug"),
        ("skills/x/merge", "publish the content"),
        ("publishers", "team namespace"),
        ("skills/-/scan", "when it is published"),
        ("packages/x/publish", "publish a skill folder"),
        ("skills-sh/resolve", "by its slug"),
        ("nothing", "docs/clients.md"),
    ] {
        let refused = ann.post_json(&format!("/clawhub/api/v1/{path}"), &json!({}));
        assert!(line_of(&refused, 404).contains(advice), "{refused}");
    }
}
