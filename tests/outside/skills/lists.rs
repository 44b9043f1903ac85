//! Lists: envelope, pages, order, filters.

use serde_json::json;

use crate::harness::{Registry, Shared, Skill, assert_fields, slugs};

static LIBRARY: Shared<Registry> = Shared::new();

/// In order of publication: global/delta, team/alpha, team/charlie, global/bravo,
/// then a second version of global/delta. `alpha` is titled "Zulu".
fn library() -> Registry {
    let registry = Registry::start();
    let admin = registry.admin();
    registry.team("team", &admin);
    let publish =
        |namespace: &str, skill: Skill| registry.publish(skill).to(namespace).by(&admin).expect(201);
    publish("global", Skill::named("delta"));
    publish("team", Skill::named("alpha").line("metadata:\n  title: Zulu"));
    publish("team", Skill::named("charlie"));
    publish("global", Skill::named("bravo"));
    publish("global", Skill::named("delta").text("Once more.\n"));
    registry
}

#[test]
fn skills_are_listed_by_newest_change_first() {
    let registry = LIBRARY.get(library);
    let list = registry.read("/api/v1/skills");
    assert_fields(&list, "items total page size filePages");
    assert_eq!((&list["total"], &list["page"], &list["size"]), (&json!(4), &json!(1), &json!(20)));
    assert_eq!(slugs(&list), ["delta", "bravo", "charlie", "alpha"]);
    for item in list["items"].as_array().unwrap() {
        assert_fields(item, crate::harness::record_fields::SUMMARY);
    }
}

#[test]
fn skills_are_listed_in_every_order() {
    let registry = LIBRARY.get(library);
    let sorted = |sort: &str| {
        let list = registry.read(&format!("/api/v1/skills?sort={sort}"));
        slugs(&list).into_iter().map(str::to_owned).collect::<Vec<_>>()
    };
    let newest = ["delta", "bravo", "charlie", "alpha"];
    assert_eq!(sorted("updated"), newest);
    assert_eq!(sorted("created"), ["bravo", "charlie", "alpha", "delta"]);
    assert_eq!(sorted("name"), ["bravo", "charlie", "delta", "alpha"], "alpha is called Zulu");
    for counted in ["downloads", "stars", "rating"] {
        assert_eq!(sorted(counted), newest, "{counted}: with equal counts the later update is first");
    }
}

#[test]
fn skills_of_one_namespace_are_listed() {
    let registry = LIBRARY.get(library);
    let team = registry.read("/api/v1/skills?namespace=team");
    assert_eq!((slugs(&team), &team["total"]), (vec!["charlie", "alpha"], &json!(2)));
    let named = registry.read("/api/v1/skills?namespace=team&sort=name&size=1&page=2");
    assert_eq!((slugs(&named), &named["total"]), (vec!["alpha"], &json!(2)));
    let nobody = registry.read("/api/v1/skills?namespace=nobody");
    assert_eq!((slugs(&nobody).len(), &nobody["total"]), (0, &json!(0)));
}

#[test]
fn pages_of_any_size_make_the_whole_list() {
    let registry = LIBRARY.get(library);
    let whole = registry.read("/api/v1/skills");
    for size in [1, 2, 3, 100] {
        let mut items = Vec::new();
        for page in 1..=5 {
            let list = registry.read(&format!("/api/v1/skills?page={page}&size={size}"));
            assert_eq!(
                (&list["page"], &list["size"], &list["total"]),
                (&json!(page), &json!(size), &json!(4))
            );
            items.extend(list["items"].as_array().unwrap().clone());
        }
        assert_eq!(json!(items), whole["items"], "size {size}");
    }
    let past = registry.read("/api/v1/skills?page=7");
    assert_eq!((slugs(&past).len(), &past["total"], &past["page"]), (0, &json!(4), &json!(7)));
}

#[test]
fn default_parameters_given_explicitly_change_nothing() {
    let registry = LIBRARY.get(library);
    let default = registry.get("/api/v1/skills").expect(200).body;
    for query in ["?page=1", "?size=20&page=1&sort=updated", "?sort=updated", "?colour=red", "?"] {
        assert_eq!(registry.get(&format!("/api/v1/skills{query}")).expect(200).body, default, "{query}");
    }
    let namespaces = registry.get("/api/v1/namespaces").expect(200).body;
    assert_eq!(registry.get("/api/v1/namespaces?page=1&size=20").expect(200).body, namespaces);
}

#[test]
fn invalid_parameters_are_400() {
    let registry = LIBRARY.get(library);
    for query in ["page=0", "page=-1", "page=x", "size=0", "size=101", "size=1.5"] {
        for list in ["/api/v1/skills", "/api/v1/namespaces"] {
            let response = registry.get(&format!("{list}?{query}"));
            let problem = response.problem(400, "invalid_request");
            assert!(problem["detail"].as_str().unwrap().len() > 10, "{response}");
        }
    }
    let response = registry.get("/api/v1/skills?sort=colour");
    let problem = response.problem(400, "invalid_request");
    assert!(
        problem["detail"].as_str().unwrap().contains("updated"),
        "it names the orders there are: {response}"
    );
    registry.get("/api/v1/skills?size=100").expect(200);
}

#[test]
fn namespaces_are_listed_by_slug() {
    let registry = LIBRARY.get(library);
    let list = registry.read("/api/v1/namespaces");
    assert_fields(&list, "items total page size filePages");
    assert_eq!(slugs(&list), ["global", "team"]);
    assert_eq!((&list["items"][0]["skillCount"], &list["items"][1]["skillCount"]), (&json!(2), &json!(2)));
    let second = registry.read("/api/v1/namespaces?size=1&page=2");
    assert_eq!((slugs(&second), &second["total"]), (vec!["team"], &json!(2)));
    assert_eq!(list["items"][1], registry.read("/api/v1/namespaces/team"));
}

#[test]
fn list_item_equals_the_skill() {
    let registry = LIBRARY.get(library);
    for item in registry.read("/api/v1/skills")["items"].as_array().unwrap() {
        let path = format!(
            "/api/v1/skills/{}/{}",
            item["namespace"].as_str().unwrap(),
            item["slug"].as_str().unwrap()
        );
        let skill = registry.read(&path);
        for (field, value) in item.as_object().unwrap() {
            assert_eq!(skill[field], *value, "{field} of {path}");
        }
    }
}
