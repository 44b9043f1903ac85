//! The commands for the day of a team: namespaces, members, reviews, versions, tokens.

mod answers;
mod hostile;
mod refusals;
mod story;
mod terminal;
mod tokens;
mod waiting;

use crate::harness::{Home, Registry, Skill, User};

/// A person at home with their login.
fn at_home(registry: &Registry, handle: &str) -> (Home, User) {
    let user = registry.user(handle);
    let home = Home::new();
    home.login(registry.base(), &user);
    (home, user)
}

/// Writes a skill into the home folder and publishes it. Returns what the command printed.
#[track_caller]
fn publish(home: &Home, skill: &Skill, namespace: &str, version: &str) -> String {
    skill.write_to(&home.folder().join("work"));
    home.run(&["publish", "work", "--namespace", namespace, "--version", version]).ok().stdout
}

/// The id of the only pending submission of a namespace.
#[track_caller]
fn pending(home: &Home, namespace: &str) -> String {
    let waiting = home.json(&["review", "list", namespace]);
    assert_eq!(waiting["total"], 1, "{waiting}");
    waiting["items"][0]["id"].as_str().expect("an id").to_owned()
}
