//! What one person may use, whichever tokens they make for it.

use serde_json::{Value, json};

use crate::harness::{Registry, Response, Skill, User};

const FEW: &str =
    "[limits]\npending_per_person = 3\npending_bytes_per_person = 4000\ntokens_per_person = 4\n";

/// Submits a version of a skill to `global`.
fn submit(registry: &Registry, slug: &str, version: &str, text: &str, by: &User) -> Response {
    registry.publish(Skill::named(slug).text(text)).version(version).by(by)
}

#[track_caller]
fn detail(response: &Response, part: &str) {
    let problem = response.problem(409, "conflict");
    assert!(problem["detail"].as_str().is_some_and(|detail| detail.contains(part)), "{problem}");
}

#[test]
fn pending_submissions_of_one_person_are_limited() {
    let registry = Registry::with_config(&FEW.replace("4000", "1000000"));
    let (ann, bob) = (registry.user("ann"), registry.user("bob"));
    let reviews: Vec<Value> = (0..3)
        .map(|n| submit(&registry, &format!("skill-{n}"), "1.0.0", "One.\n", &ann).expect_json(201))
        .collect();
    detail(&submit(&registry, "skill-3", "1.0.0", "One.\n", &ann), "3 submissions of yours wait for review");
    detail(&submit(&registry, "skill-0", "2.0.0", "Two.\n", &ann), "wait for review");
    // Another token is no way around it, and nobody else is limited.
    let other = ann.with_token(&registry.issue("ann", &["--name", "other"]));
    detail(&submit(&registry, "skill-3", "1.0.0", "One.\n", &registry.wait_until_known(other)), "wait");
    submit(&registry, "skill-3", "1.0.0", "One.\n", &bob).expect(201);
    // Replacing one, or repeating it, needs no further place.
    submit(&registry, "skill-0", "1.0.0", "Two.\n", &ann).expect(201);
    submit(&registry, "skill-0", "1.0.0", "Two.\n", &ann).expect(200);
    registry.decide(&registry.admin(), "approve", ("global", &reviews[1]["reviewId"])).expect(200);
    submit(&registry, "skill-4", "1.0.0", "One.\n", &ann).expect(201);
}

#[test]
fn skills_versions_and_namespaces_of_one_person_are_limited() {
    let registry = Registry::with_config(
        "[limits]\nskills_per_person = 2\nversions_per_skill = 2\nnamespaces_per_person = 1\n",
    );
    let (ann, admin) = (registry.user("ann"), registry.admin());
    let publish = |slug: &str, version: &str, by: &User| {
        let text = format!("This is {slug} {version}.\n");
        registry.publish(Skill::named(slug).text(&text)).to("team").version(version).by(by)
    };
    registry.team("team", &ann);
    let create = |slug: &str, by: &User| {
        registry.as_user(by).post_json("/api/v1/namespaces", &json!({ "slug": slug }))
    };
    detail(&create("second", &ann), "limits.namespaces_per_person");
    create("second", &admin).expect(201);
    create("third", &admin).expect(201);
    for (slug, version) in [("first", "1.0.0"), ("first", "1.1.0"), ("other", "1.0.0")] {
        publish(slug, version, &ann).expect(201);
    }
    detail(&publish("first", "1.2.0", &ann), "limits.versions_per_skill");
    detail(&publish("third", "1.0.0", &ann), "limits.skills_per_person");
    // A removed skill counts, and a repeated publication needs no room.
    registry.as_user(&ann).delete("/api/v1/skills/team/other").expect(204);
    detail(&publish("third", "1.0.0", &ann), "limits.skills_per_person");
    publish("first", "1.1.0", &ann).expect(200);
    publish("first", "1.2.0", &admin).expect(201);
    publish("third", "1.0.0", &admin).expect(201);
    publish("fourth", "1.0.0", &admin).expect(201);
    publish("fifth", "1.0.0", &admin).expect(201);
}

#[test]
fn limits_hold_for_what_a_person_gets_from_others() {
    let registry = Registry::with_config(
        "[limits]\nskills_per_person = 2\nversions_per_skill = 2\nnamespaces_per_person = 1\n",
    );
    let (ann, bob, admin) = (registry.user("ann"), registry.user("bob"), registry.admin());
    let by = |user: &User| registry.as_user(user);
    registry.team("anns", &ann);
    registry.team("bobs", &bob);
    // Submissions are approved one after the other. The limit counts when they are.
    let sent = ["first", "other", "third"]
        .map(|slug| submit(&registry, slug, "1.0.0", "One.\n", &ann).expect_json(201)["reviewId"].clone());
    let approve = |review: &Value| registry.decide(&admin, "approve", ("global", review));
    approve(&sent[0]).expect(200);
    let versions = ["1.1.0", "1.2.0"].map(|version| {
        submit(&registry, "first", version, version, &ann).expect_json(201)["reviewId"].clone()
    });
    approve(&sent[1]).expect(200);
    let third = approve(&sent[2]);
    detail(&third, "`ann` is the author of 2 skills");
    approve(&versions[0]).expect(200);
    detail(&approve(&versions[1]), "limits.versions_per_skill");
    // Offers and invitations.
    submit(&registry, "of-bob", "1.0.0", "One.\n", &bob).expect(201);
    registry.publish(Skill::named("of-admin")).by(&admin).expect(201);
    let offer = |skill: &str, to: &str| {
        by(&admin)
            .post_json(&format!("/api/v1/skills/global/{skill}/transfer"), &json!({ "to": to }))
            .expect(201);
    };
    offer("of-admin", "ann");
    detail(
        &by(&ann).post_json("/api/v1/skills/global/of-admin/transfer/accept", &json!({})),
        "you are the author of 2",
    );
    offer("of-admin", "bob");
    by(&bob).post_json("/api/v1/skills/global/of-admin/transfer/accept", &json!({})).expect(200);
    let invite = |to: &str| {
        by(&ann).post_json("/api/v1/namespaces/anns/invitations", &json!({ "userId": to })).expect(201);
        format!("/api/v1/namespaces/anns/invitations/{to}/accept")
    };
    detail(&by(&bob).post_json(&invite("bob"), &json!({})), "you own 1 namespaces");
    let cid = registry.user("cid");
    by(&cid).post_json(&invite("cid"), &json!({})).expect(200);
}

#[test]
fn promotions_count_as_pending_submissions() {
    let registry = Registry::with_config(&FEW.replace("per_person = 3", "per_person = 1"));
    let ann = registry.user("ann");
    registry.team("team", &ann);
    registry.versions("team/first", &["1.0.0"], &ann);
    let id = registry.read("/api/v1/skills/team/first")["id"].as_str().unwrap().to_owned();
    let promote = || {
        registry.as_user(&ann).post_json(&format!("/api/v1/namespaces/team/skills/{id}/promote"), &json!({}))
    };
    let made = submit(&registry, "other", "1.0.0", "One.\n", &ann).expect_json(201);
    detail(&promote(), "wait for review");
    registry.decide(&registry.admin(), "reject", ("global", &made["reviewId"])).expect(200);
    promote().expect(201);
}

#[test]
fn bytes_of_replaced_submissions_count() {
    let registry = Registry::with_config(FEW);
    let ann = registry.user("ann");
    let mut accepted = 0;
    let refused = loop {
        let response = submit(&registry, "big", "1.0.0", &format!("Number {accepted}.\n"), &ann);
        if response.status != 201 {
            break response;
        }
        accepted += 1;
        assert!(accepted < 100, "4,000 bytes are never used up");
    };
    assert!(accepted > 1, "{refused}");
    detail(&refused, "4000 bytes");
    submit(&registry, "bobs", "1.0.0", "One.\n", &registry.user("bob")).expect(201);
    // Publishing without a review needs no such place.
    registry.team("team", &ann);
    registry.versions("team/direct", &["1.0.0"], &ann);
}

#[test]
fn tokens_of_one_person_are_limited() {
    let registry = Registry::with_config(FEW);
    let ann = registry.user("ann");
    let make =
        |by: &User, name: &str| registry.as_user(by).post_json("/api/v1/tokens", &json!({"name": name}));
    let made: Vec<Value> = ["a", "b", "c"].map(|name| make(&ann, name).expect_json(201)).into();
    detail(&make(&ann, "d"), "you have 4 tokens");
    detail(&make(&ann.with_token(made[0]["token"].as_str().unwrap()), "d"), "you have 4 tokens");
    make(&registry.user("bob"), "d").expect(201);
    registry.as_user(&ann).delete(&format!("/api/v1/tokens/{}", made[0]["id"].as_str().unwrap())).expect(204);
    make(&ann, "d").expect(201);
}
