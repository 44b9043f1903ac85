//! Searching and listing.

use serde_json::{Value, json};

use super::{harness, line_of};
use harness::{Registry, Shared, Skill, assert_fields};

static LIBRARY: Shared<Registry> = Shared::new();

/// `tools--pdf-read`, `tools--pdf-write`, `pdf` and `zebra`, in this order. `pdf` has a star.
fn library() -> Registry {
    let registry = Registry::with_config("[mirror]\ncounter_interval = 0\n");
    let ann = registry.user("ann");
    registry.team("tools", &ann);
    for slug in ["pdf-read", "pdf-write"] {
        let skill = Skill::named(slug).description("\"Works on\\n\\nPDF documents.\"");
        registry.publish(skill).to("tools").version("1.0.0").by(&ann).expect(201);
    }
    for slug in ["pdf", "zebra"] {
        registry.publish(Skill::named(slug)).version("1.0.0").by(&registry.admin()).expect(201);
    }
    registry.star("global/pdf", &ann).expect(200);
    for list in ["", "/_list/created", "/_list/downloads", "/_list/stars"] {
        let text = || registry.get(&format!("/clawhub/api/v1/skills{list}")).text();
        harness::eventually("the star is shown", || text().contains("\"stars\":1").then_some(()));
    }
    registry
}

fn slugs(list: &Value) -> Vec<&str> {
    list.as_array().unwrap().iter().map(|item| item["slug"].as_str().unwrap()).collect()
}

#[test]
fn search_finds_skills_with_their_owner() {
    let registry = LIBRARY.get(library);
    let found = registry.read("/clawhub/api/v1/search?q=pdf&limit=25");
    assert_fields(&found, "results");
    assert_eq!(slugs(&found["results"])[0], "pdf");
    assert_eq!(slugs(&found["results"]).len(), 3);
    for result in found["results"].as_array().unwrap() {
        assert_fields(result, "score slug displayName summary version updatedAt ownerHandle");
        assert!(result["score"].is_number() && result["updatedAt"].is_number(), "{result}");
    }
    // One line, whatever the description is.
    assert_eq!(found["results"][1]["summary"], "Works on PDF documents.");
    let one = registry.read("/clawhub/api/v1/search?q=pdf&limit=1");
    assert_eq!(slugs(&one["results"]), ["pdf"]);
    for exact in ["q=pdf&mode=exact", "q=PDF&mode=exact&limit=25"] {
        let found = registry.read(&format!("/clawhub/api/v1/search?{exact}"));
        assert_eq!(slugs(&found["results"]), ["pdf"]);
    }
    assert_eq!(registry.read("/clawhub/api/v1/search?q=unheard")["results"], json!([]));
    let long = registry.get(&format!("/clawhub/api/v1/search?q={}", "a".repeat(201)));
    assert!(line_of(&long, 400).contains("200"));
}

#[test]
fn lists_are_sorted_and_unknown_orders_fall_back() {
    let registry = LIBRARY.get(library);
    let list = |query: &str| registry.read(&format!("/clawhub/api/v1/skills{query}"));
    let newest = ["zebra", "pdf", "tools--pdf-write", "tools--pdf-read"];
    for query in
        ["", "?limit=25", "?limit=200", "?limit=0x", "?sort=best&limit=25", "?sort=createdAt&limit=25"]
    {
        assert_eq!(slugs(&list(query)["items"]), newest, "{query}");
    }
    assert_eq!(slugs(&list("?limit=2")["items"]), newest[..2]);
    assert_eq!(slugs(&list("?limit=0")["items"]), newest[..1]);
    assert_eq!(slugs(&list("?sort=stars&limit=25")["items"])[0], "pdf");
    for sort in ["downloads", "trending", "installs", "installsCurrent", "installsAllTime"] {
        assert_eq!(slugs(&list(&format!("?limit=25&sort={sort}"))["items"]).len(), 4, "{sort}");
    }
    let item = &list("?sort=stars")["items"][0];
    assert_fields(item, "slug displayName summary tags stats createdAt updatedAt latestVersion");
    assert_eq!(item["stats"], json!({ "versions": 1, "downloads": 0, "stars": 1 }));
    assert_eq!(list("")["nextCursor"], Value::Null);
}

#[test]
fn lists_are_documents_of_the_tree() {
    let registry = LIBRARY.get(library);
    for (query, file) in [
        ("", "skills.json"),
        ("?limit=25", "skills.json"),
        ("?limit=25&sort=createdAt", "skills/_list/created.json"),
        ("?limit=25&sort=downloads", "skills/_list/downloads.json"),
        ("?limit=25&sort=stars", "skills/_list/stars.json"),
    ] {
        let bytes = registry.get(&format!("/clawhub/api/v1/skills{query}")).expect(200).body;
        let file = registry.public().join("clawhub/api/v1").join(file);
        assert!(bytes == std::fs::read(file).unwrap(), "{query}");
    }
}

#[test]
fn prefix_lists_slugs_page_by_page() {
    let registry = LIBRARY.get(library);
    let list = |query: &str| registry.read(&format!("/clawhub/api/v1/skills?{query}"));
    assert_eq!(slugs(&list("prefix=pdf&limit=25")["items"]), ["pdf"]);
    assert_eq!(slugs(&list("prefix=TO&limit=25")["items"]), ["tools--pdf-read", "tools--pdf-write"]);
    assert_eq!(slugs(&list("prefix=tools--pdf-w")["items"]), ["tools--pdf-write"]);
    assert_eq!(list("prefix=toolsx")["items"], json!([]));
    let first = list("prefix=tools&limit=1");
    assert_eq!(first["nextCursor"], "tools--pdf-read");
    let second = list("prefix=tools&limit=1&cursor=tools--pdf-read");
    assert_eq!(slugs(&second["items"]), ["tools--pdf-write"]);
    assert_eq!(second["nextCursor"], Value::Null);
}
