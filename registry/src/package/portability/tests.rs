use serde_json::json;

use super::*;
use crate::names::Digest;

fn files(paths: &[&str], size: u64) -> Vec<FileRecord> {
    let record = |path: &&str| FileRecord {
        path: (*path).to_owned(),
        size,
        sha256: Digest::of(b""),
        content_type: "text/markdown".to_owned(),
        executable: false,
    };
    paths.iter().map(record).collect()
}

/// The names of the clients that refuse a package of these files.
fn refused_with(front_matter: &Value, files: &[FileRecord]) -> Vec<&'static str> {
    let slug = "hello".parse().unwrap();
    let package = Portable { front_matter: front_matter.as_object().unwrap(), files, slug: &slug };
    let by_refusal: Vec<_> = package.refusals().map(|(client, _)| client.name).collect();
    for obstacle in package.obstacles() {
        assert!(obstacle.clients.iter().all(|client| by_refusal.contains(&client.name)), "{obstacle:?}");
        assert!(!obstacle.clients.is_empty() && !obstacle.remedy.is_empty());
    }
    by_refusal
}

fn refused(front_matter: &Value) -> Vec<&'static str> {
    refused_with(front_matter, &files(&["SKILL.md"], 10))
}

const SPECIFICATION: &str = "Agent Skills specification";
const APPS: &str = "Claude apps and Skills API";

#[test]
fn conforming_package_loads_in_all_clients() {
    for good in [
        json!({"name": "hello", "description": "Greets."}),
        json!({"name": "hello", "description": "x".repeat(1024), "license": "MIT", "allowed-tools": "Read Bash",
            "compatibility": "y".repeat(500), "metadata": {"version": "1.0.0", "keywords": "a, b"}}),
    ] {
        assert_eq!(refused(&good), [""; 0], "{good}");
    }
}

#[test]
fn rule_of_a_client_refuses_what_breaks_it() {
    let with = |key: &str, value: Value| {
        let mut front_matter = json!({"name": "hello", "description": "Greets."});
        front_matter[key] = value;
        front_matter
    };
    for (front_matter, by) in [
        (with("version", json!("1.0.0")), vec![SPECIFICATION, APPS]),
        (with("name", json!("team--hello")), vec![SPECIFICATION, APPS, "MCP clients"]),
        (with("name", json!("other")), vec![SPECIFICATION]),
        (with("name", json!("claude-hello")), vec![SPECIFICATION, APPS]),
        (with("description", json!("Writes <b>bold</b>.")), vec![APPS]),
        (with("description", json!("Knows that 1 < 2.")), vec![]),
        (with("compatibility", json!("y".repeat(501))), vec![SPECIFICATION, APPS, "MCP clients"]),
        (with("allowed-tools", json!(["Read"])), vec![SPECIFICATION, "MCP clients"]),
        (with("metadata", json!({"version": 1.0})), vec![SPECIFICATION, "MCP clients"]),
        (with("metadata", json!("x")), vec![SPECIFICATION, "MCP clients"]),
    ] {
        assert_eq!(refused(&front_matter), by, "{front_matter}");
    }
    let unnamed = refused(&json!({"description": "Greets."}));
    assert_eq!(unnamed.len(), 7, "{unnamed:?}");
}

#[test]
fn files_of_a_package_count() {
    let good = json!({"name": "hello", "description": "Greets."});
    assert_eq!(refused_with(&good, &files(&["skill.md"], 1)).len(), CLIENTS.len());
    assert_eq!(refused_with(&good, &files(&["SKILL.md"], 17 << 20)), ["MCP clients"]);
    assert_eq!(
        refused_with(&good, &files(&["SKILL.md", "a"], 26 << 20)),
        [APPS, "npx skills", "MCP clients"]
    );
    assert_eq!(refused_with(&good, &files(&["SKILL.md"; 513], 1)), ["MCP clients"]);
}

#[test]
fn obstacle_says_the_remedy() {
    let front_matter =
        json!({"name": "hello", "description": "Greets.", "version": "1.0.0", "metadata": {"n": 1}});
    let (slug, files) = ("hello".parse().unwrap(), files(&["SKILL.md"], 1));
    let package = Portable { front_matter: front_matter.as_object().unwrap(), files: &files, slug: &slug };
    let found = package.obstacles();
    let texts: Vec<_> =
        found.iter().map(|found| (found.key.as_deref().unwrap(), found.remedy.as_str())).collect();
    assert_eq!(
        texts,
        [
            ("version", "move it to `metadata.version`, unless a client needs it where it is"),
            ("metadata.n", "put it into quotes: `metadata.n: \"1\"`"),
        ]
    );
}

#[test]
fn thousands_of_keys_are_told_in_a_few_words() {
    let keys = (0..5_000).map(|key| (format!("k{key}"), json!(1)));
    let front_matter: serde_json::Map<String, Value> = keys.collect();
    let (slug, files) = ("hello".parse().unwrap(), files(&["SKILL.md"], 10));
    let package = Portable { front_matter: &front_matter, files: &files, slug: &slug };
    assert!(package.obstacles().len() < 50);
    assert!(package.refusals().all(|(_, why)| why.len() < 2_000));
}
