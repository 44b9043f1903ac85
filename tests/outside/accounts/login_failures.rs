//! Clients that guess passwords are limited, and no other clients.

use crate::harness::{PASSWORD, Registry, Response, User};

/// Behind a proxy, so that clients have addresses of their own.
const PROXIED: &str = "[limits]\ntrusted_proxies = [\"127.0.0.1\"]\n";

fn from(registry: &Registry, address: &str, handle: &str, password: &str) -> Response {
    registry.anonymous().with("x-forwarded-for", address).log_in(handle, password)
}

/// Asserts that a response limits the client for at most ten minutes.
#[track_caller]
fn is_barred(response: &Response) {
    response.problem(429, "rate_limited");
    let wait: u32 = response.require_header("retry-after").parse().unwrap();
    assert!((1..=600).contains(&wait), "{response}: {wait}");
}

#[test]
fn correct_password_after_ten_failures_has_to_wait() {
    let mut registry = Registry::with_config(PROXIED);
    registry.user_with_password("ann", PASSWORD);
    registry.user_with_password("bob", PASSWORD);
    for n in 0..10 {
        from(&registry, "192.0.2.1", "ann", &format!("wrong password {n}")).problem(401, "unauthenticated");
        // A successful login does not reset the limit.
        if n == 5 {
            from(&registry, "192.0.2.1", "ann", PASSWORD).expect(200);
        }
    }
    is_barred(&from(&registry, "192.0.2.1", "ann", "wrong password"));
    is_barred(&from(&registry, "192.0.2.1", "ann", PASSWORD));
    // Other users and other addresses are not limited.
    from(&registry, "192.0.2.1", "bob", PASSWORD).expect(200);
    from(&registry, "192.0.2.2", "ann", PASSWORD).expect(200);
    let token = registry.issue("ann", &["--name", "test"]);
    let ann = registry.wait_until_known(User { handle: "ann".into(), token });
    let client = registry.as_user(&ann).with("x-forwarded-for", "192.0.2.1");
    client.post_json("/api/v1/namespaces", &serde_json::json!({"slug": "team"})).expect(201);

    // Another server on the same folder knows it, and the next one too.
    let second = registry.start_second(&["--no-mirror"]);
    is_barred(&second.client().with("x-forwarded-for", "192.0.2.1").log_in("ann", PASSWORD));
    drop(second);
    registry.kill();
    registry.restart();
    is_barred(&from(&registry, "192.0.2.1", "ann", PASSWORD));
    from(&registry, "192.0.2.2", "ann", PASSWORD).expect(200);
}

#[test]
fn unknown_handle_is_limited_like_a_known_one() {
    let registry = Registry::with_config(PROXIED);
    for handle in ["nobody", "No Handle!"] {
        for _ in 0..10 {
            from(&registry, "192.0.2.1", handle, PASSWORD).problem(401, "unauthenticated");
        }
        is_barred(&from(&registry, "192.0.2.1", handle, PASSWORD));
    }
}

#[test]
fn ipv6_network_is_limited_as_one_address() {
    let registry = Registry::with_config(PROXIED);
    registry.user_with_password("ann", PASSWORD);
    for n in 0..10 {
        from(&registry, &format!("2001:db8:0:1::{n}"), "ann", "wrong password").expect(401);
    }
    is_barred(&from(&registry, "2001:db8:0:1:ffff::1", "ann", PASSWORD));
    from(&registry, "2001:db8:0:2::1", "ann", PASSWORD).expect(200);
}

#[test]
fn concurrent_failures_are_limited_to_ten() {
    let registry = Registry::start();
    registry.user_with_password("ann", PASSWORD);
    let statuses: Vec<u16> = std::thread::scope(|threads| {
        let tries: Vec<_> = (0..40)
            .map(|n| {
                let client = registry.anonymous();
                threads.spawn(move || client.log_in("ann", &format!("wrong password {n}")).status)
            })
            .collect();
        tries.into_iter().map(|one| one.join().unwrap()).collect()
    });
    let count = |status| statuses.iter().filter(|found| **found == status).count();
    assert_eq!((count(401), count(429)), (10, 30), "{statuses:?}");
}

#[test]
fn forwarded_address_of_an_untrusted_peer_is_ignored() {
    let registry = Registry::start();
    registry.user_with_password("ann", PASSWORD);
    for n in 0..10 {
        from(&registry, &format!("192.0.2.{n}"), "ann", "wrong password").expect(401);
    }
    is_barred(&from(&registry, "192.0.2.77", "ann", PASSWORD));
}

#[test]
fn failures_for_many_handles_limit_the_address() {
    let registry = Registry::with_config(PROXIED);
    registry.user_with_password("ann", PASSWORD);
    for n in 0..30 {
        from(&registry, "192.0.2.1", &format!("user-{n}"), "summer 2026").problem(401, "unauthenticated");
    }
    is_barred(&from(&registry, "192.0.2.1", "user-31", "summer 2026"));
    is_barred(&from(&registry, "192.0.2.1", "ann", PASSWORD));
    from(&registry, "192.0.2.2", "ann", PASSWORD).expect(200);
}
