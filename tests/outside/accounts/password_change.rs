//! Changes of passwords.

use serde_json::{Value, json};

use crate::harness::{Client, PASSWORD, Registry, Response, Shared, assert_fields};

static RUNNING: Shared<Registry> = Shared::new();

const NEW: &str = "incorrect donkey";

fn change(client: &Client, body: &Value) -> Response {
    client.put_json("/api/v1/auth/me", body)
}

#[test]
fn password_change_ends_other_sessions() {
    let registry = RUNNING.get(Registry::start);
    registry.user_with_password("ann-changes", PASSWORD);
    let sign_in = || registry.sign_in("ann-changes", PASSWORD);
    let (here, there, bare) = (sign_in(), sign_in(), sign_in());
    let me = change(&here.own, &json!({"password": NEW, "currentPassword": PASSWORD})).expect_json(200);
    assert_fields(&me, "id handle displayName role namespaces token");
    assert_eq!(me, here.own.get("/api/v1/auth/me").expect_json(200));
    for other in [there, bare] {
        other.own.get("/api/v1/whoami").problem(401, "unauthenticated");
    }
    registry.anonymous().log_in("ann-changes", PASSWORD).problem(401, "unauthenticated");
    registry.anonymous().log_in("ann-changes", NEW).expect(200);
}

#[test]
fn password_change_with_token_ends_all_sessions_and_keeps_the_token() {
    let registry = RUNNING.get(Registry::start);
    registry.user_with_password("ann-tokens", PASSWORD);
    let session = registry.sign_in("ann-tokens", PASSWORD);
    let token = session.own.post_json("/api/v1/tokens", &json!({"name": "laptop"})).expect_json(201);
    let client =
        registry.anonymous().with("authorization", &format!("Bearer {}", token["token"].as_str().unwrap()));
    change(&client, &json!({"password": NEW, "currentPassword": PASSWORD})).expect(200);
    session.own.get("/api/v1/whoami").problem(401, "unauthenticated");
    client.get("/api/v1/whoami").expect(200);
}

#[test]
fn refused_password_change_changes_nothing() {
    let registry = RUNNING.get(Registry::start);
    registry.user_with_password("ann-stays", PASSWORD);
    let (here, there) = (registry.sign_in("ann-stays", PASSWORD), registry.sign_in("ann-stays", PASSWORD));
    for (body, status, code) in [
        (json!({"password": NEW}), 400, "invalid_request"),
        (json!({"password": NEW, "currentPassword": null}), 400, "invalid_request"),
        (json!({"password": "short", "currentPassword": PASSWORD}), 400, "invalid_request"),
        (json!({"password": "x".repeat(257), "currentPassword": PASSWORD}), 400, "invalid_request"),
        (json!({"password": 12_345_678, "currentPassword": PASSWORD}), 400, "invalid_request"),
        (json!({"password": NEW, "currentPassword": PASSWORD, "role": "admin"}), 400, "invalid_request"),
        (json!({"password": NEW, "currentPassword": "wrong password"}), 403, "forbidden"),
    ] {
        let response = change(&here.own, &body);
        response.problem(status, code);
        for secret in [NEW, PASSWORD, "wrong password", "12345678"] {
            assert!(!response.text().contains(secret), "{response}");
        }
    }
    change(&here.own, &json!({})).expect(200);
    there.own.get("/api/v1/whoami").expect(200);
    registry.anonymous().log_in("ann-stays", NEW).expect(401);
    registry.anonymous().log_in("ann-stays", PASSWORD).expect(200);
}

#[test]
fn password_change_without_a_password_is_refused() {
    let registry = RUNNING.get(Registry::start);
    let zoe = registry.user("zoe-without");
    let body = json!({"password": NEW, "currentPassword": NEW});
    change(&registry.as_user(&zoe), &body).problem(403, "forbidden");
    registry.anonymous().log_in("zoe-without", NEW).problem(401, "unauthenticated");
}

#[test]
fn wrong_current_password_counts_as_failed_login() {
    let registry = RUNNING.get(Registry::start);
    registry.user_with_password("ann-guesses", PASSWORD);
    let ann = registry.sign_in("ann-guesses", PASSWORD).own;
    for n in 0..10 {
        let body = json!({"password": NEW, "currentPassword": format!("wrong password {n}")});
        change(&ann, &body).problem(403, "forbidden");
    }
    let late = change(&ann, &json!({"password": NEW, "currentPassword": PASSWORD}));
    late.problem(429, "rate_limited");
    assert!(late.require_header("retry-after").parse::<u32>().unwrap() > 0);
    registry.anonymous().log_in("ann-guesses", PASSWORD).problem(429, "rate_limited");
    ann.get("/api/v1/whoami").expect(200);
}

#[test]
fn concurrent_password_changes_apply_one() {
    let registry = RUNNING.get(Registry::start);
    registry.user_with_password("ann-twice", PASSWORD);
    let ann = registry.sign_in("ann-twice", PASSWORD).own;
    let passwords: Vec<String> = (0..4).map(|n| format!("{NEW} {n}")).collect();
    let statuses: Vec<u16> = std::thread::scope(|threads| {
        let changes: Vec<_> = passwords
            .iter()
            .map(|new| {
                let body = json!({"password": new, "currentPassword": PASSWORD});
                let ann = &ann;
                threads.spawn(move || change(ann, &body).status)
            })
            .collect();
        changes.into_iter().map(|one| one.join().unwrap()).collect()
    });
    assert_eq!(statuses.iter().filter(|status| **status == 200).count(), 1, "{statuses:?}");
    assert_eq!(statuses.iter().filter(|status| **status == 403).count(), 3, "{statuses:?}");
    let made = statuses.iter().position(|status| *status == 200).unwrap();
    registry.anonymous().log_in("ann-twice", &passwords[made]).expect(200);
}

#[test]
fn operator_sets_a_new_password() {
    let registry = RUNNING.get(Registry::start);
    let zoe = registry.user("zoe-forgets");
    let set = |password: &str| {
        registry.command_with_input(["user", "set-password", "zoe-forgets"], &format!("{password}\n"))
    };
    set(PASSWORD).ok();
    let session = registry.sign_in("zoe-forgets", PASSWORD);
    let short = set("short");
    assert_eq!(short.code, 1, "{short:?}");
    assert!(short.stderr.contains("8 characters") && !short.stderr.contains("short"), "{short:?}");
    session.own.get("/api/v1/whoami").expect(200);
    let printed = set(NEW).ok();
    assert!(!printed.printed().contains(NEW), "{printed:?}");
    session.own.get("/api/v1/whoami").problem(401, "unauthenticated");
    registry.anonymous().log_in("zoe-forgets", PASSWORD).problem(401, "unauthenticated");
    registry.anonymous().log_in("zoe-forgets", NEW).expect(200);
    registry.as_user(&zoe).get("/api/v1/whoami").expect(200);
    let nobody = registry.command_with_input(["user", "set-password", "nobody"], &format!("{NEW}\n"));
    assert_eq!(nobody.code, 1, "{nobody:?}");
    assert!(nobody.stderr.contains("nobody"), "{nobody:?}");
}
