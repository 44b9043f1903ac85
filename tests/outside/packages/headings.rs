//! The public row has the headings and the words of SKILL.md, regardless of how the version became public.

use serde_json::{Value, json};

use crate::harness::{Registry, Skill, skill_path};

const TEXT: &str = "# Press *cider*\n\nWash the apples.\n\n## Apples first ##\n\n```sh\n# no heading\n```\n\n\
                    <!--\n# nor this\n-->\n\nIn the barrel\n-------------\n\nJuice, juice.\n\n## Apples first\n";

fn cider(name: &str) -> Skill {
    Skill::named(name).text(TEXT)
}

/// Schema number, headings and body words of each published version, the oldest first.
fn headings(registry: &Registry) -> Vec<(String, u64, Value, Value)> {
    let pages = registry.tree_json("api/v1/mirror/head.json")["pages"].as_u64().unwrap();
    let page = |number| registry.tree_json(&format!("api/v1/mirror/changes/{number}.json"))["changes"].take();
    let rows = (1..=pages).flat_map(|number| page(number).as_array().unwrap().clone());
    let published = rows.filter(|row| row["kind"] == "published");
    published
        .map(|row| {
            let name = format!("{}/{}", row["namespace"].as_str().unwrap(), row["slug"].as_str().unwrap());
            (name, row["v"].as_u64().unwrap(), row["headings"].clone(), row["bodyWords"].clone())
        })
        .collect()
}

#[test]
fn headings_are_in_the_feed_after_every_kind_of_publish() {
    let mut registry = Registry::start();
    let (admin, ann, bob) = (registry.admin(), registry.user("ann"), registry.user("bob"));
    let (all, none) = (json!(["Press cider", "Apples first", "In the barrel"]), json!([]));
    registry.publish(cider("published")).by(&admin).expect(201);
    registry.publish(Skill::named("without")).by(&admin).expect(201);

    registry.reviewing_team("desk", &ann);
    registry.join("desk", &ann, &bob, "member");
    let waiting = registry.publish(cider("reviewed")).to("desk").by(&bob).expect_json(201);
    assert_eq!(headings(&registry).len(), 2, "pending submissions are not in the feed");
    registry.decide(&ann, "approve", ("desk", &waiting["reviewId"])).expect(200);

    let id = registry.read(&skill_path("desk/reviewed"))["id"].as_str().unwrap().to_owned();
    let promote = format!("/api/v1/namespaces/desk/skills/{id}/promote");
    let asked = registry.as_user(&ann).post_json(&promote, &json!({})).expect_json(201);
    // Both what waits and what it comes from are read back out of the journal.
    registry.stop();
    registry.restart();
    registry.decide(&admin, "approve", ("global", &asked["id"])).expect(200);

    let folder = registry.folder().join("in/imported");
    cider("imported").write_to(&folder);
    registry.command(["import".as_ref(), folder.as_os_str()]).ok();

    let row = |name: &str, headings: &Value| {
        let body_words =
            if headings == &all { json!(["juice", "wash"]) } else { json!(["say", "hello", "ask"]) };
        (name.to_owned(), 2, headings.clone(), body_words)
    };
    let rows = [
        row("global/published", &all),
        row("global/without", &none),
        row("desk/reviewed", &all),
        row("global/reviewed", &all),
        row("global/imported", &all),
    ];
    assert_eq!(headings(&registry), rows);
    registry.command(["verify"]).ok();
}

#[test]
fn headings_are_not_in_documents() {
    let registry = Registry::start();
    registry.publish(cider("quiet")).by(&registry.admin()).expect(201);
    assert_eq!(headings(&registry).len(), 1);
    for (path, bytes) in registry.tree_bytes() {
        let is_feed = path.starts_with("api/v1/mirror/changes/");
        if path.ends_with(".json") && !is_feed {
            assert!(!String::from_utf8_lossy(&bytes).contains("In the barrel"), "{path}");
        }
    }
}
