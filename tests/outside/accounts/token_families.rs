//! A token ends no later than the token or session that it was made with.

use jiff::{SignedDuration, Timestamp};
use serde_json::{Value, json};

use crate::harness::{Browser, Client, PASSWORD, Registry, Shared, User, eventually};

static RUNNING: Shared<Registry> = Shared::new();

fn make(client: &Client, body: &Value) -> Value {
    client.post_json("/api/v1/tokens", body).expect_json(201)
}

fn of(user: &User, made: &Value) -> User {
    user.with_token(made["token"].as_str().unwrap())
}

fn id(made: &Value) -> String {
    made["id"].as_str().unwrap().to_owned()
}

fn in_seconds(seconds: i64) -> String {
    let now = Timestamp::from_second(Timestamp::now().as_second()).unwrap();
    (now + SignedDuration::from_secs(seconds)).to_string()
}

fn status(registry: &Registry, user: &User) -> u16 {
    registry.as_user(user).get("/api/v1/whoami").status
}

#[test]
fn child_token_ends_with_its_parent_at_the_latest() {
    let registry = &RUNNING.get(Registry::start);
    let ann = registry.user("ann-ends-first");
    let (hour, later, sooner) = (in_seconds(3600), in_seconds(3601), in_seconds(1800));
    let parent = make(&registry.as_user(&ann), &json!({"name": "parent", "expiresAt": hour}));
    let parent = registry.as_user(&of(&ann, &parent));
    let child = make(&parent, &json!({"name": "child"}));
    assert_eq!(child["expiresAt"], hour, "the parent's end is the default");
    let early = make(&parent, &json!({"name": "early", "expiresAt": sooner}));
    assert_eq!(early["expiresAt"], sooner);
    let why = parent.post_json("/api/v1/tokens", &json!({"name": "late", "expiresAt": later}));
    let why = why.problem(400, "invalid_request");
    assert!(why.to_string().contains(&hour), "{why}");
    let early = registry.as_user(&of(&ann, &early));
    assert_eq!(make(&early, &json!({"name": "grandchild"}))["expiresAt"], sooner);
}

#[test]
fn expired_parent_leaves_no_working_descendant() {
    let registry = &RUNNING.get(Registry::start);
    let ann = registry.user("ann-short");
    let parent = make(&registry.as_user(&ann), &json!({"name": "parent", "expiresAt": in_seconds(10)}));
    let child = make(&registry.as_user(&of(&ann, &parent)), &json!({"name": "child"}));
    let grandchild = make(&registry.as_user(&of(&ann, &child)), &json!({"name": "grandchild"}));
    eventually("the grandchild ends", || (status(registry, &of(&ann, &grandchild)) == 401).then_some(()));
    assert_eq!(status(registry, &of(&ann, &child)), 401);
    assert_eq!(status(registry, &ann), 200);
}

#[test]
fn revoked_parent_ends_children_and_grandchildren() {
    let mut registry = Registry::start();
    let ann = registry.user("ann");
    let parent = make(&registry.as_user(&ann), &json!({"name": "parent"}));
    let child = make(&registry.as_user(&of(&ann, &parent)), &json!({"name": "child"}));
    let grandchild = make(&registry.as_user(&of(&ann, &child)), &json!({"name": "grandchild"}));
    let sibling = make(&registry.as_user(&ann), &json!({"name": "sibling"}));
    registry.as_user(&ann).delete(&format!("/api/v1/tokens/{}", id(&parent))).expect(204);
    let check = |registry: &Registry| {
        for ended in [&parent, &child, &grandchild] {
            assert_eq!(status(registry, &of(&ann, ended)), 401, "{ended}");
        }
        assert_eq!(status(registry, &of(&ann, &sibling)), 200);
        assert_eq!(registry.as_user(&ann).get("/api/v1/tokens").json()["total"], 2);
    };
    check(&registry);
    registry.stop();
    registry.restart();
    check(&registry);
    // Its name is free again.
    make(&registry.as_user(&ann), &json!({"name": "grandchild"}));
}

fn signed_in(registry: &Registry, handle: &str) -> Browser {
    registry.user_with_password(handle, PASSWORD);
    registry.sign_in(handle, PASSWORD)
}

fn nobody(handle: &str) -> User {
    User { handle: handle.to_owned(), token: String::new() }
}

#[test]
fn logout_ends_the_tokens_made_in_the_session() {
    let mut registry = Registry::start();
    let (first, other) = (signed_in(&registry, "ann"), registry.sign_in("ann", PASSWORD));
    let ann = nobody("ann");
    let token = make(&first.own, &json!({"name": "made in the first"}));
    assert_ne!(token["expiresAt"], Value::Null, "it ends with the session");
    let child = make(&registry.as_user(&of(&ann, &token)), &json!({"name": "child"}));
    assert_eq!(child["expiresAt"], token["expiresAt"]);
    let kept = make(&other.own, &json!({"name": "made in the other"}));
    first.own.request("POST", "/api/v1/auth/logout", None).expect(204);
    for ended in [&token, &child] {
        assert_eq!(status(&registry, &of(&ann, ended)), 401);
    }
    registry.stop();
    registry.restart();
    assert_eq!(status(&registry, &of(&ann, &child)), 401);
    assert_eq!(status(&registry, &of(&ann, &kept)), 200);
    let list = registry.as_user(&of(&ann, &kept)).get("/api/v1/tokens").json();
    assert_eq!(list["total"], 1, "{list}");
}

#[test]
fn new_password_ends_the_tokens_made_in_other_sessions() {
    let registry = &RUNNING.get(Registry::start);
    let (here, there) = (signed_in(registry, "ann-new"), registry.sign_in("ann-new", PASSWORD));
    let ann = nobody("ann-new");
    let kept = make(&here.own, &json!({"name": "here"}));
    let ended = make(&there.own, &json!({"name": "there"}));
    let body = json!({"password": "another battery", "currentPassword": PASSWORD});
    here.own.put_json("/api/v1/auth/me", &body).expect(200);
    assert_eq!(status(registry, &of(&ann, &ended)), 401);
    assert_eq!(status(registry, &of(&ann, &kept)), 200);
    registry.command_with_input(["user", "set-password", "ann-new"], "a third battery\n").ok();
    assert_eq!(status(registry, &of(&ann, &kept)), 401);
}

#[test]
fn token_can_revoke_itself_but_no_other_without_the_scope() {
    let registry = &RUNNING.get(Registry::start);
    let ann = registry.user("ann-self");
    let narrow = make(&registry.as_user(&ann), &json!({"name": "narrow", "scopes": ["read"]}));
    let other = make(&registry.as_user(&ann), &json!({"name": "other"}));
    let client = registry.as_user(&of(&ann, &narrow));
    client.delete(&format!("/api/v1/tokens/{}", id(&other))).problem(403, "forbidden");
    client.delete("/api/v1/tokens/999999").problem(403, "forbidden");
    client.delete(&format!("/api/v1/tokens/{}", id(&narrow))).expect(204);
    assert_eq!(status(registry, &of(&ann, &narrow)), 401);
    assert_eq!(status(registry, &of(&ann, &other)), 200);
}
