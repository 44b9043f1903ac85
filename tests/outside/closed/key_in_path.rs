//! A read key at the start of a path, for clients that send no header.

use super::{CLOSED, MARKER, new_key, nginx};
use crate::harness::{Client, Registry, Skill};

fn registry(more: &str) -> Registry {
    let registry = Registry::with_config(&format!("{CLOSED}{more}\n[log]\naccess = \"-\"\n"));
    let admin = registry.admin();
    registry.team(MARKER, &admin);
    registry.publish(Skill::named("hello").description(MARKER)).to(MARKER).by(&admin).expect(201);
    registry
}

/// The addresses of a skill, its index and its package, as `npx skills` and git ask for them.
fn addresses(key: &str) -> Vec<String> {
    [
        "/api/v1/skills",
        "/.well-known/agent-skills/index.json",
        "/hello/.well-known/agent-skills/index.json",
        "/hello.git/info/refs?service=git-upload-pack",
        "/hello/",
    ]
    .iter()
    .map(|path| match path.starts_with("/api") {
        true => format!("/~{key}{path}"),
        false => format!("/~{key}/{MARKER}{path}"),
    })
    .collect()
}

#[track_caller]
fn check(host: &Client, key: &str, is_taken: bool) {
    for path in addresses(key) {
        let response = host.get(&path);
        assert_eq!(response.status == 200, is_taken, "{path}: {response}");
    }
    let wrong = key.replacen("smr_1", "smr_2", 1);
    for path in addresses(&wrong) {
        assert!(matches!(host.get(&path).status, 401 | 303), "{path}");
    }
}

#[test]
fn key_in_a_path_is_taken_where_the_setting_allows_it() {
    let registry = registry("key_in_path = true");
    let key = new_key(&registry, "ci");
    check(&registry.anonymous(), &key, true);
    let alone = nginx(&registry, "alone", &[]);
    check(&alone.client(), &key, true);
    let url = registry.base();
    check(&nginx(&registry, "before", &["--origin", url]).client(), &key, true);
    let secret = key.rsplit('_').next().unwrap();
    for log in [registry.printed(), alone.access_log()] {
        assert!(!log.contains(secret), "{log}");
    }
}

#[test]
fn key_in_a_path_is_no_credential_by_default() {
    let registry = registry("");
    let key = new_key(&registry, "ci");
    check(&registry.anonymous(), &key, false);
    check(&nginx(&registry, "alone", &[]).client(), &key, false);
}
