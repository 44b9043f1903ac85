//! Tags are set, moved and removed.

use serde_json::{Value, json};

use crate::harness::{Registry, Shared, User, assert_fields, record_fields::TAG, skill_path};

static RUNNING: Shared<Registry> = Shared::new();

fn hello(registry: &Registry, team: &str) -> (User, String) {
    let ann = registry.user(&format!("ann-{team}"));
    registry.team(team, &ann);
    let skill = format!("{team}/hello");
    registry.versions(&skill, &["1.0.0", "1.1.0"], &ann);
    (ann, skill)
}

#[test]
fn tag_is_set_moved_and_removed() {
    let registry = Registry::start();
    let (ann, skill) = hello(&registry, "moves");
    let of_tree = |path: &str| registry.tree_json(&format!("api/v1/skills/moves/hello/{path}.json"));
    let before = registry.read(&skill_path(&skill));

    let set = registry.tag(&skill, "stable", "1.0.0", &ann);
    let revision = set.revision();
    assert_eq!(registry.tree_json("api/v1/mirror/head.json")["revision"], revision, "tags are public");
    let tag = set.expect_json(201);
    assert_fields(&tag, TAG);
    assert_eq!(
        (&tag["name"], &tag["version"], &tag["reserved"]),
        (&json!("stable"), &json!("1.0.0"), &json!(false))
    );
    assert_eq!(tag["updatedBy"], json!({"handle": "ann-moves", "displayName": "ann-moves"}));
    assert_eq!(of_tree("resolve/stable")["version"], "1.0.0");
    assert!(registry.tree().contains(&"api/v1/download/moves--hello/stable.zip".to_owned()));

    assert_eq!(registry.tag(&skill, "stable", "1.0.0", &ann).unchanged(), tag, "there is nothing to change");
    let moved = registry.tag(&skill, "stable", "1.1.0", &ann).expect_json(200);
    assert_eq!((&moved["version"], &moved["createdAt"]), (&json!("1.1.0"), &tag["createdAt"]));
    assert_eq!(of_tree("resolve/stable")["version"], "1.1.0");
    assert_eq!(registry.read("/api/v1/resolve?slug=moves--hello&version=stable")["version"], "1.1.0");
    let after = registry.read(&skill_path(&skill));
    assert_eq!((&after["tags"], &after["updatedAt"]), (&json!({"stable": "1.1.0"}), &before["updatedAt"]));

    let path = format!("{}/tags/stable", skill_path(&skill));
    let removed = registry.as_user(&ann).delete(&path).expect(204);
    assert!(removed.revision() > revision && removed.body.is_empty());
    registry.get(&format!("{}/resolve?tag=stable", skill_path(&skill))).problem(404, "not_found");
    registry.get("/api/v1/download/moves--hello/stable").problem(404, "not_found");
    assert!(!registry.tree().iter().any(|file| file.contains("stable")), "nothing of it is left in the tree");
    registry.as_user(&ann).delete(&path).problem(404, "not_found");
    registry.command(["verify"]).ok();
}

#[test]
fn tags_are_listed_with_the_reserved_one() {
    let registry = RUNNING.get(Registry::start);
    let (ann, skill) = hello(&registry, "tag-lists");
    let bob = registry.user("bob-tag-lists");
    registry.tag(&skill, "beta", "1.0.0", &ann).expect(201);
    let list = registry.as_user(&bob).get(&format!("{}/tags", skill_path(&skill))).expect_json(200);
    assert_fields(&list, "items total");
    assert_eq!(list["total"], 2);
    let tags: Vec<(&str, &str, bool)> = list["items"]
        .as_array()
        .unwrap()
        .iter()
        .map(|tag| {
            assert_fields(tag, TAG);
            (
                tag["name"].as_str().unwrap(),
                tag["version"].as_str().unwrap(),
                tag["reserved"].as_bool().unwrap(),
            )
        })
        .collect();
    assert_eq!(tags, [("latest", "1.1.0", true), ("beta", "1.0.0", false)]);
    assert_eq!(list["items"][0]["updatedBy"], Value::Null, "nobody moves it");
    registry
        .as_user(&bob)
        .get(&format!("{}/tags", skill_path("tag-lists/nothing")))
        .problem(404, "not_found");
}

#[test]
fn latest_is_reserved() {
    let registry = RUNNING.get(Registry::start);
    let (ann, skill) = hello(&registry, "reserves");
    registry.tag(&skill, "latest", "1.0.0", &ann).problem(409, "conflict");
    registry.as_user(&ann).delete(&format!("{}/tags/latest", skill_path(&skill))).problem(409, "conflict");
    assert_eq!(registry.read(&format!("{}/resolve?tag=latest", skill_path(&skill)))["version"], "1.1.0");
    assert_eq!(registry.read(&skill_path(&skill))["tags"], json!({}), "a record leaves it out");
}

#[test]
fn invalid_tag_names_and_versions_are_refused() {
    let registry = RUNNING.get(Registry::start);
    let (ann, skill) = hello(&registry, "refuses");
    let long = "t".repeat(65);
    for tag in ["1", "v1.2", "1.0.0", "Upper", "a.", ".a", "con", "a.json", "a%20b", "%C3%A9", &long] {
        registry.tag(&skill, tag, "1.0.0", &ann).problem(400, "invalid_request");
    }
    registry.tag(&skill, &"t".repeat(64), "1.0.0", &ann).expect(201);
    registry.tag(&skill, "2024_lts.x-y", "1.0.0", &ann).expect(201);
    registry.tag(&skill, "none", "9.9.9", &ann).problem(404, "not_found");
    registry.tag(&skill, "none", "not a version", &ann).problem(400, "invalid_request");
    registry.tag("refuses/nothing", "none", "1.0.0", &ann).problem(404, "not_found");
    let path = format!("{}/tags/none", skill_path(&skill));
    registry.as_user(&ann).put_json(&path, &json!({})).problem(400, "invalid_request");
}

#[test]
fn yanked_version_accepts_no_tag_and_is_not_resolved() {
    let registry = RUNNING.get(Registry::start);
    let (ann, skill) = hello(&registry, "yanked-tags");
    registry.tag(&skill, "beta", "1.0.0", &ann).expect(201);
    registry.yank(&skill, "1.0.0", &ann).expect(200);
    registry.tag(&skill, "other", "1.0.0", &ann).problem(409, "conflict");
    let resolve = format!("{}/resolve?tag=beta", skill_path(&skill));
    registry.get(&resolve).problem(404, "not_found");
    registry.get("/api/v1/download/yanked-tags--hello/beta").problem(404, "not_found");
    assert!(!registry.tree().contains(&"api/v1/skills/yanked-tags/hello/resolve/beta.json".to_owned()));
    registry.as_user(&ann).delete(&format!("{}/versions/1.0.0/yank", skill_path(&skill))).expect(200);
    assert_eq!(registry.read(&resolve)["version"], "1.0.0", "the tag was never gone");
}

#[test]
fn tags_per_skill_are_limited() {
    let mut registry = Registry::not_started();
    registry.start_with(&["--no-mirror"]);
    let admin = registry.admin();
    registry.versions("global/hello", &["1.0.0"], &admin);
    for number in 0..256 {
        registry.tag("global/hello", &format!("tag-{number}"), "1.0.0", &admin).expect(201);
    }
    registry.tag("global/hello", "one-more", "1.0.0", &admin).problem(409, "conflict");
    registry.tag("global/hello", "tag-0", "1.0.0", &admin).unchanged();
    registry.as_user(&admin).delete(&format!("{}/tags/tag-7", skill_path("global/hello"))).expect(204);
    registry.tag("global/hello", "one-more", "1.0.0", &admin).expect(201);
}
