//! What a write waits for: the documents of its skill, or the whole tree.

use serde_json::Value;

use crate::harness::{Registry, Response, Skill, User, eventually};

fn publish(registry: &Registry, name: &str, by: &User) -> Response {
    let client = registry.as_user(by).without_waiting();
    registry.publish(Skill::named(name)).try_through(&client).unwrap().expect(201)
}

fn head(registry: &Registry) -> u64 {
    let head = std::fs::read(registry.public().join("api/v1/mirror/head.json")).unwrap();
    serde_json::from_slice::<Value>(&head).unwrap()["revision"].as_u64().unwrap()
}

/// Asserts that lists of the server show a skill.
fn assert_listed(registry: &Registry, name: &str) {
    for list in [
        "/api/v1/skills",
        "/api/v1/skills?sort=created",
        "/api/v1/skills?namespace=global",
        &format!("/api/v1/search?q={name}"),
    ] {
        let page = registry.read(list);
        let items = page.get("items").unwrap_or(&page["results"]).as_array().unwrap();
        assert!(items.iter().any(|item| item["slug"] == name), "{name} is not in {list}");
    }
    let page = registry.get("/").expect(200).text();
    assert!(page.contains(&format!("global/{name}/")), "{name} is not on the start page");
}

#[test]
fn answered_write_has_its_documents_and_lists_follow() {
    let registry = Registry::start();
    let admin = registry.admin();
    for number in 0..30 {
        let name = format!("skill-{number}");
        let response = publish(&registry, &name, &admin);
        assert_eq!(response.header("x-mirror-lag"), None, "{response}");
        assert_eq!(response.header("preference-applied"), None, "{response}");
        for file in [
            format!("api/v1/skills/global/{name}.json"),
            format!("api/v1/skills/global/{name}/versions.json"),
            format!("api/v1/skills/global/{name}/versions/1.0.0.json"),
            format!("api/v1/skills/global/{name}/versions/1.0.0/files.json"),
            format!("api/v1/skills/global/{name}/versions/1.0.0/download.zip"),
            format!("api/v1/skills/global/{name}/download.zip"),
            format!("api/v1/skills/global/{name}/resolve.json"),
            format!("api/v1/resolve/{name}.json"),
            format!("api/v1/download/{name}/latest.zip"),
            format!("global/{name}/index.html"),
        ] {
            assert!(registry.public().join(&file).exists(), "{file}");
        }
        // The server's own lists never lag.
        assert_listed(&registry, &name);
    }
    let last = publish(&registry, "the-last", &admin).revision();
    eventually("the head follows", || (head(&registry) == last).then_some(()));
    let list = std::fs::read_to_string(registry.public().join("api/v1/skills.json")).unwrap();
    assert!(list.contains("the-last"), "{list}");
    registry.command(["verify"]).ok();
}

#[test]
fn whole_tree_has_a_write_whose_client_waits() {
    let registry = Registry::start();
    let admin = registry.admin();
    let client = registry.as_user(&admin).without_waiting().with("prefer", "respond-async, wait=20");
    let response = registry.publish(Skill::named("hello")).try_through(&client).unwrap().expect(201);
    assert_eq!(response.require_header("preference-applied"), "wait");
    assert_eq!(head(&registry), response.revision());
}

#[test]
fn without_interval_every_write_waits_for_the_whole_tree() {
    let registry = Registry::with_config("[mirror]\nlists_interval = 0\n");
    let admin = registry.admin();
    for number in 0..5 {
        let response = publish(&registry, &format!("skill-{number}"), &admin);
        assert_eq!(head(&registry), response.revision());
    }
}

/// A removed document must not be found once the write is answered, and nothing may refer to it
/// before.
#[test]
fn removal_waits_for_the_lists_that_refer_to_it() {
    let registry = Registry::start();
    let admin = registry.admin();
    let client = registry.as_user(&admin).without_waiting();
    for number in 0..5 {
        let name = format!("skill-{number}");
        publish(&registry, &name, &admin);
        publish(&registry, &format!("other-{number}"), &admin);
        let path = format!("/api/v1/skills/global/{name}");
        client.delete(&path).expect(204);
        assert_eq!(registry.get(&path).status, 410);
        assert!(!registry.public().join(format!("api/v1/skills/global/{name}.json")).exists());
        let list = std::fs::read_to_string(registry.public().join("api/v1/skills.json")).unwrap();
        assert!(!list.contains(&name), "{list}");
    }
}
