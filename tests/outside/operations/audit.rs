//! `skillmirror audit`.

use serde_json::{Value, json};

use crate::harness::{Registry, Skill};

/// The entries of the audit log.
fn entries(registry: &Registry, options: &[&str]) -> Vec<Value> {
    let output = registry.command(["audit", "--json"].iter().chain(options)).ok();
    let printed: Value = serde_json::from_str(&output.stdout).unwrap();
    printed["items"].as_array().unwrap().clone()
}

fn acts(entries: &[Value]) -> Vec<&Value> {
    entries.iter().flat_map(|entry| entry["acts"].as_array().unwrap()).collect()
}

/// The fields of an act that are set, without its sentence.
fn fields(act: &Value) -> Value {
    act.as_object()
        .unwrap()
        .iter()
        .filter(|(key, value)| !value.is_null() && *key != "what")
        .map(|(key, value)| (key.clone(), value.clone()))
        .collect::<serde_json::Map<_, _>>()
        .into()
}

/// What the text says after the time, the row and the user, without the token and the request.
fn sentences(registry: &Registry, options: &[&str]) -> Vec<String> {
    let text = registry.command(["audit"].iter().chain(options)).ok().stdout;
    let sentence = |line: &str| {
        let after = line.splitn(3, ' ').nth(2).unwrap();
        let (_, what) = after.strip_prefix("the ").unwrap_or(after).split_once(' ').unwrap();
        what.split(" [").next().unwrap().to_owned()
    };
    text.lines().map(sentence).collect()
}

#[test]
fn every_change_names_its_actor_credential_and_request() {
    let registry = Registry::start();
    let (ann, bob) = (registry.user("ann"), registry.user("bob"));
    registry.team("desk", &ann);
    let requests: Vec<String> = [
        registry.publish(Skill::named("hello")).to("desk").by(&ann),
        registry.as_user(&bob).request("POST", "/api/v1/skills/desk/hello/star", None),
        registry.as_user(&bob).post_json("/api/v1/skills/desk/hello/rating", &json!({"score": 5})),
        registry.as_user(&ann).put_json("/api/v1/skills/desk/hello/tags/beta", &json!({"version": "1.0.0"})),
        registry.as_user(&ann).post_json(
            "/api/v1/skills/desk/hello/versions/1.0.0/yank",
            &json!({"reason": "Bad.\nann did nothing."}),
        ),
        registry.as_user(&ann).delete("/api/v1/skills/desk/hello"),
        registry.as_user(&ann).request("POST", "/api/v1/skills/desk/hello/restore", None),
    ]
    .into_iter()
    .map(|response| response.require_header("x-request-id").to_owned())
    .collect();

    let of_skill = entries(&registry, &["--skill", "desk--hello"]);
    let told: Vec<_> = of_skill.iter().map(|entry| entry["request"].as_str().unwrap().to_owned()).collect();
    assert_eq!(told, requests, "in order, each with its request");
    let token = registry.as_user(&ann).get("/api/v1/auth/me").expect_json(200)["token"]["id"].clone();
    assert!(of_skill.iter().filter(|entry| entry["actor"] == "ann").all(|entry| entry["token"] == token));
    let printed: Vec<_> = acts(&of_skill).into_iter().map(fields).collect();
    let act = |action: &str, fields: Value| {
        let mut act = json!({"action": action, "namespace": "desk", "skill": "desk--hello"});
        act.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
        act
    };
    assert_eq!(
        printed,
        [
            act("published", json!({"version": "1.0.0"})),
            act("starred", json!({})),
            act("rated", json!({"score": 5})),
            act("tag_set", json!({"version": "1.0.0", "tag": "beta"})),
            act("yanked", json!({"version": "1.0.0", "reason": "Bad.\nann did nothing."})),
            act("skill_removed", json!({})),
            act("skill_restored", json!({})),
        ]
    );
    let printed = sentences(&registry, &["--skill", "desk--hello"]);
    assert!(printed[0].starts_with("published desk--hello 1.0.0 ("), "{printed:?}");
    assert_eq!(
        printed[1..],
        [
            "starred desk--hello",
            "gave 5 of 5 to desk--hello",
            "set the tag beta of desk--hello to 1.0.0",
            "yanked desk--hello 1.0.0: Bad.\\nann did nothing.",
            "removed desk--hello",
            "restored desk--hello",
        ]
    );
    // On a terminal nothing that people wrote is obeyed, or passes for a line.
    let shown = registry.command(["audit", "--skill", "desk--hello"]).ok().stdout;
    assert_eq!(shown.lines().count(), 7, "{shown}");
    assert!(shown.contains("Bad.\\nann did nothing."), "{shown}");

    let printed = sentences(&registry, &["--user", "bob"]);
    for sentence in ["added the account bob (user)", "starred desk--hello"] {
        assert!(printed.iter().any(|what| what == sentence), "{printed:?}");
    }
    assert!(!printed.iter().any(|what| what.starts_with("yanked")), "{printed:?}");
}

#[test]
fn audit_is_filtered_by_time_and_name() {
    let registry = Registry::start();
    let ann = registry.user("ann");
    registry.publish(Skill::named("hello")).by(&ann).expect(201);
    assert_eq!(entries(&registry, &["--since", "2100-01-01"]), Vec::<Value>::new());
    assert_eq!(entries(&registry, &["--since", "1d"]).len(), entries(&registry, &[]).len());
    let printed = entries(&registry, &["--user", "ann", "--skill", "hello"]);
    assert_eq!(acts(&printed).len(), 1, "{printed:?}");
    let bad = registry.command(["audit", "--since", "yesterday"]);
    assert_eq!(bad.code, 2);
    assert!(bad.stderr.contains("2026-01-31"), "{}", bad.stderr);
}

#[test]
fn entries_about_people_and_reviews_have_typed_fields() {
    let registry = Registry::start();
    let (ann, bob) = (registry.user("ann"), registry.user("bob"));
    registry.team("desk", &ann);
    registry.join("desk", &ann, &bob, "member");
    let submitted = registry.publish(Skill::named("hello")).version("1.0.0").by(&ann).expect_json(201);
    let token = registry.as_user(&ann).get("/api/v1/auth/me").expect_json(200)["token"]["id"].clone();
    registry.command(["token", "revoke", token.as_str().unwrap()]).ok();
    let all = entries(&registry, &[]);
    let act = |action: &str, user: &Value| {
        let mut acts = acts(&all).into_iter().filter(|act| act["action"] == action && act["user"] == *user);
        fields(acts.next().unwrap_or_else(|| panic!("no {action} of {user}: {all:?}")))
    };
    let (ann, bob) = (json!("ann"), json!("bob"));
    assert_eq!(act("user_added", &ann), json!({"action": "user_added", "user": "ann"}));
    let member = json!({"action": "member_added", "namespace": "desk", "user": "bob", "role": "member"});
    assert_eq!(act("member_added", &bob), member);
    let revoked = json!({"action": "token_revoked", "user": "ann", "token": token});
    assert_eq!(act("token_revoked", &ann), revoked);
    assert_eq!(act("token_issued", &ann)["token"], token);
    let submitted = json!({
        "action": "submitted", "namespace": "global", "skill": "hello", "version": "1.0.0",
        "review": submitted["reviewId"],
    });
    assert_eq!(act("submitted", &Value::Null), submitted);
}
