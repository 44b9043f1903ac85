//! Private namespaces: registries of their own below `/-/`, which nothing tells outsiders of.

mod addresses;
mod creation;
mod ended;
mod members;
mod operator;
mod our_client;
mod processes;
mod public_side;
mod unusable;
mod world;

use serde_json::json;

use crate::harness::{Client, Registry, Response, Skill, User};

const CONFIG: &str = "[mirror]\ngit = true\n[metrics]\nlisten = 0\n";

/// The private namespace, and a word that is in every text in it.
const MARKER: &str = "zebrafish";

/// A name that no namespace has. It is as long as the marker, so that answers can have the same length.
const NOTHING: &str = "starlight";

/// A client of a private namespace, without a credential.
fn inside(registry: &Registry, name: &str) -> Client {
    Client::of(&format!("{}/-/{name}", registry.base()))
}

/// The namespace of the marker, as a user asks for it.
fn marked(registry: &Registry, user: &User) -> Client {
    inside(registry, MARKER).as_user(user)
}

/// Creates a private namespace as the platform admin.
fn create(registry: &Registry, name: &str, owner: &User) -> Response {
    let body = json!({"slug": name, "private": true, "owner": owner.handle});
    registry.as_user(&registry.admin()).post_json("/api/v1/namespaces", &body)
}

/// A running registry in which `ann` owns the namespace of the marker.
#[track_caller]
fn registry_of_ann() -> (Registry, User) {
    let registry = Registry::with_config(CONFIG);
    let ann = registry.user("ann");
    create(&registry, MARKER, &ann).expect(201);
    (registry, ann)
}

#[track_caller]
fn add_member(registry: &Registry, owner: &User, handle: &str) {
    let member = json!({"userId": handle, "role": "member"});
    let path = format!("/api/v1/namespaces/{MARKER}/members");
    marked(registry, owner).post_json(&path, &member).expect(201);
}

/// Publishes a version of a skill whose texts have the marker.
#[track_caller]
fn publish(registry: &Registry, by: &User, slug: &str, version: &str) -> Response {
    let skill = Skill::named(slug)
        .description(&format!("Counts {MARKER}."))
        .text(&format!("The {version} of the {MARKER}.\n"))
        .file(&format!("{MARKER}.txt"), MARKER);
    let form = registry.publish(skill).to(MARKER).version(version);
    form.changelog(&format!("More {MARKER}.")).try_through(&marked(registry, by)).unwrap()
}

/// A new read key of a private namespace.
#[track_caller]
fn new_key(registry: &Registry, namespace: &str) -> String {
    registry.command(["read-key", "new", "ci", "--private", namespace]).ok().stdout.trim().to_owned()
}

fn with_token(client: &Client, token: &str) -> Client {
    client.with("authorization", &format!("Bearer {token}"))
}

fn skill() -> String {
    format!("/api/v1/skills/{MARKER}/{MARKER}-skill")
}
