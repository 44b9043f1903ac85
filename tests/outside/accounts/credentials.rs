//! Credentials and what they allow.

use serde_json::json;

use crate::harness::{Registry, Shared, Skill, User, assert_fields, eventually};

static RUNNING: Shared<Registry> = Shared::new();

#[test]
fn whoami_and_auth_me_name_the_user() {
    let registry = RUNNING.get(Registry::start);
    let ann = registry.user("ann-who");
    registry.team("anns-team", &ann);
    let who = registry.as_user(&ann).get("/api/v1/whoami").expect_json(200);
    assert_fields(&who, "handle displayName role");
    assert_eq!((who["handle"].as_str(), who["role"].as_str()), (Some("ann-who"), Some("user")));

    let me = registry.as_user(&ann).get("/api/v1/auth/me").expect_json(200);
    assert_fields(&me, "id handle displayName role namespaces token");
    assert_eq!(me["id"], "ann-who");
    assert_eq!(me["namespaces"], json!([{"slug": "anns-team", "role": "owner"}]));
    assert_fields(&me["token"], "id name prefix scopes createdAt expiresAt lastUsedAt");
    assert_eq!(me["token"]["name"], "test");
    assert!(ann.token.starts_with(me["token"]["prefix"].as_str().unwrap()), "{me}");
}

#[test]
fn display_name_is_shown_as_given() {
    let registry = RUNNING.get(Registry::start);
    registry.command(["user", "add", "zoe", "--name", "Zoë of Kraków"]).ok();
    let zoe = User { handle: "zoe".into(), token: registry.issue("zoe", &["--name", "test"]) };
    let who = registry.as_user(&registry.wait_until_known(zoe)).get("/api/v1/whoami").expect_json(200);
    assert_eq!(who["displayName"], "Zoë of Kraków");
}

#[test]
fn role_is_set_by_the_command() {
    let registry = RUNNING.get(Registry::start);
    registry.command(["user", "add", "mod", "--role", "moderator"]).ok();
    let moderator = User { handle: "mod".into(), token: registry.issue("mod", &["--name", "test"]) };
    let who = registry.as_user(&registry.wait_until_known(moderator)).get("/api/v1/whoami").expect_json(200);
    assert_eq!(who["role"], "moderator");
}

#[test]
fn invalid_or_taken_handle_is_refused() {
    let registry = RUNNING.get(Registry::start);
    registry.command(["user", "add", "once"]).ok();
    let again = registry.command(["user", "add", "once"]);
    assert_eq!(again.code, 1, "{again:?}");
    assert!(again.stderr.contains("once"), "{again:?}");
    for handle in ["Upper", "two--dashes", "con", "end-", "a b"] {
        let output = registry.command(["user", "add", handle]);
        assert_ne!(output.code, 0, "{handle}: {output:?}");
        assert!(!output.stderr.is_empty(), "{handle}: {output:?}");
    }
    let unknown = registry.command(["token", "issue", "nobody", "--name", "x"]);
    assert_eq!(unknown.code, 1, "{unknown:?}");
    assert!(unknown.stderr.contains("nobody") && unknown.stdout.is_empty(), "{unknown:?}");
}

#[test]
fn invalid_credential_is_401_everywhere() {
    let registry = RUNNING.get(Registry::start);
    let real = registry.admin().token;
    let mut cut = real.clone();
    cut.pop();
    for token in ["nonsense", "", "a b", cut.as_str()] {
        let client = registry.anonymous().with("authorization", &format!("Bearer {token}"));
        for path in
            ["/api/v1/whoami", "/api/v1/skills", "/api/v1/namespaces/global", "/.well-known/registry.json"]
        {
            let response = client.get(path);
            response.problem(401, "unauthenticated");
            assert!(
                response.require_header("www-authenticate").contains("error=\"invalid_token\""),
                "{response}"
            );
        }
    }
}

#[test]
fn valid_credential_reads_the_same_bytes_uncached() {
    let registry = RUNNING.get(Registry::start);
    let anonymous = registry.get("/api/v1/namespaces/global").expect(200);
    let signed_in = registry.as_user(&registry.admin()).get("/api/v1/namespaces/global").expect(200);
    assert_eq!(anonymous.body, signed_in.body);
    assert!(signed_in.require_header("cache-control").contains("no-store"), "{signed_in}");
}

#[test]
fn missing_scope_is_403_and_named() {
    let registry = RUNNING.get(Registry::start);
    registry.command(["user", "add", "reader"]).ok();
    let token = registry.issue("reader", &["--name", "r", "--scopes", "read"]);
    let reader = registry.wait_until_known(User { handle: "reader".into(), token });
    let refused = [
        ("publish", registry.publish(Skill::named("hello")).by(&reader)),
        ("manage", registry.as_user(&reader).post_json("/api/v1/namespaces", &json!({"slug": "readers"}))),
        ("tokens", registry.as_user(&reader).get("/api/v1/tokens")),
        ("tokens", registry.as_user(&reader).post_json("/api/v1/tokens", &json!({"name": "more"}))),
    ];
    for (scope, response) in refused {
        let problem = response.problem(403, "forbidden");
        assert!(problem["detail"].as_str().unwrap().contains(scope), "{response} names {scope}");
    }
    registry.as_user(&reader).get("/api/v1/auth/me").expect(200);
}

#[test]
fn unknown_scope_is_refused_by_the_command() {
    let registry = RUNNING.get(Registry::start);
    let output = registry.command(["token", "issue", "admin", "--name", "odd", "--scopes", "read,fly"]);
    assert_ne!(output.code, 0, "{output:?}");
    assert!(output.stderr.contains("fly"), "{output:?}");
}

#[test]
fn disabled_user_is_refused() {
    let registry = RUNNING.get(Registry::start);
    let bob = registry.user("bob-gone");
    registry.command(["user", "disable", "bob-gone"]).ok();
    let response = eventually("the server sees that bob is disabled", || {
        let response = registry.as_user(&bob).get("/api/v1/whoami");
        (response.status != 200).then_some(response)
    });
    response.problem(401, "unauthenticated");
}

#[test]
fn publish_without_credential_is_refused() {
    let registry = RUNNING.get(Registry::start);
    registry.publish(Skill::named("hello")).by_nobody().problem(401, "unauthenticated");
}

#[test]
fn user_with_short_password_is_not_added() {
    let registry = RUNNING.get(Registry::start);
    // Standard input is empty here, and so is the password.
    let output = registry.command(["user", "add", "short", "--password-stdin"]);
    assert_eq!(output.code, 1, "{output:?}");
    assert!(output.stderr.contains("8 characters"), "{output:?}");
    assert!(!registry.command(["user", "list"]).ok().stdout.contains("short"));
}
