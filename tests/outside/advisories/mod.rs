//! Advisories: who publishes them, what everybody reads, and what clients say.

mod clients;

use serde_json::{Value, json};

use crate::harness::{Registry, Response, User};

/// A registry with versions of `team/hello` of ann's.
pub fn hello(versions: &[&str]) -> (Registry, User) {
    let registry = Registry::with_config("public_url = \"https://skills.example.org\"\n");
    let ann = registry.user("ann");
    registry.team("team", &ann);
    registry.versions("team/hello", versions, &ann);
    (registry, ann)
}

/// An advisory with some fields changed.
pub fn advisory(changed: &Value) -> Value {
    let mut body = json!({
        "affected": ["<1.1.0"], "level": "high", "title": "It deletes files", "text": "Update.\n\nThen look.",
        "fixedIn": "1.1.0",
    });
    for (name, value) in changed.as_object().expect("fields") {
        body[name] = value.clone();
    }
    body
}

pub fn publish(registry: &Registry, by: &User, changed: &Value) -> Response {
    registry.as_user(by).post_json("/api/v1/skills/team/hello/advisories", &advisory(changed))
}

#[test]
fn advisory_is_in_the_records_of_its_versions_and_outlives_the_skill() {
    let (registry, ann) = hello(&["1.0.0", "1.1.0-rc.1", "1.1.0"]);
    let published = publish(&registry, &ann, &json!({})).expect_json(201);
    let id = published["id"].as_str().expect("an id").to_owned();
    assert_eq!((&published["issuer"], &published["withdrawnAt"]), (&json!("namespace"), &Value::Null));
    let of = |version: &str| {
        registry.tree_json(&format!("api/v1/skills/team/hello/versions/{version}.json"))["advisories"].clone()
    };
    let note = json!([{"id": id, "level": "high", "title": "It deletes files", "fixedIn": "1.1.0"}]);
    assert_eq!((of("1.0.0"), of("1.1.0-rc.1"), of("1.1.0")), (note.clone(), note, Value::Null));
    let page = registry.get("/team/hello/1.0.0/").text();
    assert!(page.contains("It deletes files") && page.contains("&lt;1.1.0"), "{page}");
    assert!(!registry.get("/team/hello/").text().contains("It deletes files"), "the latest version is fixed");
    // Whole files after the OSV schema.
    let osv = registry.tree_json(&format!("advisories/osv/x_{id}.json"));
    assert_eq!(osv["affected"][0]["ranges"][0]["events"], json!([{"introduced": "0"}, {"fixed": "1.1.0"}]));
    assert_eq!((&osv["schema_version"], &osv["id"]), (&json!("1.7.0"), &json!(format!("x_{id}"))));
    assert!(osv["affected"][0].get("package").is_none() && osv.get("withdrawn").is_none());
    let index = registry.tree_json("advisories/osv/index.json");
    assert_eq!(index["items"], json!([{"id": format!("x_{id}"), "modified": osv["modified"]}]));
    for address in ["/advisories/", "/advisories/feed.atom"] {
        assert!(registry.get(address).text().contains("It deletes files"), "{address}");
    }
    // The skill goes, its advisories stay.
    registry.remove("team/hello", &ann).expect(204);
    let all = registry.read("/api/v1/skills/team/hello/advisories");
    assert_eq!((&all["total"], &all["items"][0]["text"]), (&json!(1), &json!("Update.\n\nThen look.")));
    registry.get(&format!("/advisories/osv/x_{id}.json")).expect(200);
    publish(&registry, &ann, &json!({"affected": ["=1.1.0"], "fixedIn": null})).expect(201);
    let withdraw = format!("/api/v1/skills/team/hello/advisories/{id}/withdraw");
    let done = registry.as_user(&ann).post_json(&withdraw, &json!({"reason": "A mistake."})).expect_json(200);
    assert_eq!(done["withdrawalReason"], "A mistake.");
    assert!(registry.tree_json(&format!("advisories/osv/x_{id}.json"))["withdrawn"].is_string());
    registry.restore("team/hello", &ann).expect(200);
    assert_eq!(of("1.0.0"), Value::Null);
    assert_eq!(of("1.1.0")[0]["level"], "high");
    registry.command(["verify"]).ok();
    let log = registry.command(["audit"]).ok().stdout;
    assert!(
        log.contains("published an advisory about team--hello (high)") && log.contains("A mistake."),
        "{log}"
    );
}

#[test]
fn advisory_that_helps_nobody_is_refused() {
    let (registry, ann) = hello(&["1.0.0", "1.1.0"]);
    for (changed, field) in [
        (json!({"affected": []}), "affected"),
        (json!({"affected": ["latest"]}), "affected"),
        (json!({"affected": ["<0.5"]}), "affected"),
        (json!({"affected": vec!["<1.1.0"; 17]}), "affected"),
        (json!({"fixedIn": "1.0.0"}), "fixedIn"),
        (json!({"level": "bad"}), "level"),
        (json!({"title": "two\nlines"}), "title"),
        (json!({"title": ""}), "title"),
        (json!({"title": "x".repeat(201)}), "title"),
        (json!({"text": " "}), "text"),
        (json!({"text": "x".repeat(17 << 10)}), "text"),
        (json!({"text": "a\u{202e}b"}), "text"),
        (json!({"more": 1}), "more"),
    ] {
        let problem = publish(&registry, &ann, &changed).problem(400, "invalid_request");
        assert!(problem.to_string().contains(field), "{changed}: {problem}");
    }
    let unknown = "/api/v1/skills/team/hello/advisories/SKM-1/withdraw";
    registry.as_user(&ann).post_json(unknown, &json!({})).problem(404, "not_found");
}
