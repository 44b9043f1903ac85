//! Registries that answer reads only with a credential, and where that credential goes.

mod boundaries;
mod forms;

use std::fs;
use std::sync::Arc;

use serde_json::json;

use crate::harness::{CommandOutput, FakeHost, ReceivedRequest, Registry, Reply, Shared, Skill, User};

static TREE: Shared<Registry> = Shared::new();

/// A token that must never be printed.
const SECRET: &str = "smt_of_the_reader";
const BEARER: &str = "Bearer smt_of_the_reader";
/// `Basic ann:open sesame`.
const BASIC: &str = "Basic YW5uOm9wZW4gc2VzYW1l";
const SECRETS: [&str; 4] = [SECRET, "open sesame", "YW5uOm9wZW4gc2VzYW1l", "value-of-cf"];

fn tree() -> Arc<Registry> {
    TREE.get(|| {
        let registry = Registry::start();
        registry.publish(Skill::named("hello")).by(&registry.admin()).expect(201);
        registry
    })
}

fn file(tree: &Registry, asked: &ReceivedRequest) -> Reply {
    let path = asked.path.split('?').next().unwrap().trim_start_matches('/');
    match fs::read(tree.public().join(path)) {
        Ok(bytes) => Reply::bytes(bytes),
        Err(_) if path == "api/v1/whoami" => {
            Reply::json(&json!({"handle": "ann", "displayName": "Ann", "role": "user"}))
        }
        Err(_) => Reply::status(404),
    }
}

/// A host with a tree that answers only requests with one of these headers.
fn closed(header: &'static str, values: &'static [&'static str]) -> FakeHost {
    let tree = tree();
    FakeHost::answering(move |asked| match asked.header(header) {
        Some(value) if values.contains(&value) => file(&tree, asked),
        _ => Reply::status(401).header("WWW-Authenticate", "Bearer"),
    })
}

/// How many requests had the header, and how many had not.
fn counts(host: &FakeHost, header: &str) -> (usize, usize) {
    let asked = host.asked();
    let with = asked.iter().filter(|asked| asked.header(header).is_some()).count();
    (with, asked.len() - with)
}

fn without_secrets(output: CommandOutput) -> CommandOutput {
    for secret in SECRETS {
        assert!(!output.printed().contains(secret), "{output:?}");
    }
    output
}

fn user(token: &str) -> User {
    User { handle: "ann".to_owned(), token: token.to_owned() }
}
