//! Several servers of one database, behind a balancer that sends each request to any of them.

use std::thread;

use serde_json::{Value, json};

use super::servers::two_servers_with;
use crate::harness::{Client, PASSWORD, Registry, Response, ServerProcess};
use crate::outside::clawhub::publishing::files;
use crate::outside::clawhub::uploads::{publish_to, upload_to};
use crate::outside::client_login::{allowed_by, device, form};

/// Clients of two servers with one database.
struct Servers {
    registry: Registry,
    second: ServerProcess,
}

impl Servers {
    fn start() -> Self {
        Self::with_config("")
    }

    fn with_config(toml: &str) -> Self {
        let (registry, second, _) = two_servers_with(toml);
        Self { registry, second }
    }

    /// An anonymous client of the first server or the second.
    fn client(&self, number: usize) -> Client {
        if number == 0 { self.registry.anonymous() } else { self.second.client() }
    }

    fn begin(&self, number: usize) -> Value {
        self.client(number).post_json("/api/cli/device/code", &json!({})).expect_json(200)
    }

    fn poll(&self, number: usize, codes: &Value) -> Response {
        let body = json!({"device_code": codes["device_code"], "grant_type": device::GRANT});
        self.client(number).post_json("/api/cli/device/token", &body)
    }

    fn enter(&self, number: usize, codes: &Value, answer: &[(&str, &str)]) -> Response {
        let base = if number == 0 { self.registry.base() } else { &self.second.base };
        let fields = [&[("user_code", codes["user_code"].as_str().unwrap())], answer].concat();
        form(&self.client(number).with("origin", base), "/cli/device", &fields)
    }
}

#[test]
fn login_with_a_code_goes_on_on_another_server() {
    let servers = Servers::start();
    servers.registry.user_with_password("ann", PASSWORD);
    for (begun, decided, polled) in [(0, 1, 0), (0, 1, 1), (1, 0, 1)] {
        let codes = servers.begin(begun);
        servers.enter(decided, &codes, &allowed_by("ann")).expect(200);
        let token = servers.poll(polled, &codes).expect_json(200);
        let bearer = format!("Bearer {}", token["access_token"].as_str().unwrap());
        for server in [0, 1] {
            let client = servers.client(server).with("authorization", &bearer);
            assert_eq!(client.get("/api/v1/whoami").expect_json(200)["handle"], "ann");
            assert_eq!(
                device::error_of(servers.poll(server, &codes)),
                "invalid_grant",
                "a code is used once"
            );
        }
    }
    let codes = servers.begin(0);
    assert_eq!(device::error_of(servers.poll(0, &codes)), "authorization_pending");
    assert_eq!(device::error_of(servers.poll(1, &codes)), "slow_down", "polls count on all servers");
    let codes = servers.begin(0);
    servers.enter(1, &codes, &[("answer", "deny")]).expect(200);
    assert_eq!(device::error_of(servers.poll(0, &codes)), "access_denied");
}

#[test]
fn allowed_login_is_collected_by_one_of_two_servers() {
    let servers = Servers::start();
    servers.registry.user_with_password("ann", PASSWORD);
    for _ in 0..4 {
        let codes = servers.begin(0);
        servers.enter(1, &codes, &allowed_by("ann")).expect(200);
        let answers: Vec<_> = thread::scope(|scope| {
            let polls = [0, 1, 0, 1].map(|server| {
                let (servers, codes) = (&servers, &codes);
                scope.spawn(move || servers.poll(server, codes).status)
            });
            polls.into_iter().map(|poll| poll.join().unwrap()).collect()
        });
        assert_eq!(answers.iter().filter(|status| **status == 200).count(), 1, "{answers:?}");
        assert_eq!(answers.iter().filter(|status| **status == 400).count(), 3, "{answers:?}");
    }
}

#[test]
fn files_are_announced_sent_and_published_on_other_servers() {
    let servers = Servers::start();
    let admin = servers.registry.admin();
    let clients = [0, 1].map(|server| servers.client(server).as_user(&admin));
    let files = files("spread", "Hello.\n");
    let entries: Vec<_> = files.iter().map(|file| upload_to([&clients[0], &clients[1]], file)).collect();
    let answer = publish_to(&clients[0], "spread", &entries).expect_json(200);
    assert_eq!(answer["status"], "published");
    let version = "/api/v1/skills/global/spread/versions/1.0.0/files";
    assert_eq!(servers.registry.read(version)["items"].as_array().unwrap().len(), files.len());
    // A client that lost the answer asks again, and meets the other server.
    assert_eq!(publish_to(&clients[1], "spread", &entries).expect_json(200), answer);
    // Entries that the second server has announced and the first has got.
    let files = self::files("back", "Hello.\n");
    let entries: Vec<_> = files.iter().map(|file| upload_to([&clients[1], &clients[0]], file)).collect();
    publish_to(&clients[1], "back", &entries).expect(200);
}

#[test]
fn writes_of_a_person_count_on_all_servers_together() {
    let servers = Servers::with_config("[limits]\nwrites_per_minute = 2\n");
    let (ann, bob) = (servers.registry.user("ann"), servers.registry.user("bob"));
    let write = |server, user| {
        let client = servers.client(server).as_user(user);
        client.post_json("/api/v1/namespaces", &json!({"slug": "-"}))
    };
    for (server, left) in [(0, "1"), (1, "0")] {
        let response = write(server, &ann).expect(400);
        assert_eq!(response.require_header("ratelimit-remaining"), left);
    }
    for server in [0, 1] {
        let refused = write(server, &ann);
        refused.problem(429, "rate_limited");
        assert_eq!(refused.require_header("retry-after"), refused.require_header("ratelimit-reset"));
    }
    write(1, &bob).expect(400);
}

#[test]
fn guessed_codes_count_on_all_servers_together() {
    let servers = Servers::start();
    let guess = json!({"user_code": "BCDF-GHJK"});
    // One server alone would allow twenty a minute.
    let guesses = (0..40).map(|number| servers.enter(number % 2, &guess, &[]).status);
    let statuses: Vec<_> = guesses.collect();
    assert!(statuses.contains(&429) && statuses.starts_with(&[404; 20]), "{statuses:?}");
}
