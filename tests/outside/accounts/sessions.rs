//! Sessions: their rights and their end.

use serde_json::json;

use crate::harness::{Home, PASSWORD, Registry, Shared, User, eventually};

static RUNNING: Shared<Registry> = Shared::new();

#[test]
fn logout_ends_the_session() {
    let registry = RUNNING.get(Registry::start);
    registry.user_with_password("ann-leaves", PASSWORD);
    let (here, there) = (registry.sign_in("ann-leaves", PASSWORD), registry.sign_in("ann-leaves", PASSWORD));
    let response = here.own.request("POST", "/api/v1/auth/logout", None).expect(204);
    let cleared = response.require_header("set-cookie");
    assert!(cleared.starts_with("skillmirror_session=; ") && cleared.contains("Max-Age=0"), "{cleared}");
    for path in ["/api/v1/whoami", "/api/v1/auth/me", "/api/v1/tokens"] {
        let response = here.own.get(path);
        response.problem(401, "unauthenticated");
        assert!(response.require_header("www-authenticate").contains("invalid_token"), "{response}");
    }
    here.own.request("POST", "/api/v1/auth/logout", None).problem(401, "unauthenticated");
    there.own.get("/api/v1/whoami").expect(200);
}

#[test]
fn command_lists_and_ends_sessions() {
    let registry = RUNNING.get(Registry::start);
    registry.user_with_password("ann-lists", PASSWORD);
    let token = registry.issue("ann-lists", &["--name", "test"]);
    let ann = registry.wait_until_known(User { handle: "ann-lists".to_owned(), token });
    let (here, there) = (registry.sign_in("ann-lists", PASSWORD), registry.sign_in("ann-lists", PASSWORD));
    let home = Home::new();
    home.login(registry.base(), &ann);
    let listed = home.run(&["session", "list"]).ok().stdout;
    assert!(listed.lines().count() == 3 && listed.contains("password"), "{listed}");
    let id = home.json(&["session", "list"])["items"][0]["id"].as_str().unwrap().to_owned();
    home.run(&["session", "end", &id, "--yes"]).ok();
    let left = home.json(&["session", "list"]);
    assert!(left["total"] == 1 && left["items"][0]["id"] != *id, "{left}");
    let statuses = [&here, &there].map(|browser| browser.own.get("/api/v1/whoami").status);
    assert!(statuses.contains(&200) && statuses.contains(&401), "{statuses:?}");
    let why = home.run(&["session", "end", &id, "--yes"]);
    assert!(why.code == 1 && why.stderr.contains("no such session"), "{why:?}");
}

#[test]
fn logout_with_token_keeps_the_token() {
    let registry = RUNNING.get(Registry::start);
    let ann = registry.user("ann-token");
    let response = registry.as_user(&ann).request("POST", "/api/v1/auth/logout", None).expect(204);
    assert!(response.header("set-cookie").is_none(), "{response}");
    registry.as_user(&ann).get("/api/v1/whoami").expect(200);
    registry.anonymous().request("POST", "/api/v1/auth/logout", None).problem(401, "unauthenticated");
}

#[test]
fn session_has_the_rights_of_its_owner() {
    let registry = RUNNING.get(Registry::start);
    registry.user_with_password("ann-works", PASSWORD);
    let ann = registry.sign_in("ann-works", PASSWORD).own;
    ann.post_json("/api/v1/namespaces", &json!({"slug": "ann-works-team"})).expect(201);
    ann.get("/api/v1/namespaces/ann-works-team/members").expect(200);
    let token = ann.post_json("/api/v1/tokens", &json!({"name": "laptop"})).expect_json(201);
    assert_eq!(token["scopes"].as_array().unwrap().len(), 5, "{token}");
    ann.get("/api/v1/tokens").expect(200);
    ann.post_json("/api/v1/namespaces", &json!({"slug": "ann-works-team"})).problem(409, "conflict");
    ann.get("/api/v1/namespaces/global/members").problem(403, "forbidden");
}

#[test]
fn public_read_with_session_is_the_same_and_uncached() {
    // Its own: while lists lack a change of another test, they have no time of a file.
    let registry = Registry::start();
    registry.user_with_password("ann-reads", PASSWORD);
    let ann = registry.sign_in("ann-reads", PASSWORD).bare;
    for (path, status) in [
        ("/api/v1/skills", 200),
        ("/api/v1/namespaces/global", 200),
        ("/api/v1/skills/global/nothing", 404),
        ("/api/v1/skills?page=0", 400),
        ("/nothing/at/all", 404),
    ] {
        let mut signed_in = ann.get(path).expect(status);
        let mut anonymous = registry.get(path).expect(status);
        assert_eq!(signed_in.require_header("cache-control"), "no-store", "{path}");
        assert_eq!(signed_in.header("access-control-allow-origin"), None, "{path}");
        if status == 200 {
            assert_eq!(signed_in.body, anonymous.body, "{path}");
        }
        // An invalid cookie is ignored: its sender is anonymous.
        let dead = "skillmirror_session=aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";
        for cookie in [dead, "skillmirror_session=x", "theme=dark"] {
            signed_in = registry.browser(cookie.to_owned()).bare.get(path).expect(status);
            for response in [&mut signed_in, &mut anonymous] {
                response.headers.remove("x-request-id");
                response.headers.remove("date");
            }
            // The problem documents differ in the request's id.
            assert_eq!(signed_in.headers, anonymous.headers, "{path} with {cookie}");
        }
    }
}

#[test]
fn token_takes_precedence_over_cookie() {
    let registry = RUNNING.get(Registry::start);
    registry.user_with_password("ann-cookie", PASSWORD);
    let bob = registry.user("bob-token");
    let both = registry.sign_in("ann-cookie", PASSWORD).bare.as_user(&bob);
    assert_eq!(both.get("/api/v1/whoami").expect_json(200)["handle"], "bob-token");
    // A foreign page cannot know a token, so that no origin is asked for.
    let foreign = both.with("origin", "https://elsewhere.example");
    foreign.post_json("/api/v1/namespaces", &json!({"slug": "bob-token-team"})).expect(201);
    let wrong = registry.sign_in("ann-cookie", PASSWORD).bare.as_user(&bob.with_token("smt_wrong"));
    wrong.get("/api/v1/whoami").problem(401, "unauthenticated");
    wrong.get("/api/v1/skills").problem(401, "unauthenticated");
}

#[test]
fn session_of_disabled_user_is_refused() {
    let registry = RUNNING.get(Registry::start);
    registry.user_with_password("bob-out", PASSWORD);
    let bob = registry.sign_in("bob-out", PASSWORD).own;
    bob.get("/api/v1/whoami").expect(200);
    registry.command(["user", "disable", "bob-out"]).ok();
    let response = eventually("the server sees that bob is disabled", || {
        let response = bob.get("/api/v1/whoami");
        (response.status != 200).then_some(response)
    });
    response.problem(401, "unauthenticated");
    bob.post_json("/api/v1/namespaces", &json!({"slug": "bob-out-team"})).problem(401, "unauthenticated");
    bob.get("/api/v1/skills").expect(200);
    registry.anonymous().log_in("bob-out", PASSWORD).problem(401, "unauthenticated");
}

#[test]
fn session_survives_restart_and_works_on_every_server() {
    let mut registry = Registry::start();
    registry.user_with_password("ann", PASSWORD);
    let ann = registry.sign_in("ann", PASSWORD);
    let second = registry.start_second(&["--no-mirror"]);
    let there = second.client().with("cookie", &ann.cookie);
    there.get("/api/v1/whoami").expect(200);
    registry.stop();
    registry.restart();
    registry.browser(ann.cookie.clone()).bare.get("/api/v1/whoami").expect(200);
    registry.kill();
    registry.restart();
    let again = registry.browser(ann.cookie);
    again.own.post_json("/api/v1/namespaces", &json!({"slug": "team"})).expect(201);
    again.own.request("POST", "/api/v1/auth/logout", None).expect(204);
    there.get("/api/v1/whoami").problem(401, "unauthenticated");
}

#[test]
fn session_is_gone_after_restore() {
    let mut registry = Registry::start();
    registry.user_with_password("ann", PASSWORD);
    let ann = registry.sign_in("ann", PASSWORD);
    registry.command(["journal", "backup", "backup.zip"]).ok();
    registry.stop();
    registry.command(["journal", "restore", "backup.zip"]).ok();
    registry.restart();
    registry.browser(ann.cookie).bare.get("/api/v1/whoami").problem(401, "unauthenticated");
    registry.anonymous().log_in("ann", PASSWORD).expect(200);
}
