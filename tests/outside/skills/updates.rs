//! Which writes count as updates of a skill.

use serde_json::json;

use crate::harness::{Registry, User, skill_path};

/// A team with two skills of ann's; `first` is the one that things happen to.
fn two() -> (Registry, User, User) {
    let registry = Registry::start();
    let (ann, bob) = (registry.user("ann"), registry.user("bob"));
    registry.team("team", &ann);
    registry.join("team", &ann, &bob, "member");
    registry.versions("team/first", &["1.0.0", "1.1.0"], &ann);
    registry.versions("team/second", &["1.0.0"], &ann);
    (registry, ann, bob)
}

/// Whether `first` was updated after `second`; then `second` is again.
#[track_caller]
fn is_updated(registry: &Registry, by: &User, number: u32) -> bool {
    let newest = registry.read("/api/v1/skills")["items"][0]["slug"].clone();
    registry.versions("team/second", &[&format!("2.{number}.0")], by);
    assert_eq!(registry.read("/api/v1/skills")["items"][0]["slug"], "second");
    newest == "first"
}

#[test]
fn versions_yanks_restores_and_authors_count_as_updates() {
    let (registry, ann, bob) = two();
    let yank = format!("{}/versions/1.0.0/yank", skill_path("team/first"));
    let transfer = format!("{}/transfer", skill_path("team/first"));
    registry.versions("team/first", &["1.2.0"], &ann);
    assert!(is_updated(&registry, &ann, 1), "a version");
    registry.as_user(&ann).post_json(&yank, &json!({})).expect(200);
    assert!(is_updated(&registry, &ann, 2), "a yank");
    registry.as_user(&ann).delete(&yank).expect(200);
    assert!(is_updated(&registry, &ann, 3), "its undoing");
    registry.remove("team/first", &ann).expect(204);
    registry.restore("team/first", &ann).expect(200);
    assert!(is_updated(&registry, &ann, 4), "a restoration");
    registry.as_user(&ann).post_json(&transfer, &json!({"to": "bob"})).expect(201);
    assert!(!is_updated(&registry, &ann, 5), "an offer is not an update");
    registry.as_user(&bob).request("POST", &format!("{transfer}/accept"), None).expect(200);
    assert!(is_updated(&registry, &ann, 6), "another author");
}

#[test]
fn tags_stars_ratings_and_namespace_changes_do_not_count_as_updates() {
    let (registry, ann, bob) = two();
    let before = registry.read(&skill_path("team/first"))["updatedAt"].clone();
    registry.tag("team/first", "beta", "1.0.0", &ann).expect(201);
    assert!(!is_updated(&registry, &ann, 1), "a tag");
    registry.tag("team/first", "beta", "1.1.0", &ann).expect(200);
    registry.as_user(&ann).delete(&format!("{}/tags/beta", skill_path("team/first"))).expect(204);
    assert!(!is_updated(&registry, &ann, 2), "its removal");
    registry.star("team/first", &bob).expect(200);
    registry.rate("team/first", 5, &bob).expect(200);
    assert!(!is_updated(&registry, &ann, 3), "opinions");
    let body = json!({"description": "Another."});
    registry.as_user(&ann).put_json("/api/v1/namespaces/team", &body).expect(200);
    assert!(!is_updated(&registry, &ann, 4), "the namespace");
    assert_eq!(registry.read(&skill_path("team/first"))["updatedAt"], before);
}
