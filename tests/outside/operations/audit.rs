//! `skillmirror audit`.

use serde_json::{Value, json};

use crate::harness::{Registry, Skill};

/// The audit log as JSON lines.
fn entries(registry: &Registry, options: &[&str]) -> Vec<Value> {
    let output = registry.command(["audit", "--json"].iter().chain(options)).ok();
    output.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn acts(entries: &[Value]) -> Vec<&str> {
    entries
        .iter()
        .flat_map(|entry| entry["acts"].as_array().unwrap())
        .map(|act| act["what"].as_str().unwrap())
        .collect()
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
    assert!(
        of_skill.iter().filter(|entry| entry["actor"] == "ann").all(|entry| entry["credential"] == token)
    );
    let printed = acts(&of_skill);
    assert!(printed[0].starts_with("published desk--hello 1.0.0 ("), "{printed:?}");
    assert_eq!(
        printed[1..],
        [
            "starred desk--hello",
            "gave 5 of 5 to desk--hello",
            "set the tag beta of desk--hello to 1.0.0",
            "yanked desk--hello 1.0.0: Bad.\nann did nothing.",
            "removed desk--hello",
            "restored desk--hello",
        ]
    );
    // On a terminal nothing that people wrote is obeyed, or passes for a line.
    let shown = registry.command(["audit", "--skill", "desk--hello"]).ok().stdout;
    assert_eq!(shown.lines().count(), 7, "{shown}");
    assert!(shown.contains("Bad.\\nann did nothing."), "{shown}");

    let of_bob = entries(&registry, &["--user", "bob"]);
    let printed = acts(&of_bob);
    assert!(
        printed.contains(&"added the account bob (user)") && printed.contains(&"starred desk--hello"),
        "{printed:?}"
    );
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
