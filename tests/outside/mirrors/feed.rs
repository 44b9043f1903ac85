//! The feed that followers read.

use serde_json::{Value, json};

use crate::harness::{Registry, Skill, assert_fields, sha256};

fn is_digest(value: &Value) -> bool {
    value
        .as_str()
        .is_some_and(|text| text.len() == 64 && text.bytes().all(|b| b"0123456789abcdef".contains(&b)))
}

/// The feed's pages in order, after checking that they hang together.
#[track_caller]
fn pages(registry: &Registry) -> Vec<Value> {
    let head = registry.tree_json("api/v1/mirror/head.json");
    assert_fields(&head, "epoch revision at pages sha256 counters settings log format");
    assert_fields(&head["counters"], "generation sha256");
    let count = head["pages"].as_u64().unwrap();
    let mut previous = Value::Null;
    let mut last_revision = 0;
    let mut pages = Vec::new();
    for number in 1..=count {
        let bytes = registry.tree_file(&format!("api/v1/mirror/changes/{number}.json"));
        let page: Value = serde_json::from_slice(&bytes).unwrap();
        assert_fields(&page, "page epoch previous changes");
        assert_eq!((&page["page"], &page["epoch"]), (&json!(number), &head["epoch"]));
        assert_eq!(page["previous"], previous, "page {number} names the page before it");
        previous = json!(sha256(&bytes));
        let changes = page["changes"].as_array().unwrap();
        assert!(!changes.is_empty() && changes.len() <= 32, "page {number} has {} changes", changes.len());
        for change in changes {
            let revision = change["revision"].as_u64().unwrap();
            assert!(revision > last_revision, "revisions rise: {revision} after {last_revision}");
            last_revision = revision;
            assert!(
                change["kind"].is_string() && change["v"].is_u64() && change["at"].is_string(),
                "{change}"
            );
        }
        pages.push(page);
    }
    assert_eq!((&head["sha256"], &head["revision"]), (&previous, &json!(last_revision)), "{head}");
    assert!(!registry.tree().contains(&format!("api/v1/mirror/changes/{}.json", count + 1)), "no page more");
    assert!(!registry.tree().contains(&"api/v1/mirror/changes/0.json".to_owned()), "pages start at 1");
    pages
}

#[test]
fn head_describes_the_tree() {
    let registry = Registry::start();
    pages(&registry);
    let head = registry.tree_json("api/v1/mirror/head.json");
    assert_eq!(head["settings"], sha256(&registry.tree_file("api/v1/mirror/settings.json")));
    assert!(is_digest(&head["counters"]["sha256"]) && head["format"].is_u64(), "{head}");
    let epoch = head["epoch"].as_str().unwrap();
    assert!(epoch.len() == 32 && epoch.bytes().all(|b| b.is_ascii_hexdigit()), "{epoch}");
    for shard in 0..=255_u8 {
        let counters = registry.tree_json(&format!("api/v1/mirror/counters/{shard:02x}.json"));
        assert_fields(&counters, "generation counters");
    }
}

#[test]
fn write_moves_the_head_to_its_revision() {
    let registry = Registry::start();
    let response = registry.publish(Skill::named("hello")).by(&registry.admin()).expect(201);
    let revision: u64 = response.require_header("x-revision").parse().unwrap();
    assert_eq!(registry.tree_json("api/v1/mirror/head.json")["revision"], revision);
    assert_eq!(registry.read("/api/v1/mirror/head.json")["revision"], revision);
    let pages = pages(&registry);
    let last = pages.last().unwrap()["changes"].as_array().unwrap().last().unwrap().clone();
    assert_eq!(last["revision"], revision);
    let receipt = response.json();
    assert_eq!(receipt["versionId"], revision.to_string(), "an id is the revision that made it");
    assert!(
        last.to_string().contains(receipt["sha256"].as_str().unwrap()),
        "the whole record is in the feed"
    );
}

#[test]
fn private_write_does_not_move_the_head() {
    let registry = Registry::start();
    let admin = registry.admin();
    let head = registry.tree_file("api/v1/mirror/head.json");
    let made = registry.as_user(&admin).post_json("/api/v1/tokens", &json!({"name": "quiet"})).expect(201);
    made.require_header("x-revision");
    assert_eq!(registry.tree_file("api/v1/mirror/head.json"), head);
}

#[test]
fn full_page_never_changes() {
    let registry = Registry::start();
    let admin = registry.admin();
    let rename = |number: usize| {
        let body = json!({"description": format!("The description number {number}.")});
        registry.as_user(&admin).put_json("/api/v1/namespaces/busy", &body).expect(200);
    };
    registry.team("busy", &admin);
    (0..70).for_each(rename);
    let before = pages(&registry);
    assert!(before.len() >= 2, "{} pages", before.len());
    assert_eq!(before[0]["changes"].as_array().unwrap().len(), 32);
    let first = registry.tree_file("api/v1/mirror/changes/1.json");
    (70..75).for_each(rename);
    assert_eq!(registry.tree_file("api/v1/mirror/changes/1.json"), first);
    assert_eq!(pages(&registry)[0], before[0]);
}

#[test]
fn epoch_survives_a_restart() {
    let mut registry = Registry::start();
    let epoch = registry.tree_json("api/v1/mirror/head.json")["epoch"].clone();
    registry.stop();
    registry.restart();
    assert_eq!(registry.tree_json("api/v1/mirror/head.json")["epoch"], epoch);
    registry.publish(Skill::named("hello")).by(&registry.admin()).expect(201);
    pages(&registry);
}
