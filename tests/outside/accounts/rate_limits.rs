//! Rate limits of writes, and whom they count for.

use serde_json::json;

use crate::harness::{Client, PASSWORD, Registry, Response, User};

/// Two writes a minute, behind a proxy on this machine.
const TWO: &str = "[limits]\nwrites_per_minute = 2\ntrusted_proxies = [\"127.0.0.0/8\"]\n";

/// Limit, remainder and reset time in a response.
#[track_caller]
fn numbers(response: &Response) -> [u64; 3] {
    let read = |name| response.require_header(name).parse().unwrap_or_else(|_| panic!("{response}: {name}"));
    [read("ratelimit-limit"), read("ratelimit-remaining"), read("ratelimit-reset")]
}

/// A write that needs a credential.
fn write(client: &Client) -> Response {
    client.post_json("/api/v1/namespaces", &json!({"slug": "-"}))
}

/// Whether the client has any of its two writes left, after `before` of them.
#[track_caller]
fn remaining(response: &Response) -> u64 {
    numbers(response)[1]
}

#[track_caller]
fn is_refused(response: &Response) {
    response.problem(429, "rate_limited");
    let wait: u64 = response.require_header("retry-after").parse().unwrap();
    assert!((1..=60).contains(&wait), "{response}: {wait}");
    assert_eq!(numbers(response), [2, 0, wait], "{response}");
}

#[test]
fn write_responses_state_the_remaining_limit() {
    let registry = Registry::start();
    let ann = registry.user("ann");
    let made = registry.as_user(&ann).post_json("/api/v1/namespaces", &json!({"slug": "team"})).expect(201);
    assert_eq!(numbers(&made), [6000, 5999, 1]);
    // Refused requests count.
    for (client, status) in [
        (registry.as_user(&ann), 400),
        (registry.anonymous(), 401),
        (registry.as_user(&ann.with_token("smt_wrong")), 401),
    ] {
        let response = write(&client).expect(status);
        let [limit, remaining, reset] = numbers(&response);
        assert_eq!((limit, reset), (6000, 1), "{response}");
        assert!(remaining < 6000, "{response}");
    }
    numbers(&registry.anonymous().log_in("ann", PASSWORD).expect(401));
    for response in [
        registry.get("/api/v1/skills"),
        registry.as_user(&ann).get("/api/v1/whoami"),
        registry.as_user(&ann).get("/api/v1/skills"),
        registry.anonymous().request("PATCH", "/api/v1/skills", None),
        registry.anonymous().request("POST", "/nothing", None),
    ] {
        assert!(response.header("ratelimit-limit").is_none(), "{response}: {:?}", response.headers);
    }
}

#[test]
fn each_person_has_one_limit_for_all_credentials() {
    let registry = Registry::with_config(TWO);
    registry.user_with_password("ann", PASSWORD);
    let token = |name: &str| {
        let token = registry.issue("ann", &["--name", name]);
        registry.as_user(&registry.wait_until_known(User { handle: "ann".into(), token }))
    };
    let (first, second) = (token("first"), token("second"));
    let session = registry.sign_in("ann", PASSWORD).own;
    assert_eq!(remaining(&write(&first).expect(400)), 1);
    assert_eq!(remaining(&write(&session).expect(400)), 0);
    for client in [&first, &second, &session] {
        is_refused(&write(client));
        client.get("/api/v1/auth/me").expect(200);
    }
    let bob = registry.user("bob");
    assert_eq!(remaining(&write(&registry.as_user(&bob)).expect(400)), 1);
}

#[test]
fn anonymous_client_is_limited_by_its_forwarded_address() {
    let registry = Registry::with_config(TWO);
    let from = |addresses: &str| registry.anonymous().with("x-forwarded-for", addresses);
    assert_eq!(remaining(&write(&from("192.0.2.1")).expect(401)), 1);
    // Earlier addresses in the header are from the client.
    assert_eq!(remaining(&write(&from("6.6.6.6, 192.0.2.1")).expect(401)), 0);
    is_refused(&write(&from("7.7.7.7, 192.0.2.1, 127.0.0.9")));
    let twice = from("8.8.8.8").with("x-forwarded-for", "192.0.2.1");
    is_refused(&write(&twice));
    assert_eq!(remaining(&write(&from("192.0.2.2")).expect(401)), 1);
    // A /64 is one client.
    assert_eq!(remaining(&write(&from("2001:db8:0:1::1")).expect(401)), 1);
    assert_eq!(remaining(&write(&from("[2001:db8:0:1::2]:443")).expect(401)), 0);
    assert_eq!(remaining(&write(&from("2001:db8:0:2::1")).expect(401)), 1);
    // An invalid token is not a credential.
    let wrong = from("192.0.2.1").with("authorization", "Bearer smt_wrong");
    is_refused(&write(&wrong));
    wrong.get("/api/v1/whoami").problem(401, "unauthenticated");
}

#[test]
fn client_with_unknown_address_is_not_limited_with_others() {
    let registry = Registry::with_config(TWO);
    for header in [None, Some("unknown"), Some("192.0.2.1, _hidden"), Some("")] {
        for _ in 0..4 {
            let client = header.map_or_else(
                || registry.anonymous(),
                |value| registry.anonymous().with("x-forwarded-for", value),
            );
            assert_eq!(remaining(&write(&client).expect(401)), 1, "{header:?}");
        }
    }
}

#[test]
fn client_without_trusted_proxy_is_limited_by_its_peer_address() {
    let registry = Registry::with_config("[limits]\nwrites_per_minute = 2\n");
    let from = |addresses: &str| registry.anonymous().with("x-forwarded-for", addresses);
    assert_eq!(remaining(&write(&from("192.0.2.1")).expect(401)), 1);
    assert_eq!(remaining(&write(&from("192.0.2.2")).expect(401)), 0);
    is_refused(&write(&from("192.0.2.3")));
    is_refused(&write(&registry.anonymous()));
}

#[test]
fn logins_are_limited_by_address_regardless_of_credentials() {
    let registry = Registry::with_config("[limits]\nwrites_per_minute = 2\n");
    registry.user_with_password("ann", PASSWORD);
    let tokens = ["a", "b", "c"].map(|name| registry.issue("ann", &["--name", name]));
    let client = |token: &String| registry.anonymous().with("authorization", &format!("Bearer {token}"));
    client(&tokens[0]).log_in("ann", PASSWORD).expect(200);
    client(&tokens[1]).log_in("ann", PASSWORD).expect(200);
    is_refused(&client(&tokens[2]).log_in("ann", PASSWORD));
    is_refused(&registry.anonymous().log_in("ann", PASSWORD));
}
