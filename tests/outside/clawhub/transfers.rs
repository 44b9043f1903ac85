//! Giving skills to other people.

use serde_json::{Value, json};

use super::publishing::SKILLS;
use super::{harness, line_of};
use harness::{Client, Registry, Skill, assert_fields};

const TRANSFERS: &str = "/clawhub/api/v1/transfers";

fn list(client: &Client, direction: &str) -> Vec<Value> {
    let list = client.get(&format!("{TRANSFERS}/{direction}")).expect_json(200);
    list["transfers"].as_array().unwrap().clone()
}

#[test]
fn transfer_is_offered_and_accepted() {
    let registry = Registry::start();
    let (ann, bob) = (registry.user("ann"), registry.user("bob"));
    registry.team("team", &ann);
    registry.publish(Skill::named("x")).to("team").by(&ann).expect(201);
    let (owner, member) = (ann.clone(), bob.clone());
    let (ann, bob) = (registry.as_user(&ann), registry.as_user(&bob));
    let path = format!("{SKILLS}/team--x/transfer");
    let offer = json!({"toUserHandle": "@bob", "message": "Yours now."});
    assert!(line_of(&ann.post_json(&path, &offer), 409).contains("add them first"));
    registry.join("team", &owner, &member, "member");

    let offered = ann.post_json(&path, &offer).expect_json(200);
    assert_fields(&offered, "ok transferId toUserHandle expiresAt");
    assert!(offered["transferId"].is_string() && offered["expiresAt"].as_u64() > Some(1_600_000_000_000));
    let incoming = list(&bob, "incoming");
    assert_eq!((incoming.len(), list(&bob, "outgoing").len(), list(&ann, "incoming").len()), (1, 0, 0));
    assert_fields(&incoming[0], "_id skill fromUser message requestedAt expiresAt");
    assert_fields(&incoming[0]["fromUser"], "_id handle displayName");
    assert_eq!(
        (&incoming[0]["skill"]["slug"], &incoming[0]["fromUser"]["handle"]),
        (&json!("team--x"), &json!("ann"))
    );
    assert_eq!(list(&ann, "outgoing")[0]["toUser"]["handle"], "bob");

    let ended = json!({"ok": true, "skillSlug": "team--x"});
    assert_eq!(bob.post_json(&format!("{path}/reject"), &json!({})).expect_json(200), ended);
    line_of(&bob.post_json(&format!("{path}/accept"), &json!({})), 404);
    ann.post_json(&path, &json!({"toUserHandle": "bob"})).expect(200);
    assert_eq!(ann.post_json(&format!("{path}/cancel"), &json!({})).expect_json(200), ended);
    assert!(list(&bob, "incoming").is_empty());
    ann.post_json(&path, &json!({"toUserHandle": "bob"})).expect(200);
    assert_eq!(bob.post_json(&format!("{path}/accept"), &json!({})).expect_json(200), ended);
    assert_eq!(registry.read("/api/v1/skills/team/x")["author"]["handle"], "bob");
}

#[test]
fn malformed_offer_is_refused_in_one_line() {
    let registry = Registry::start();
    let admin = registry.as_user(&registry.admin());
    registry.publish(Skill::named("x")).by(&registry.admin()).expect(201);
    let path = format!("{SKILLS}/x/transfer");
    for body in [
        json!({}),
        json!({"toUserHandle": "No Handle"}),
        json!({"toUserHandle": 5}),
        json!("{"),
        json!("\"x\""),
        json!([]),
    ] {
        line_of(&admin.post_json(&path, &body), 400);
    }
    assert!(
        line_of(&admin.post_json(&path, &json!({"toUserHandle": "nobody"})), 404)
            .contains("check the handle")
    );
    line_of(&registry.anonymous().get(&format!("{TRANSFERS}/incoming")), 401);
}
