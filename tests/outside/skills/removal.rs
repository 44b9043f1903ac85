//! Removed skills are gone for everyone, and are restored unchanged.

use serde_json::{Value, json};

use crate::harness::tree::outside_the_log;
use crate::harness::{Registry, Skill, User, assert_fields, record_fields::SKILL, skill_path};

/// `greet` of a team of ann's: two versions, one yanked, and a tag.
fn greet() -> (Registry, User) {
    let registry = Registry::start();
    let ann = registry.user("ann");
    registry.team("team", &ann);
    registry.versions("team/greet", &["1.0.0", "1.1.0"], &ann);
    registry.tag("team/greet", "beta", "1.1.0", &ann).expect(201);
    registry.yank("team/greet", "1.0.0", &ann).expect(200);
    registry.versions("team/other", &["1.0.0"], &ann);
    (registry, ann)
}

const ADDRESSES: &[&str] = &[
    "/api/v1/skills/team/greet",
    "/api/v1/skills/team/greet/versions",
    "/api/v1/skills/team/greet/versions/1.1.0",
    "/api/v1/skills/team/greet/versions/1.1.0/files",
    "/api/v1/skills/team/greet/versions/1.1.0/download",
    "/api/v1/skills/team/greet/download",
    "/api/v1/skills/team/greet/resolve",
    "/api/v1/skills/team/greet/resolve?tag=beta",
    "/api/v1/resolve?slug=team--greet",
    "/api/v1/download/team--greet/1.1.0",
    "/api/v1/download/team--greet/beta",
    "/team/greet/SKILL.md",
];

#[test]
fn removed_skill_is_gone_from_server_and_tree() {
    let (registry, ann) = greet();
    let response = registry.remove("team/greet", &ann).expect(204);
    assert!(response.body.is_empty());
    assert_eq!(registry.tree_json("api/v1/mirror/head.json")["revision"], response.revision());
    for address in ADDRESSES {
        let gone = registry.get(address);
        gone.problem(410, "gone");
        registry.as_user(&ann).get(address).problem(410, "gone");
    }
    assert_eq!(registry.anonymous().head(ADDRESSES[0]).status, 410);
    // The other skill's description has the word `greets`.
    let is_left = |file: &String| file.contains("greet") && !file.ends_with("/_q/greets.json");
    let left: Vec<String> = registry.tree().into_iter().filter(is_left).collect();
    assert_eq!(left, [""; 0], "nothing of it is in the tree");
    assert_eq!(registry.read("/api/v1/skills")["total"], 1);
    assert_eq!(registry.read("/api/v1/namespaces/team")["skillCount"], 1);
    registry.command(["verify"]).ok();
    for response in [
        registry.remove("team/greet", &ann),
        registry.tag("team/greet", "x", "1.1.0", &ann),
        registry.yank("team/greet", "1.1.0", &ann),
        registry.star("team/greet", &ann),
        registry.as_user(&ann).get(&format!("{}/tags", skill_path("team/greet"))),
    ] {
        response.problem(410, "gone");
    }
    registry.remove("team/nothing", &ann).problem(404, "not_found");
}

/// A page without the line that tells when the skill changed last.
fn undated(page: &[u8]) -> String {
    let page = String::from_utf8(page.to_vec()).unwrap();
    let lines: Vec<_> = page.lines().filter(|line| !line.contains("<dt>Updated</dt>")).collect();
    assert_eq!(lines.len() + 1, page.lines().count(), "{page}");
    lines.join("\n")
}

#[test]
fn restored_skill_is_identical_byte_for_byte() {
    let (mut registry, ann) = greet();
    let bob = registry.user("bob");
    registry.star("team/greet", &bob).expect(200);
    let before = registry.tree_bytes();
    registry.remove("team/greet", &ann).expect(204);
    registry.command(["gc"]).ok();
    registry.stop();
    registry.restart();
    let response = registry.restore("team/greet", &ann);
    assert_eq!(registry.tree_json("api/v1/mirror/head.json")["revision"], response.revision());
    let skill = response.expect_json(200);
    assert_fields(&skill, SKILL);
    assert_eq!((&skill["version"], &skill["tags"]), (&json!("1.1.0"), &json!({"beta": "1.1.0"})));
    let after = registry.tree_bytes();
    assert_eq!(outside_the_log(&before), outside_the_log(&after));
    let without_time = |bytes: &[u8]| -> Value {
        let mut record: Value = serde_json::from_slice(bytes).unwrap();
        assert!(record.as_object_mut().unwrap().remove("updatedAt").is_some());
        record
    };
    let is_of_skill = |path: &str| path.contains("greet") && !path.contains("/search/_q/");
    for (path, bytes) in before.iter().filter(|(path, _)| is_of_skill(path) && !path.ends_with(".gz")) {
        if path == "api/v1/skills/team/greet.json" {
            assert_eq!(without_time(bytes), without_time(&after[path]));
        } else if path == "clawhub/api/v1/skills/team--greet.json" {
            let without_time = |bytes: &[u8]| -> Value {
                let mut document: Value = serde_json::from_slice(bytes).unwrap();
                assert!(document["skill"].as_object_mut().unwrap().remove("updatedAt").is_some());
                document
            };
            assert_eq!(without_time(bytes), without_time(&after[path]));
        } else if path == "team/greet/index.html" {
            assert_eq!(undated(bytes), undated(&after[path]));
        } else {
            assert!(after[path] == *bytes, "{path} is another");
        }
    }
    assert_eq!(registry.star("team/greet", &bob).unchanged()["starCount"], 1);
    assert_eq!(registry.read("/api/v1/skills")["items"][0]["slug"], "greet", "it is the last change");
    assert_eq!(registry.restore("team/greet", &ann).unchanged()["slug"], "greet");
    registry.restore("team/nothing", &ann).problem(404, "not_found");
    registry.command(["verify"]).ok();
}

#[test]
fn name_of_a_removed_skill_stays_its_authors() {
    let registry = Registry::start();
    let (ann, bob) = (registry.user("ann"), registry.user("bob"));
    let receipt = registry.submit("global/hello", "1.0.0", &ann);
    registry.decide(&registry.admin(), "approve", ("global", &receipt["reviewId"])).expect(200);
    registry.remove("global/hello", &ann).expect(204);
    let publish = |user: &User, version: &str| {
        let other = Skill::named("hello").text("Other.\n");
        registry.publish(other).version(version).by(user)
    };
    publish(&bob, "2.0.0").problem(409, "conflict");
    // A removed skill accepts no version, and a used version number never gets other content.
    publish(&ann, "2.0.0").problem(409, "conflict");
    publish(&registry.admin(), "2.0.0").problem(409, "conflict");
    registry.restore("global/hello", &bob).problem(403, "forbidden");
    registry.restore("global/hello", &ann).expect(200);
    publish(&ann, "1.0.0").problem(409, "conflict");
    publish(&ann, "2.0.0").expect(201);
}

#[test]
fn removed_skill_is_unowned_and_needs_no_version() {
    let (registry, ann) = greet();
    let mine = || registry.as_user(&ann).get("/api/v1/me/skills").expect_json(200);
    assert_eq!(mine()["total"], 2);
    registry.remove("team/greet", &ann).expect(204);
    assert_eq!((&mine()["total"], &mine()["items"][0]["slug"]), (&json!(1), &json!("other")));
    registry.restore("team/greet", &ann).expect(200);
    assert_eq!(mine()["total"], 2);
}
