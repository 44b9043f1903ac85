#![allow(clippy::unwrap_used)]

use std::time::Duration;

use serde_json::{Value, json};

use super::{Action, Attempt, Model};

fn attempt(who: usize, action: Action, (status, revision): (u16, Option<u64>), reply: Value) -> Attempt {
    Attempt { who, slug: "hello".into(), action, status, revision, lags: false, reply, took: Duration::ZERO }
}

fn publish(who: usize, variant: usize, answer: (u16, Option<u64>)) -> Attempt {
    let sha256 = variant.to_string().repeat(64);
    let reply = json!({"version": "1.0.0", "sha256": sha256});
    attempt(who, Action::Publish { version: "1.0.0".into(), variant }, answer, reply)
}

fn star(who: usize, revision: u64, count: u64) -> Attempt {
    attempt(who, Action::Star, (200, Some(revision)), json!({"starred": true, "starCount": count}))
}

#[track_caller]
fn complains(all: &[Attempt], of: &str) {
    let said = Model::of(all).unwrap_err().to_string();
    assert!(said.contains(of), "{said}");
}

#[test]
fn consistent_answers_are_accepted() {
    let rated = json!({"score": 4, "ratingAverage": 4.0, "ratingCount": 1});
    let set = || Action::SetTag { tag: "beta", version: "1.0.0".into() };
    let all = [
        star(2, 4, 2),
        publish(0, 1, (201, Some(2))),
        publish(1, 1, (200, None)),
        publish(2, 3, (409, None)),
        star(1, 3, 1),
        attempt(1, Action::Rate(4), (200, Some(5)), rated.clone()),
        attempt(1, Action::Rate(4), (200, None), rated),
        attempt(0, Action::Rate(5), (403, None), json!({})),
        attempt(0, set(), (201, Some(6)), json!({"version": "1.0.0"})),
        attempt(1, Action::RemoveTag("beta"), (204, Some(7)), Value::Null),
        attempt(0, Action::RemoveTag("beta"), (404, None), json!({})),
        attempt(0, set(), (201, Some(9)), json!({"version": "1.0.0"})),
    ];
    let model = Model::of(&all).unwrap();
    let skill = &model.skills["hello"];
    assert_eq!((skill.stars.len(), skill.ratings[&1], skill.tags["beta"].as_str()), (2, 4, "1.0.0"));
}

#[test]
fn inconsistent_answers_are_reported() {
    let first = || publish(0, 1, (201, Some(2)));
    complains(&[first(), star(1, 3, 1), star(2, 4, 1)], "not the answer of its place");
    complains(&[first(), publish(1, 2, (201, Some(3)))], "not the answer of its place");
    complains(&[first(), star(1, 3, 1), star(2, 3, 2)], "two have one revision");
    complains(&[first(), star(1, 4, 1), star(1, 3, 1)], "an earlier revision");
    complains(&[first(), publish(1, 1, (409, None))], "nothing explains");
    complains(&[first(), attempt(1, Action::Star, (503, None), json!({}))], "nothing explains");
    complains(&[first(), attempt(1, Action::Rate(1), (403, None), json!({}))], "nothing explains");
}
