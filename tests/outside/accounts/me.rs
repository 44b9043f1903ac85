//! A user's own skills and submissions.

use serde_json::{Value, json};

use crate::harness::{Registry, Shared, User, assert_fields, record_fields::SUMMARY, slugs};

static RUNNING: Shared<Registry> = Shared::new();

fn mine(registry: &Registry, user: &User, query: &str) -> Value {
    registry.as_user(user).get(&format!("/api/v1/me/skills{query}")).expect_json(200)
}

fn counts(item: &Value) -> [u64; 4] {
    assert_fields(&item["counts"], "published pendingReview rejected yanked");
    ["published", "pendingReview", "rejected", "yanked"].map(|field| item["counts"][field].as_u64().unwrap())
}

#[test]
fn pending_and_rejected_skills_are_listed_for_their_submitter_only() {
    let registry = RUNNING.get(Registry::start);
    let (ann, bob, admin) = (registry.user("ann-waits"), registry.user("bob-waits"), registry.admin());
    assert_eq!(mine(&registry, &ann, ""), json!({"items": [], "total": 0, "page": 1, "size": 20}));
    let first = registry.submit("global/waiting", "1.0.0", &ann);
    registry.submit("global/waiting", "1.1.0", &ann);
    let other = registry.submit("global/refused", "1.0.0", &ann);
    registry.decide(&admin, "reject", ("global", &other["reviewId"])).expect(200);

    let list = mine(&registry, &ann, "");
    assert_eq!((slugs(&list), &list["total"]), (vec!["refused", "waiting"], &json!(2)));
    for item in list["items"].as_array().unwrap() {
        assert_fields(item, &format!("{SUMMARY} counts"));
        assert_eq!(
            (&item["version"], &item["tags"], &item["starCount"]),
            (&Value::Null, &json!({}), &json!(0))
        );
        assert_eq!(item["author"]["handle"], "ann-waits");
    }
    assert_eq!([0, 1].map(|n| counts(&list["items"][n])), [[0, 0, 1, 0], [0, 2, 0, 0]]);
    assert_eq!(list["items"][1]["id"], first["skillId"]);
    assert_eq!(slugs(&mine(&registry, &ann, "?page=2&size=1")), ["waiting"]);
    assert_eq!(mine(&registry, &bob, "")["total"], 0);
    assert_eq!(mine(&registry, &admin, "")["total"], 0, "nor for who decides");
}

#[test]
fn own_reviews_are_listed_with_their_decisions() {
    let registry = RUNNING.get(Registry::start);
    let (ann, bob, admin) = (registry.user("ann-reviews"), registry.user("bob-reviews"), registry.admin());
    let rejected = registry.submit("global/mine-first", "1.0.0", &ann);
    let pending = registry.submit("global/mine-second", "1.0.0", &ann);
    registry.submit("global/other", "1.0.0", &bob);
    let path = format!("/api/v1/namespaces/global/reviews/{}/reject", rejected["reviewId"].as_str().unwrap());
    registry.as_user(&admin).post_json(&path, &json!({"comment": "Say what it does."})).expect(200);

    let reviews = |query: &str| registry.as_user(&ann).get(&format!("/api/v1/me/reviews{query}"));
    let all = reviews("").expect_json(200);
    assert_eq!((slugs(&all), &all["total"]), (vec!["mine-second", "mine-first"], &json!(2)));
    let decided = &all["items"][1];
    assert_eq!((&decided["status"], &decided["comment"]), (&json!("rejected"), &json!("Say what it does.")));
    assert_eq!(decided["decidedBy"]["handle"], "admin");
    let waiting = reviews("?status=pending").expect_json(200);
    assert_eq!((&waiting["items"][0]["id"], &waiting["total"]), (&pending["reviewId"], &json!(1)));
    assert_eq!(slugs(&reviews("?page=2&size=1").expect_json(200)), ["mine-first"]);
    reviews("?status=odd").expect(400);
}

#[test]
fn counts_follow_writes() {
    let registry = RUNNING.get(Registry::start);
    let (ann, bob) = (registry.user("ann-counts"), registry.user("bob-counts"));
    registry.reviewing_team("counts", &ann);
    registry.join("counts", &ann, &bob, "member");
    registry.versions("counts/hello", &["1.0.0", "1.1.0", "1.2.0"], &ann);
    registry.yank("counts/hello", "1.1.0", &ann).expect(200);
    let receipt = registry.submit("counts/hello", "2.0.0", &bob);
    registry.star("counts/hello", &bob).expect(200);
    let of = |user: &User| mine(&registry, user, "")["items"][0].clone();
    assert_eq!((counts(&of(&ann)), &of(&ann)["version"]), ([2, 0, 0, 1], &json!("1.2.0")));
    assert_eq!(of(&ann)["starCount"], 1, "numbers are live ones");
    // Bob did not write it, but has a submission for it.
    assert_eq!((counts(&of(&bob)), &of(&bob)["version"]), ([2, 1, 0, 1], &json!("1.2.0")));
    registry.decide(&ann, "approve", ("counts", &receipt["reviewId"])).expect(200);
    assert_eq!((counts(&of(&ann)), counts(&of(&bob))), ([3, 0, 0, 1], [3, 0, 0, 1]));
    assert_eq!(of(&bob)["author"]["handle"], "ann-counts");
}

#[test]
fn skills_are_listed_by_last_change_and_leave_with_their_author() {
    let registry = RUNNING.get(Registry::start);
    let (ann, bob) = (registry.user("ann-order"), registry.user("bob-order"));
    registry.team("order", &ann);
    registry.join("order", &ann, &bob, "member");
    registry.versions("order/one", &["1.0.0"], &ann);
    registry.versions("order/two", &["1.0.0"], &ann);
    assert_eq!(slugs(&mine(&registry, &ann, "")), ["two", "one"]);
    registry.versions("order/one", &["1.1.0"], &bob);
    assert_eq!(slugs(&mine(&registry, &ann, "")), ["one", "two"]);
    assert_eq!(mine(&registry, &bob, "")["total"], 0, "publishing a version is not writing the skill");
    let path = "/api/v1/skills/order/one/transfer";
    registry.as_user(&ann).post_json(path, &json!({"to": bob.handle})).expect(201);
    registry.as_user(&bob).request("POST", &format!("{path}/accept"), None).expect(200);
    assert_eq!(slugs(&mine(&registry, &ann, "")), ["two"]);
    assert_eq!(slugs(&mine(&registry, &bob, "")), ["one"]);
}
