//! Ratings: one for each user, and their average.

use serde_json::{Value, json};

use crate::harness::{Registry, Shared, User, skill_path};

static RUNNING: Shared<Registry> = Shared::new();

/// A team of ann's with the skill `hello`.
fn hello(registry: &Registry, team: &str) -> (User, String) {
    let ann = registry.user(&format!("ann-{team}"));
    registry.team(team, &ann);
    let skill = format!("{team}/hello");
    registry.versions(&skill, &["1.0.0"], &ann);
    (ann, skill)
}

#[test]
fn rating_average_has_two_decimals_and_one_vote_per_user() {
    let registry = RUNNING.get(Registry::start);
    let (_, skill) = hello(&registry, "means");
    let people: Vec<User> = (1..=3).map(|n| registry.user(&format!("rater-{n}"))).collect();
    let response = |score: u64, mean: Value, count: u64| json!({"score": score, "ratingAverage": mean, "ratingCount": count});
    let first = registry.rate(&skill, 5, &people[0]);
    assert!(first.revision() > 0);
    assert_eq!(first.expect_json(200), response(5, json!(5), 1));
    assert_eq!(registry.rate(&skill, 4, &people[1]).expect_json(200), response(4, json!(4.5), 2));
    assert_eq!(registry.rate(&skill, 4, &people[2]).expect_json(200), response(4, json!(4.33), 3));
    assert_eq!(registry.rate(&skill, 4, &people[2]).unchanged(), response(4, json!(4.33), 3));
    assert_eq!(registry.rate(&skill, 5, &people[2]).expect_json(200), response(5, json!(4.67), 3));
    assert_eq!(registry.rate(&skill, 1, &people[0]).expect_json(200), response(1, json!(3.33), 3));
}

#[test]
fn rating_is_a_whole_number_from_1_to_5() {
    let registry = RUNNING.get(Registry::start);
    let (_, skill) = hello(&registry, "scores");
    let bob = registry.user("bob-scores");
    for score in
        [json!(0), json!(6), json!(-1), json!(2.5), json!("5"), Value::Null, json!(true), json!(1e30)]
    {
        let response = registry.rate(&skill, score.clone(), &bob);
        let problem = response.problem(400, "invalid_request");
        assert!(problem["detail"].as_str().unwrap().contains("score"), "{score}: {response}");
    }
    let path = format!("{}/rating", skill_path(&skill));
    registry.as_user(&bob).post_json(&path, &json!({})).problem(400, "invalid_request");
    registry.as_user(&bob).post_json(&path, &json!({"score": 3, "why": "x"})).problem(400, "invalid_request");
    assert_eq!(registry.rate(&skill, 3, &bob).expect_json(200)["ratingCount"], 1, "none of them counted");
}

#[test]
fn authors_cannot_rate_their_own_skill() {
    let registry = RUNNING.get(Registry::start);
    let (ann, skill) = hello(&registry, "own-work");
    let bob = registry.user("bob-own-work");
    registry.rate(&skill, 5, &ann).problem(403, "forbidden");
    registry.versions("global/admins-own", &["1.0.0"], &registry.admin());
    registry.rate("global/admins-own", 5, &registry.admin()).problem(403, "forbidden");
    // A user who publishes another version is not its author.
    registry.join("own-work", &ann, &bob, "member");
    registry.versions(&skill, &["1.1.0"], &bob);
    registry.rate(&skill, 2, &bob).expect(200);
    registry.rate("global/nothing", 5, &ann).problem(404, "not_found");
    registry.remove(&skill, &ann).expect(204);
    registry.rate(&skill, 4, &bob).problem(410, "gone");
}
