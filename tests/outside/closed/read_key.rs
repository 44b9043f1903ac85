//! `skillmirror read-key`.

use serde_json::Value;

use super::{CLOSED, closed, new_key};
use crate::harness::{Registry, Shared, tree};

static CLOSED_ONE: Shared<Registry> = Shared::new();

#[test]
fn read_key_is_listed_without_its_text() {
    let registry = CLOSED_ONE.get(closed);
    let key = new_key(&registry, "ci");
    assert!(key.starts_with("smr_") && !key.contains(char::is_whitespace), "{key}");
    let listed = registry.command(["read-key", "list", "--json"]).ok().stdout;
    let list: Value = serde_json::from_str(&listed).unwrap();
    let found = list["items"].as_array().unwrap().iter().find(|item| item["name"] == "ci").unwrap();
    assert!(key.contains(found["id"].as_str().unwrap()), "{found}");
    let secret = key.rsplit('_').next().unwrap();
    assert!(!listed.contains(secret));
    for (path, bytes) in registry.tree_bytes() {
        assert!(!String::from_utf8_lossy(&bytes).contains(found["id"].as_str().unwrap()), "{path}");
    }
    let state = registry.public().with_extension("state");
    for (path, bytes) in tree::contents(&state) {
        assert!(!String::from_utf8_lossy(&bytes).contains(secret), "{path}");
    }
    assert!(!registry.printed().contains(secret));
}

#[test]
fn wrong_arguments_of_read_key_say_what_to_do() {
    let registry = CLOSED_ONE.get(closed);
    new_key(&registry, "twice");
    for (arguments, expected) in [
        (&["new", "twice"][..], "choose another name"),
        (&["new", ""], "1 to 100 characters"),
        (&["new", "x", "--expires", "0d"], "like 30d"),
        (&["new", "x", "--expires", "99999d"], "at most 3660d"),
        (&["revoke", "nobody"], "read-key list"),
    ] {
        let output = registry.command([&["read-key"], arguments].concat());
        assert_ne!(output.code, 0, "{output:?}");
        assert!(output.stderr.contains(expected), "{output:?}");
    }
}

#[test]
fn read_key_of_an_open_registry_is_made_with_a_note() {
    let mut registry = Registry::with_config("");
    registry.stop();
    let made = registry.command(["read-key", "new", "early"]).ok();
    assert!(made.stderr.contains("require = \"token\""), "{made:?}");
    registry.write("config.toml", CLOSED.as_bytes());
    registry.restart();
    let key = made.stdout.trim();
    registry.anonymous().with("authorization", &format!("Bearer {key}")).get("/api/v1/skills").expect(200);
}

#[test]
fn hosts_that_cannot_check_keys_are_refused() {
    let registry = CLOSED_ONE.get(closed);
    for host in ["apache", "s3", "pages"] {
        let output = registry.command(["hosts", host, "--out", "made"]);
        assert_ne!(output.code, 0, "{output:?}");
        assert!(output.stderr.contains("docs/private.md"), "{output:?}");
    }
}
