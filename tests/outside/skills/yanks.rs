//! Yanked versions are reached only by their exact address.

use serde_json::{Value, json};

use crate::harness::tree::outside_the_log;
use crate::harness::{Registry, Shared, Skill, User, assert_fields, record_fields::VERSION, skill_path};

static RUNNING: Shared<Registry> = Shared::new();

/// `hello` of a team of ann's, in two versions.
fn hello(registry: &Registry, team: &str) -> (User, String) {
    let ann = registry.user(&format!("ann-{team}"));
    registry.team(team, &ann);
    let skill = format!("{team}/hello");
    registry.versions(&skill, &["1.0.0", "1.1.0"], &ann);
    (ann, skill)
}

fn unyank(registry: &Registry, skill: &str, version: &str, by: &User) -> crate::harness::Response {
    registry.as_user(by).delete(&format!("{}/versions/{version}/yank", skill_path(skill)))
}

#[test]
fn reason_that_misleads_its_readers_is_refused() {
    let registry = RUNNING.get(Registry::start);
    let (ann, skill) = hello(&registry, "misleading");
    let yank = |reason: &str| {
        let path = format!("{}/versions/1.0.0/yank", skill_path(&skill));
        registry.as_user(&ann).post_json(&path, &json!({"reason": reason}))
    };
    for reason in ["a\u{202e}b", "a\u{2066}b", "a\u{feff}b", "\u{1b}[31m"] {
        let problem = yank(reason).problem(400, "invalid_request");
        assert!(problem.to_string().contains("reason"), "{reason:?}: {problem}");
    }
    // Marks that some scripts need, and joiners.
    yank("\u{200f}\u{5e9} \u{1f469}\u{200d}\u{1f4bb}\tand\nmore").expect(200);
}

#[test]
fn yank_moves_latest_and_keeps_the_exact_download() {
    let registry = Registry::start();
    let (ann, skill) = hello(&registry, "team");
    let zip = registry.get(&format!("{}/versions/1.1.0/download", skill_path(&skill))).expect(200).body;

    let response = registry.yank(&skill, "1.1.0", &ann);
    let revision = response.revision();
    let yanked = response.expect_json(200);
    assert_fields(&yanked, VERSION);
    assert_eq!((&yanked["version"], &yanked["status"]), (&json!("1.1.0"), &json!("yanked")));
    assert_eq!(yanked["yankReason"], "It greets nobody.");

    // The tree has it before the answer, and the server answers with the tree.
    assert_eq!(registry.tree_json("api/v1/mirror/head.json")["revision"], revision);
    let read = |path: &str| -> Value {
        let file = registry.tree_file(&format!("api/v1/skills/team/hello{path}.json"));
        assert_eq!(registry.get(&format!("{}{path}", skill_path(&skill))).expect(200).body, file, "{path}");
        serde_json::from_slice(&file).unwrap()
    };
    assert_eq!((&read("")["version"], &read("")["latest"]["version"]), (&json!("1.0.0"), &json!("1.0.0")));
    assert_eq!(read("/resolve")["version"], "1.0.0");
    let versions = read("/versions");
    let marks: Vec<_> =
        versions["items"].as_array().unwrap().iter().map(|v| (&v["version"], &v["yankReason"])).collect();
    assert_eq!(marks, [(&json!("1.1.0"), &json!("It greets nobody.")), (&json!("1.0.0"), &Value::Null)]);
    assert_eq!(read("/versions/1.1.0")["status"], "yanked");
    assert_eq!(read("/versions/1.1.0/files")["total"], 1);
    assert_eq!(
        registry.get(&format!("{}/versions/1.1.0/download", skill_path(&skill))).expect(200).body,
        zip
    );
    assert_eq!(registry.tree_file("api/v1/skills/team/hello/versions/1.1.0/download.zip"), zip);
    assert_eq!(registry.get("/api/v1/download/team--hello/1.1.0").expect(200).body, zip);
    for address in
        ["/api/v1/skills/team/hello/resolve?version=1.1.0", "/api/v1/resolve?slug=team--hello&version=1.1.0"]
    {
        let problem = registry.get(address).problem(404, "not_found");
        assert!(problem["detail"].as_str().unwrap().contains("yanked"), "{problem}");
    }
    assert_ne!(registry.get(&format!("{}/download", skill_path(&skill))).expect(200).body, zip);
    registry.command(["verify"]).ok();
}

#[test]
fn undone_yank_restores_everything() {
    let registry = Registry::start();
    let (ann, skill) = hello(&registry, "team");
    registry.tag(&skill, "beta", "1.1.0", &ann).expect(201);
    let before = registry.tree_bytes();
    registry.yank(&skill, "1.1.0", &ann).expect(200);
    let response = unyank(&registry, &skill, "1.1.0", &ann);
    assert!(response.revision() > 0);
    let version = response.expect_json(200);
    assert_eq!((&version["status"], &version["yankReason"]), (&json!("published"), &Value::Null));
    let after = registry.tree_bytes();
    assert_eq!(outside_the_log(&before), outside_the_log(&after));
    // Only what says when it changed, and the feed, may differ.
    let moves = |path: &str| {
        path.contains("/mirror/")
            || path.contains("/log/")
            || path.contains("/skills/_list/")
            || path.ends_with("/skills.json")
            || path.ends_with("/search.json")
            || path.contains("/search/_q/")
            || path.ends_with("hello.json")
            || path.ends_with("index.html")
            || path.ends_with(".gz")
    };
    for (path, bytes) in &before {
        assert!(moves(path) || after[path] == *bytes, "{path} is another");
    }
    registry.command(["verify"]).ok();
}

#[test]
fn repeated_yank_changes_nothing() {
    let registry = RUNNING.get(Registry::start);
    let (ann, skill) = hello(&registry, "twice");
    let path = format!("{}/versions/1.0.0/yank", skill_path(&skill));
    let yank = |body: Value| registry.as_user(&ann).post_json(&path, &body);
    let without = registry.as_user(&ann).request("POST", &path, None);
    assert!(without.revision() > 0);
    assert_eq!(without.expect_json(200)["yankReason"], Value::Null);
    assert_eq!(yank(json!({})).unchanged()["status"], "yanked");
    let reasoned = yank(json!({"reason": "Because."}));
    assert!(reasoned.revision() > 0, "a reason can be given later");
    assert_eq!(yank(json!({"reason": "Because."})).unchanged()["yankReason"], "Because.");
    assert_eq!(unyank(&registry, &skill, "1.0.0", &ann).expect_json(200)["status"], "published");
    assert_eq!(unyank(&registry, &skill, "1.0.0", &ann).unchanged()["status"], "published");
}

#[test]
fn fully_yanked_skill_stays_in_lists() {
    let registry = RUNNING.get(Registry::start);
    let (ann, skill) = hello(&registry, "emptied");
    for version in ["1.0.0", "1.1.0"] {
        registry.yank(&skill, version, &ann).expect(200);
    }
    let record = registry.read(&skill_path(&skill));
    assert_eq!((&record["version"], &record["latest"]), (&Value::Null, &Value::Null));
    assert_eq!(record["name"], "hello");
    let list = registry.read("/api/v1/skills?namespace=emptied");
    assert_eq!((&list["total"], &list["items"][0]["version"]), (&json!(1), &Value::Null));
    for path in ["/resolve", "/resolve?tag=latest", "/download"] {
        registry.get(&format!("{}{path}", skill_path(&skill))).problem(404, "not_found");
    }
    let list = registry.as_user(&ann).get(&format!("{}/tags", skill_path(&skill))).expect_json(200);
    assert_eq!(list["items"], json!([]), "there is no latest");
    registry.versions(&skill, &["0.9.0"], &ann);
    assert_eq!(registry.read(&skill_path(&skill))["version"], "0.9.0");
}

#[test]
fn yanked_version_number_stays_taken() {
    let registry = RUNNING.get(Registry::start);
    let (ann, skill) = hello(&registry, "taken");
    registry.yank(&skill, "1.1.0", &ann).expect(200);
    let publish = |text: &str, version| {
        registry.publish(Skill::named("hello").text(text)).to("taken").version(version).by(&ann)
    };
    publish("Other.\n", "1.1.0").problem(409, "conflict");
    publish("This is 1.1.0.\n", "1.1.0").problem(409, "conflict");
    publish("Other.\n", "1.2.0").expect(201);
}

#[test]
fn invalid_yank_reason_or_version_is_refused() {
    let registry = RUNNING.get(Registry::start);
    let (ann, skill) = hello(&registry, "words");
    let yank = |version: &str, body: Value| {
        registry.as_user(&ann).post_json(&format!("{}/versions/{version}/yank", skill_path(&skill)), &body)
    };
    yank("1.0.0", json!({"reason": "x".repeat(2049)})).problem(400, "invalid_request");
    yank("1.0.0", json!({"reason": "a\u{7}b"})).problem(400, "invalid_request");
    yank("1.0.0", json!({"reason": 5})).problem(400, "invalid_request");
    yank("1.0.0", json!({"because": "x"})).problem(400, "invalid_request");
    yank("9.9.9", json!({})).problem(404, "not_found");
    yank("beta", json!({})).problem(404, "not_found");
    assert_eq!(registry.read(&skill_path(&skill))["version"], "1.1.0", "nothing was yanked");
    yank("1.0.0", json!({"reason": "x".repeat(2048)})).expect(200);
}

#[test]
fn content_that_staff_yanked_waits_for_staff_under_another_name() {
    let registry = Registry::start();
    let [ann, bob] = ["ann", "bob"].map(|name| registry.user(name));
    registry.team("team", &ann);
    registry.join("team", &ann, &bob, "owner");
    let skill = || Skill::named("hello").text("Bad.");
    registry.publish(skill()).to("team").by(&ann).expect(201);
    // What the author yanks is no concern of staff.
    registry.yank("team/hello", "1.0.0", &ann).expect(200);
    let own = registry.publish(skill()).to("team").slug("second").by(&ann).expect_json(201);
    assert_eq!(own["status"], "published");
    registry.yank("team/second", "1.0.0", &registry.admin()).expect(200);
    let waiting = registry.publish(skill()).to("team").slug("third").by(&ann).expect_json(201);
    assert_eq!(waiting["status"], "pending_review");
    assert!(waiting["warnings"].to_string().contains("content_taken_down"), "{waiting}");
    // Nobody of the team can approve it.
    let review = ("team", &waiting["reviewId"]);
    registry.decide(&bob, "approve", review).problem(403, "forbidden");
    registry.decide(&registry.admin(), "approve", review).expect(200);
    let shown = registry.get("/api/v1/skills/team/third/versions/1.0.0").expect_json(200);
    assert!(!shown.to_string().contains("content_taken_down"), "{shown}");
    // Other content is public at once.
    let other = registry.publish(Skill::named("hello").text("Good.")).to("team").slug("fourth").by(&ann);
    assert_eq!(other.expect_json(201)["status"], "published");
}

#[test]
fn public_text_with_a_token_is_refused_without_showing_it() {
    let registry = Registry::start();
    let (ann, skill) = hello(&registry, "texts");
    let token = ["ghp", "_", &"zk3".repeat(3), "qw9rty2lp8vbxc4nm6hsjd1fg7a"].concat();
    let as_ann = registry.as_user(&ann);
    let yank = format!("{}/versions/1.0.0/yank", skill_path(&skill));
    let answers = [
        as_ann.post_json(&yank, &json!({"reason": format!("It has {token}")})),
        as_ann.post_json("/api/v1/namespaces", &json!({"slug": "other", "description": token})),
        as_ann.post_json("/api/v1/namespaces", &json!({"slug": "other", "displayName": token})),
        registry.publish(Skill::named("hello").text("new")).to("texts").tags(&token).by(&ann),
    ];
    for answer in answers {
        let problem = answer.problem(400, "invalid_request").to_string();
        assert!(problem.contains("a GitHub token") && !problem.contains(&token), "{problem}");
    }
}
