//! `--json` prints the answers of the API as they are.

use serde_json::{Value, json};

use crate::harness::{Home, Registry, Shared, Skill};

use super::{at_home, pending, publish};

static RUNNING: Shared<Registry> = Shared::new();

#[test]
fn json_of_reads_is_the_answer_of_the_api() {
    // Its own: in the shared one, other tests create namespaces between the two reads.
    let registry = Registry::start();
    let ((own, owner), (_, member)) = (at_home(&registry, "own"), at_home(&registry, "member"));
    registry.reviewing_team("reads", &owner);
    registry.join("reads", &owner, &member, "member");
    registry.versions("reads/hello", &["1.0.0"], &owner);
    let receipt = registry.submit("reads/hello", "1.1.0", &member);
    let id = receipt["reviewId"].as_str().unwrap();
    registry.tag("reads/hello", "stable", "1.0.0", &owner).expect(201);

    for (words, path) in [
        (&["namespace", "list"][..], "/api/v1/namespaces?page=1&size=100".to_owned()),
        (&["namespace", "list", "--size", "1", "--page", "2"], "/api/v1/namespaces?page=2&size=1".to_owned()),
        (&["namespace", "members", "reads"], "/api/v1/namespaces/reads/members?page=1&size=100".to_owned()),
        (&["review", "list", "reads"], "/api/v1/namespaces/reads/reviews?page=1&size=100".to_owned()),
        (
            &["review", "list", "reads", "--status", "all", "--size", "5"],
            "/api/v1/namespaces/reads/reviews?status=all&page=1&size=5".to_owned(),
        ),
        (&["review", "show", "reads", id], format!("/api/v1/namespaces/reads/reviews/{id}")),
        (&["tag", "list", "@reads/hello"], "/api/v1/skills/reads/hello/tags".to_owned()),
        (&["member", "invitations"], "/api/v1/me/invitations?page=1&size=100".to_owned()),
        (&["transfer", "list"], "/api/v1/me/transfers?page=1&size=100".to_owned()),
    ] {
        assert_eq!(own.json(words), registry.as_user(&owner).get(&path).expect_json(200), "{words:?}");
    }

    let me = own.json(&["me"]);
    let fields: Vec<&String> = me.as_object().unwrap().keys().collect();
    assert_eq!(fields, ["account", "invitations", "reviews", "skills", "toReview", "transfers"]);
    assert_eq!(me["account"]["handle"], "own");
    for (field, path) in [("skills", "/api/v1/me/skills"), ("reviews", "/api/v1/me/reviews")] {
        let path = format!("{path}?page=1&size=100");
        assert_eq!(me[field], registry.as_user(&owner).get(&path).expect_json(200));
    }
}

#[test]
fn json_of_writes_is_the_answer_of_the_api() {
    let registry = RUNNING.get(Registry::start);
    let ((own, _), (bob, _)) = (at_home(&registry, "ann"), at_home(&registry, "bob"));
    let created = own.json(&["namespace", "create", "writes", "--review-required"]);
    assert_eq!((&created["slug"], &created["reviewRequired"]), (&json!("writes"), &json!(true)));
    let changed = own.json(&["namespace", "set", "writes", "--review-required=false", "--display-name", "W"]);
    assert_eq!((&changed["displayName"], &changed["reviewRequired"]), (&json!("W"), &json!(false)));
    own.json(&["namespace", "set", "writes", "--review-required"]);
    assert_eq!(own.json(&["member", "add", "writes", "bob"])["role"], "member");
    assert_eq!(own.json(&["member", "role", "writes", "bob", "admin"])["role"], "admin");
    assert_eq!(own.json(&["member", "invite", "writes", "bob"])["to"]["handle"], "bob");
    assert_eq!(bob.json(&["member", "decline", "writes"]), json!({}));
    own.json(&["member", "role", "writes", "bob", "member"]);

    publish(&bob, &Skill::named("hello"), "writes", "1.0.0");
    let id = pending(&own, "writes");
    let diff = own.json(&["review", "diff", "writes", &id]);
    assert_eq!((&diff["latest"], &diff["version"], &diff["id"]), (&Value::Null, &json!("1.0.0"), &json!(id)));
    assert_eq!(
        (&diff["files"][0]["path"], &diff["files"][0]["change"]),
        (&json!("SKILL.md"), &json!("added"))
    );
    assert!(diff["files"][0]["hunks"].as_str().unwrap().starts_with("@@ -0,0 +1,"), "{diff}");
    assert_eq!(own.json(&["review", "reject", "writes", &id, "--comment", "No."])["comment"], "No.");
    publish(&bob, &Skill::named("hello"), "writes", "1.0.0");
    let id = pending(&own, "writes");
    assert_eq!(bob.json(&["review", "withdraw", "writes", &id])["status"], "withdrawn");
    publish(&bob, &Skill::named("hello"), "writes", "1.0.0");
    let id = pending(&own, "writes");
    assert_eq!(own.json(&["review", "approve", "writes", &id])["status"], "approved");

    assert_eq!(own.json(&["tag", "set", "@writes/hello@1.0.0", "stable"])["name"], "stable");
    assert_eq!(own.json(&["tag", "remove", "@writes/hello", "stable"]), json!({}));
    let yanked = own.json(&["yank", "@writes/hello@1.0.0", "--reason", "Old."]);
    assert_eq!((&yanked["status"], &yanked["yankReason"]), (&json!("yanked"), &json!("Old.")));
    assert_eq!(own.json(&["unyank", "@writes/hello@1.0.0"])["status"], "published");
    assert_eq!(own.json(&["star", "@writes/hello"]), json!({"starred": true, "starCount": 1}));
    assert_eq!(own.json(&["unstar", "@writes/hello"])["starred"], false);
    assert_eq!(own.json(&["rate", "@writes/hello", "5"])["ratingCount"], 1);
    assert_eq!(own.json(&["promote", "@writes/hello"])["kind"], "promotion");
    assert_eq!(bob.json(&["transfer", "offer", "@writes/hello", "ann", "--yes"])["to"]["handle"], "ann");
    assert_eq!(bob.json(&["transfer", "withdraw", "@writes/hello"]), json!({}));
    bob.json(&["transfer", "offer", "@writes/hello", "ann", "--yes"]);
    assert_eq!(own.json(&["transfer", "accept", "@writes/hello"])["author"]["handle"], "ann");
    assert_eq!(own.json(&["delete", "@writes/hello", "--yes"]), json!({}));
    assert_eq!(own.json(&["restore", "@writes/hello"])["slug"], "hello");
    assert_eq!(own.json(&["member", "remove", "writes", "bob", "--yes"]), json!({}));
}

#[test]
fn long_lists_say_how_to_see_the_rest() {
    let registry = RUNNING.get(Registry::start);
    let (home, user) = at_home(&registry, "many");
    for n in 0..3 {
        registry.team(&format!("many-{n}"), &user);
    }
    let printed = home.run(&["namespace", "list", "--size", "2"]).ok().stdout;
    assert!(printed.lines().count() == 4 && printed.contains("2 of "), "{printed}");
    assert!(printed.ends_with(": --page N shows others\n"), "{printed}");
    let registry = ["--registry", registry.base()];
    let printed = Home::new().run(&[&["namespace", "list"][..], &registry].concat()).ok().stdout;
    assert!(printed.contains("@many-2"), "no login is needed: {printed}");
}
