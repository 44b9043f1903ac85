//! API tokens.

use serde_json::{Value, json};

use crate::harness::{Registry, Response, Shared, Skill, User, assert_fields, eventually};

static RUNNING: Shared<Registry> = Shared::new();

const TOKEN: &str = "id name prefix scopes createdAt expiresAt lastUsedAt";

fn create(registry: &Registry, user: &User, body: &Value) -> Response {
    registry.as_user(user).post_json("/api/v1/tokens", body)
}

#[test]
fn token_is_shown_once_listed_and_deleted() {
    let registry = RUNNING.get(Registry::start);
    let ann = registry.user("ann-creates");
    let response = create(&registry, &ann, &json!({"name": "laptop"}));
    assert!(response.require_header("x-revision").parse::<u64>().unwrap() > 0);
    let made = response.expect_json(201);
    assert_fields(&made, &format!("{TOKEN} token"));
    let secret = made["token"].as_str().unwrap();
    assert!(secret.starts_with(made["prefix"].as_str().unwrap()), "{made}");
    made["id"].as_str().unwrap().parse::<u64>().expect("an id is a decimal revision");
    assert_eq!((&made["name"], &made["expiresAt"]), (&json!("laptop"), &Value::Null));

    let laptop = ann.with_token(secret);
    registry.as_user(&laptop).get("/api/v1/whoami").expect(200);

    let list = registry.as_user(&ann).get("/api/v1/tokens").expect_json(200);
    assert_fields(&list, "items total page size");
    assert_eq!(list["total"], 2, "{list}");
    for token in list["items"].as_array().unwrap() {
        assert_fields(token, TOKEN);
    }
    assert!(!list.to_string().contains(secret), "a token is shown once");

    let path = format!("/api/v1/tokens/{}", made["id"].as_str().unwrap());
    let gone = registry.as_user(&ann).delete(&path).expect(204);
    assert!(gone.body.is_empty());
    registry.as_user(&laptop).get("/api/v1/whoami").problem(401, "unauthenticated");
    registry.as_user(&laptop).get("/api/v1/skills").problem(401, "unauthenticated");
    registry.as_user(&ann).delete(&path).problem(404, "not_found");
    assert_eq!(registry.as_user(&ann).get("/api/v1/tokens").json()["total"], 1);
}

#[test]
fn token_name_is_unique_until_deletion() {
    let registry = RUNNING.get(Registry::start);
    let ann = registry.user("ann-names");
    let first = create(&registry, &ann, &json!({"name": "ci"})).expect_json(201);
    create(&registry, &ann, &json!({"name": "ci"})).problem(409, "conflict");
    let other = registry.user("bob-names");
    create(&registry, &other, &json!({"name": "ci"})).expect(201);
    registry.as_user(&ann).delete(&format!("/api/v1/tokens/{}", first["id"].as_str().unwrap())).expect(204);
    create(&registry, &ann, &json!({"name": "ci"})).expect(201);
}

#[test]
fn token_scopes_are_limited_to_those_of_its_creator() {
    let registry = RUNNING.get(Registry::start);
    let ann = registry.user("ann-scopes");
    let narrow =
        create(&registry, &ann, &json!({"name": "narrow", "scopes": ["tokens", "read"]})).expect_json(201);
    let scopes = |token: &Value| {
        let mut scopes: Vec<String> =
            token["scopes"].as_array().unwrap().iter().map(|s| s.as_str().unwrap().to_owned()).collect();
        scopes.sort();
        scopes
    };
    assert_eq!(scopes(&narrow), ["read", "tokens"]);
    let narrow = ann.with_token(narrow["token"].as_str().unwrap());

    let inherited = create(&registry, &narrow, &json!({"name": "inherited"})).expect_json(201);
    assert_eq!(scopes(&inherited), ["read", "tokens"]);
    create(&registry, &narrow, &json!({"name": "wider", "scopes": ["publish"]})).problem(403, "forbidden");
    create(&registry, &narrow, &json!({"name": "odd", "scopes": ["fly"]})).problem(400, "invalid_request");
    registry.publish(Skill::named("hello")).by(&narrow).problem(403, "forbidden");
}

#[test]
fn token_of_another_user_is_not_found() {
    let registry = RUNNING.get(Registry::start);
    let (ann, bob) = (registry.user("ann-owns"), registry.user("bob-looks"));
    let made = create(&registry, &ann, &json!({"name": "mine"})).expect_json(201);
    let path = format!("/api/v1/tokens/{}", made["id"].as_str().unwrap());
    registry.as_user(&bob).delete(&path).problem(404, "not_found");
    registry.as_user(&ann.with_token(made["token"].as_str().unwrap())).get("/api/v1/whoami").expect(200);
    for path in ["/api/v1/tokens/0", "/api/v1/tokens/99999999", "/api/v1/tokens/x"] {
        registry.as_user(&bob).delete(path).problem(404, "not_found");
    }
}

#[test]
fn expired_token_is_refused() {
    let registry = RUNNING.get(Registry::start);
    let ann = registry.user("ann-ends");
    let soon = jiff::Timestamp::from_second(jiff::Timestamp::now().as_second() + 10).unwrap().to_string();
    let made = create(&registry, &ann, &json!({"name": "short", "expiresAt": soon})).expect_json(201);
    assert_eq!(made["expiresAt"], soon);
    let short = ann.with_token(made["token"].as_str().unwrap());
    let response = eventually("the token ends", || {
        let response = registry.as_user(&short).get("/api/v1/whoami");
        (response.status != 200).then_some(response)
    });
    response.problem(401, "unauthenticated");
    registry.as_user(&ann).get("/api/v1/whoami").expect(200);
}

#[test]
fn token_expiry_in_the_past_or_malformed_is_refused() {
    let registry = RUNNING.get(Registry::start);
    let ann = registry.user("ann-past");
    for end in [json!("2020-01-01T00:00:00Z"), json!("tomorrow"), json!(5)] {
        create(&registry, &ann, &json!({"name": "never", "expiresAt": end})).problem(400, "invalid_request");
    }
    create(&registry, &ann, &json!({"name": ""})).problem(400, "invalid_request");
}

#[test]
fn token_issue_command_sets_an_expiry() {
    let registry = RUNNING.get(Registry::start);
    let ann = registry.user("ann-thirty");
    let token = registry.issue("ann-thirty", &["--name", "thirty", "--expires", "30d"]);
    let thirty = registry.wait_until_known(ann.with_token(&token));
    let me = registry.as_user(&thirty).get("/api/v1/auth/me").expect_json(200);
    let created: jiff::Timestamp = me["token"]["createdAt"].as_str().unwrap().parse().unwrap();
    let expires: jiff::Timestamp = me["token"]["expiresAt"].as_str().unwrap().parse().unwrap();
    assert_eq!(expires.as_second() - created.as_second(), 30 * 24 * 3600);
}

#[test]
fn tokens_are_not_public() {
    let registry = Registry::start();
    let ann = registry.user("ann");
    let before = registry.tree_bytes();
    let made = create(&registry, &ann, &json!({"name": "quiet"})).expect_json(201);
    registry.as_user(&ann).delete(&format!("/api/v1/tokens/{}", made["id"].as_str().unwrap())).expect(204);
    assert_eq!(registry.tree_bytes(), before, "nothing public happened");
}
