//! Stars: given once, removed, and listed for their user.

use serde_json::{Value, json};

use crate::harness::{Registry, Shared, Skill, User, assert_fields, record_fields::SUMMARY, skill_path};

static RUNNING: Shared<Registry> = Shared::new();

/// Nothing is published by itself within a test.
fn start() -> Registry {
    Registry::with_config("[mirror]\ncounter_interval = 86400\n")
}

#[test]
fn star_is_given_once_and_removed_once() {
    let registry = RUNNING.get(start);
    let (ann, bob) = (registry.user("ann-stars"), registry.user("bob-stars"));
    registry.team("starry", &ann);
    registry.versions("starry/hello", &["1.0.0"], &ann);
    let unstar = |user| registry.as_user(user).delete(&format!("{}/star", skill_path("starry/hello")));

    let first = registry.star("starry/hello", &ann);
    assert!(first.revision() > 0);
    assert_eq!(first.expect_json(200), json!({"starred": true, "starCount": 1}));
    assert_eq!(registry.star("starry/hello", &ann).unchanged(), json!({"starred": true, "starCount": 1}));
    assert_eq!(registry.star("starry/hello", &bob).expect_json(200)["starCount"], 2);

    let taken = unstar(&ann);
    assert!(taken.revision() > 0);
    assert_eq!(taken.expect_json(200), json!({"starred": false, "starCount": 1}));
    assert_eq!(unstar(&ann).unchanged(), json!({"starred": false, "starCount": 1}));
    assert_eq!(unstar(&bob).expect_json(200)["starCount"], 0);
}

#[test]
fn only_existing_skills_can_be_starred() {
    let registry = RUNNING.get(start);
    let (ann, bob) = (registry.user("ann-there"), registry.user("bob-there"));
    registry.star("global/nothing", &ann).problem(404, "not_found");
    registry.star("nowhere/nothing", &ann).problem(404, "not_found");
    registry.publish(Skill::named("starless")).by(&ann).expect(201);
    registry.star("global/starless", &ann).problem(404, "not_found");
    registry.star("global/starless", &bob).problem(404, "not_found");
}

#[test]
fn stars_of_a_user_are_private() {
    let registry = start();
    let (ann, admin) = (registry.user("quiet-ann"), registry.admin());
    registry.versions("global/hello", &["1.0.0"], &admin);
    let before = registry.tree_bytes();
    let revision = registry.star("global/hello", &ann).revision();
    assert_eq!(registry.tree_bytes(), before, "a star is no public change");
    assert_eq!(registry.read(&skill_path("global/hello"))["starCount"], 0, "reads give the published number");
    // The next public change has a later revision, and does not speak of it.
    let next = registry.publish(Skill::named("other")).by(&admin).expect(201).revision();
    assert!(next > revision);
    for (path, bytes) in registry.tree_bytes() {
        assert!(!String::from_utf8_lossy(&bytes).contains("quiet-ann"), "{path} names who starred");
    }
    assert_eq!(registry.read(&skill_path("global/hello"))["starCount"], 0, "the tick alone publishes it");
}

#[test]
fn own_stars_are_listed_newest_first() {
    let registry = RUNNING.get(start);
    let (ann, bob) = (registry.user("ann-lists"), registry.user("bob-lists"));
    registry.team("shelf", &ann);
    for slug in ["one", "two", "three"] {
        registry.versions(&format!("shelf/{slug}"), &["1.0.0"], &ann);
    }
    let mine = |query: &str| registry.as_user(&bob).get(&format!("/api/v1/me/stars{query}")).expect_json(200);
    let slugs = |list: &Value| -> Vec<String> {
        let items = list["items"].as_array().unwrap().iter();
        items.map(|item| item["slug"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(mine(""), json!({"items": [], "total": 0, "page": 1, "size": 20}));
    for slug in ["two", "one", "three"] {
        registry.star(&format!("shelf/{slug}"), &bob).expect(200);
    }
    registry.star("shelf/one", &ann).expect(200);
    let list = mine("");
    assert_eq!((slugs(&list), &list["total"]), (vec!["three".into(), "one".into(), "two".into()], &json!(3)));
    for item in list["items"].as_array().unwrap() {
        assert_fields(item, &format!("{SUMMARY} starredAt"));
        item["starredAt"].as_str().unwrap().parse::<jiff::Timestamp>().expect("a time");
    }
    assert_eq!(list["items"][1]["starCount"], 2, "its numbers are live ones");
    assert_eq!(slugs(&mine("?page=2&size=2")), ["two"]);
    registry.as_user(&bob).get("/api/v1/me/stars?size=0").problem(400, "invalid_request");

    // A removed skill is not listed. Its star returns with it.
    registry.remove("shelf/one", &ann).expect(204);
    assert_eq!((slugs(&mine("")), &mine("")["total"]), (vec!["three".into(), "two".into()], &json!(2)));
    registry.star("shelf/one", &bob).problem(410, "gone");
    registry.restore("shelf/one", &ann).expect(200);
    assert_eq!(slugs(&mine("")), ["three", "one", "two"]);
    assert_eq!(registry.star("shelf/one", &bob).unchanged()["starCount"], 2);
}

#[test]
fn star_rating_and_rights_of_the_caller_are_shown_to_the_caller_alone() {
    let registry = RUNNING.get(start);
    let (ann, bob) = (registry.user("ann-own"), registry.user("bob-own"));
    registry.team("own-view", &ann);
    registry.versions("own-view/hello", &["1.0.0"], &ann);
    let shown = |user: &User| registry.as_user(user).get("/api/v1/me/skills/own-view/hello").expect_json(200);
    let record = |starred: bool, score: Value, manages: bool| json!({"starred": starred, "score": score, "manages": manages});
    assert_eq!(shown(&bob), record(false, Value::Null, false));
    registry.star("own-view/hello", &bob).expect(200);
    registry.rate("own-view/hello", 4, &bob).expect(200);
    assert_eq!(shown(&bob), record(true, json!(4), false));
    assert_eq!(shown(&ann), record(false, Value::Null, true));
    registry.as_user(&bob).get("/api/v1/me/skills/own-view/nothing").problem(404, "not_found");
}
