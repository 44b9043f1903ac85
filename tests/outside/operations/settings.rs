//! Settings from the environment, and settings of a running server.

use std::io::{Read, Write};
use std::net::TcpStream;

use crate::harness::{Registry, eventually};

#[test]
fn variables_of_the_environment_are_settings() {
    let mut registry = Registry::configured("listen = \"127.0.0.1:1\"\n[limits]\nwrites_per_minute = 5\n");
    registry.start_with_variables(&[
        ("SKILLMIRROR_LISTEN", "127.0.0.1:0"),
        ("SKILLMIRROR_PUBLIC_URL", "https://skills.example.org"),
        ("SKILLMIRROR_LIMITS_WRITES_PER_MINUTE", "9"),
        ("SKILLMIRROR_MIRROR_GZIP", "false"),
        ("SKILLMIRROR_LIMITS_TRUSTED_PROXIES", "[\"10.0.0.0/8\"]"),
        ("SKILLMIRROR_NAMESPACES_CREATION", ""),
        // Kubernetes makes these for a service with this name.
        ("SKILLMIRROR_SERVICE_HOST", "10.0.0.1"),
        ("SKILLMIRROR_PORT_8080_TCP_ADDR", "10.0.0.1"),
    ]);
    assert!(
        registry.printed().contains("the public URL is https://skills.example.org"),
        "{}",
        registry.printed()
    );
    assert_eq!(limit(&registry), "9");
    assert_eq!(registry.tree_json("api/v1/mirror/settings.json")["gzip"], false);
}

#[test]
fn wrong_variable_is_named() {
    let registry = Registry::configured("");
    for (variable, value, says) in [
        ("SKILLMIRROR_LISTN", "1", "SKILLMIRROR_LISTN: there is no such setting"),
        (
            "SKILLMIRROR_LIMITS_FILES",
            "many",
            "SKILLMIRROR_LIMITS_FILES: \"many\" cannot be used here: write a whole number",
        ),
        ("SKILLMIRROR_LIMITS_FILES", "0", "SKILLMIRROR_LIMITS_FILES: "),
    ] {
        let output = registry.command_with_variable(["user", "list"], variable, value);
        assert_eq!(output.code, 1, "{output:?}");
        assert!(output.stderr.contains(says) && output.stderr.trim_end().lines().count() == 1, "{output:?}");
    }
}

/// The limit of writes that a write is told.
fn limit(registry: &Registry) -> String {
    let refused = registry.anonymous().post_json("/api/v1/auth/login", &serde_json::json!({}));
    refused.require_header("ratelimit-limit").to_owned()
}

#[test]
fn hangup_reads_the_settings_again() {
    let registry = Registry::with_config("[limits]\nwrites_per_minute = 50\n");
    assert_eq!(limit(&registry), "50");
    let later = "[limits]\nwrites_per_minute = 60\nconnections = 5\n[search]\nkeep = 1\n";
    registry.write("config.toml", later.as_bytes());
    registry.process().hang_up();
    eventually("the new limit holds", || (limit(&registry) == "60").then_some(()));
    let log = || std::fs::read_to_string(registry.folder().join("serve.log")).unwrap();
    assert!(log().contains("these changes need a restart"), "{}", log());
    assert!(log().contains("search, limits of connections"), "{}", log());
    // A mistake changes nothing.
    registry.write("config.toml", b"[limits]\nwrites_per_minut = 70\n");
    registry.process().hang_up();
    eventually("the mistake is logged", || log().contains("the settings stay as they are").then_some(()));
    assert!(log().contains("writes_per_minut"), "{}", log());
    assert_eq!(limit(&registry), "60");
}

#[test]
fn running_request_finishes_with_the_settings_that_it_began_with() {
    let registry = Registry::with_config("[limits]\nwrites_per_minute = 50\n");
    let body = br#"{"handle":"nobody","password":"wrong"}"#;
    let (first, rest) = body.split_at(10);
    let mut connection = TcpStream::connect(registry.base().trim_start_matches("http://")).unwrap();
    let header = format!(
        "POST /api/v1/auth/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n\
         Expect: 100-continue\r\nConnection: close\r\nContent-Length: {}\r\n\r\n",
        body.len()
    );
    connection.write_all(header.as_bytes()).unwrap();
    let mut started = [0; 25];
    connection.read_exact(&mut started).unwrap();
    assert_eq!(&started, b"HTTP/1.1 100 Continue\r\n\r\n");
    connection.write_all(first).unwrap();
    registry.write("config.toml", b"[limits]\nwrites_per_minute = 60\n");
    registry.process().hang_up();
    eventually("the new limit holds", || (limit(&registry) == "60").then_some(()));
    connection.write_all(rest).unwrap();
    let mut answer = String::new();
    connection.read_to_string(&mut answer).unwrap();
    assert!(answer.starts_with("HTTP/1.1 401 "), "{answer}");
    assert!(answer.contains("ratelimit-limit: 50\r\n"), "{answer}");
}
