//! Logins with a password.

use serde_json::{Value, json};

use crate::harness::{PASSWORD, Registry, Response, Shared, assert_fields, cookie_of, eventually};

static RUNNING: Shared<Registry> = Shared::new();

/// The attributes of the one cookie that an answer sets, sorted.
fn attributes(response: &Response) -> Vec<String> {
    let cookie = response.require_header("set-cookie");
    let mut attributes: Vec<String> = cookie.split(';').skip(1).map(|a| a.trim().to_owned()).collect();
    attributes.sort();
    attributes
}

#[test]
fn login_with_correct_password_gets_a_session() {
    let registry = RUNNING.get(Registry::start);
    registry.user_with_password("ann-signs", PASSWORD);
    let response = registry.anonymous().log_in("ann-signs", PASSWORD);
    let me = response.clone().expect_json(200);
    assert_fields(&me, "id handle displayName role namespaces token");
    assert_eq!((&me["handle"], &me["token"]), (&json!("ann-signs"), &Value::Null));
    assert_eq!(response.require_header("cache-control"), "no-store");
    assert_eq!(attributes(&response), ["HttpOnly", "Max-Age=1209600", "Path=/", "SameSite=Lax"]);
    let cookie = cookie_of(&response);
    let (name, value) = cookie.split_once('=').unwrap();
    assert_eq!((name, value.len()), ("skillmirror_session", 52), "256 bits in base32");

    let browser = registry.browser(cookie);
    assert_eq!(browser.bare.get("/api/v1/auth/me").expect_json(200), me);
    assert_eq!(browser.bare.get("/api/v1/whoami").expect_json(200)["handle"], "ann-signs");
    let again = registry.sign_in("ann-signs", PASSWORD);
    assert_ne!(again.cookie, browser.cookie);
    browser.bare.get("/api/v1/whoami").expect(200);
}

#[test]
fn login_over_tls_sets_a_host_only_secure_cookie() {
    let registry =
        Registry::with_config("public_url = \"https://skills.example.org/below\"\n[sessions]\ndays = 400\n");
    registry.user_with_password("ann", PASSWORD);
    let response = registry.anonymous().log_in("ann", PASSWORD).expect(200);
    assert_eq!(attributes(&response), ["HttpOnly", "Max-Age=34560000", "Path=/", "SameSite=Lax", "Secure"]);
    let cookie = cookie_of(&response);
    assert!(cookie.starts_with("__Host-skillmirror_session="), "{cookie}");
    let browser = registry.browser(cookie.clone());
    browser.bare.get("/api/v1/whoami").expect(200);
    // The address it listens on is not the one that people use.
    browser.own.post_json("/api/v1/namespaces", &json!({"slug": "team"})).problem(403, "forbidden");
    let own = browser.bare.with("origin", "https://skills.example.org");
    own.post_json("/api/v1/namespaces", &json!({"slug": "team"})).expect(201);
    let plain = registry.browser(cookie.replace("__Host-", ""));
    plain.bare.get("/api/v1/whoami").problem(401, "unauthenticated");
}

#[test]
fn failed_login_gives_no_reason() {
    let registry = RUNNING.get(Registry::start);
    registry.user_with_password("ann-quiet", PASSWORD);
    registry.user_with_password("bob-gone", PASSWORD);
    registry.sign_in("bob-gone", PASSWORD);
    registry.command(["user", "disable", "bob-gone"]).ok();
    registry.command(["user", "add", "zoe-tokens"]).ok();
    let mut told = Vec::new();
    for (handle, password) in [
        ("ann-quiet", "correct horse batterx"),
        ("ann-quiet", ""),
        ("bob-gone", PASSWORD),
        ("zoe-tokens", PASSWORD),
        ("zoe-tokens", ""),
        ("nobody-at-all", PASSWORD),
        ("No Handle!", PASSWORD),
        ("", ""),
    ] {
        let response = registry.anonymous().log_in(handle, password);
        let mut problem = response.problem(401, "unauthenticated");
        assert!(response.header("set-cookie").is_none(), "{response}");
        problem["requestId"] = Value::Null;
        let mut names: Vec<String> = response.headers.keys().map(ToString::to_string).collect();
        names.sort();
        told.push((problem.to_string(), names));
    }
    told.dedup();
    assert_eq!(told.len(), 1, "all are told the same: {told:?}");
}

#[test]
fn new_user_can_log_in_at_once() {
    let registry = RUNNING.get(Registry::start);
    for n in 0..3 {
        registry.user_with_password(&format!("new-{n}"), PASSWORD);
        registry.anonymous().log_in(&format!("new-{n}"), PASSWORD).expect(200);
    }
}

#[test]
fn malformed_login_is_refused_without_echo() {
    let registry = RUNNING.get(Registry::start);
    for body in [
        json!({}),
        json!({"handle": "ann"}),
        json!({"password": PASSWORD}),
        json!({"handle": "ann", "password": 2_026_112_100}),
        json!({"handle": "ann", "password": [PASSWORD]}),
        json!({"handle": "ann", "password": null}),
        json!({"handle": "ann", "password": PASSWORD, "remember": true}),
        json!({"handle": "ann", "passwort": PASSWORD}),
    ] {
        let response = registry.anonymous().post_json("/api/v1/auth/login", &body);
        response.problem(400, "invalid_request");
        assert!(!response.text().contains(PASSWORD) && !response.text().contains("2026112100"), "{response}");
    }
}

#[test]
fn login_from_another_origin_is_refused() {
    let registry = RUNNING.get(Registry::start);
    registry.user_with_password("ann-lured", PASSWORD);
    let port = registry.base().rsplit(':').next().unwrap().to_owned();
    for origin in
        ["https://evil.example", "null", "", "http://127.0.0.1", &format!("http://localhost:{port}")]
    {
        let response = registry.anonymous().with("origin", origin).log_in("ann-lured", PASSWORD);
        response.problem(403, "forbidden");
        assert!(response.header("set-cookie").is_none(), "{response}");
    }
    registry.anonymous().with("origin", registry.base()).log_in("ann-lured", PASSWORD).expect(200);
}

#[test]
fn login_with_an_old_cookie_succeeds() {
    let registry = RUNNING.get(Registry::start);
    registry.user_with_password("ann-returns", PASSWORD);
    let dead = "skillmirror_session=aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";
    for cookie in [dead, "skillmirror_session=x", "skillmirror_session="] {
        let response = registry.browser(cookie.to_owned()).bare.log_in("ann-returns", PASSWORD).expect(200);
        registry.browser(cookie_of(&response)).bare.get("/api/v1/whoami").expect(200);
    }
    // The one that is still good is replaced.
    let first = registry.sign_in("ann-returns", PASSWORD);
    let second = cookie_of(&first.bare.log_in("ann-returns", PASSWORD).expect(200));
    first.bare.get("/api/v1/whoami").problem(401, "unauthenticated");
    registry.browser(second).bare.get("/api/v1/whoami").expect(200);
}

#[test]
fn passwords_and_session_keys_are_never_written() {
    let registry = Registry::start();
    registry.user_with_password("ann", PASSWORD);
    let browser = registry.sign_in("ann", PASSWORD);
    let (_, key) = browser.cookie.split_once('=').unwrap();
    registry.anonymous().log_in("ann", "a wrong password").expect(401);
    let change = json!({"password": "another password", "currentPassword": PASSWORD});
    browser.own.put_json("/api/v1/auth/me", &change).expect(200);
    browser.own.post_json("/api/v1/namespaces", &json!({"slug": "team"})).expect(201);
    let secrets = [PASSWORD, key, "a wrong password", "another password"];
    let files: Vec<_> = files_below(registry.folder());
    assert!(files.iter().any(|path| path.ends_with("serve.log")), "{files:?}");
    for path in files {
        // Temporary files may disappear.
        let Ok(bytes) = std::fs::read(&path) else { continue };
        for secret in secrets {
            let found = bytes.windows(secret.len()).any(|part| part == secret.as_bytes());
            assert!(!found, "{} has a secret", path.display());
        }
    }
    eventually("the server goes on", || (registry.get("/readyz").status == 200).then_some(()));
}

/// Every file below `folder`.
fn files_below(folder: &std::path::Path) -> Vec<std::path::PathBuf> {
    let entries = walkdir::WalkDir::new(folder).into_iter().filter_map(Result::ok);
    entries.filter(|entry| entry.file_type().is_file()).map(walkdir::DirEntry::into_path).collect()
}
