//! What the commands refuse, and how they say it.

use crate::harness::{Home, Registry, Shared, Skill, User, folder_address};

use super::{at_home, pending, publish};

static RUNNING: Shared<Registry> = Shared::new();

/// Every command that asks a server, without the options of all.
const COMMANDS: &[&[&str]] = &[
    &["me"],
    &["namespace", "create", "acme"],
    &["namespace", "set", "acme", "--description", "x"],
    &["namespace", "members", "acme"],
    &["member", "add", "acme", "bob"],
    &["member", "role", "acme", "bob", "admin"],
    &["member", "remove", "acme", "bob", "--yes"],
    &["member", "leave", "acme", "--yes"],
    &["member", "invite", "acme", "bob"],
    &["member", "invitations"],
    &["member", "accept", "acme"],
    &["member", "decline", "acme"],
    &["member", "withdraw", "acme", "bob"],
    &["review", "list", "acme"],
    &["review", "show", "acme", "7"],
    &["review", "diff", "acme", "7"],
    &["review", "approve", "acme", "7"],
    &["review", "reject", "acme", "7", "--comment", "x"],
    &["review", "withdraw", "acme", "7"],
    &["yank", "hello@1.0.0"],
    &["unyank", "hello@1.0.0"],
    &["tag", "set", "hello@1.0.0", "stable"],
    &["tag", "remove", "hello", "stable"],
    &["tag", "list", "hello"],
    &["delete", "hello", "--yes"],
    &["restore", "hello"],
    &["transfer", "offer", "hello", "bob", "--yes"],
    &["transfer", "accept", "hello"],
    &["transfer", "withdraw", "hello"],
    &["transfer", "list"],
    &["promote", "@acme/hello"],
    &["star", "hello"],
    &["unstar", "hello"],
    &["rate", "hello", "5"],
    &["token", "list"],
    &["token", "create", "ci"],
    &["token", "revoke", "7", "--yes"],
];

#[test]
fn commands_without_a_login_say_how_to_log_in() {
    let registry = RUNNING.get(Registry::start);
    let home = Home::new();
    for words in COMMANDS {
        let why = home.refusal("no_login", &[words, &["--registry", registry.base()][..]].concat());
        assert!(why.contains("skillmirror login --registry"), "{words:?}: {why}");
        home.refusal("no_registry", words);
    }
}

#[test]
fn commands_on_a_folder_name_the_server_as_the_remedy() {
    let registry = RUNNING.get(Registry::start);
    let home = Home::new();
    let folder = folder_address(&registry.public());
    for words in COMMANDS {
        let why = home.refusal("unsupported", &[words, &["--registry", &folder][..]].concat());
        assert!(why.contains("Name the server with --registry"), "{words:?}: {why}");
    }
    // The list of namespaces is a file.
    let listed = home.json(&["namespace", "list", "--registry", &folder]);
    assert!(listed["items"].as_array().unwrap().iter().any(|namespace| namespace["slug"] == "global"));
}

#[test]
fn hard_changes_without_a_terminal_need_yes() {
    let registry = RUNNING.get(Registry::start);
    let (home, user) = at_home(&registry, "careful");
    registry.team("careful", &user);
    registry.versions("careful/hello", &["1.0.0"], &user);
    let before = registry.read("/api/v1/skills/careful/hello");
    for words in [
        &["delete", "@careful/hello"][..],
        &["transfer", "offer", "@careful/hello", "ann"],
        &["namespace", "set", "careful", "--status", "archived"],
        &["namespace", "set", "careful", "--status", "frozen"],
        &["member", "leave", "careful"],
        &["member", "remove", "careful", "careful"],
        &["token", "revoke", "1"],
    ] {
        let why = home.refusal("not_confirmed", words);
        assert!(why.contains("Use --yes if you mean it"), "{words:?}: {why}");
    }
    assert_eq!(registry.read("/api/v1/skills/careful/hello"), before);
    assert_eq!(registry.read("/api/v1/namespaces/careful")["status"], "active");
}

#[test]
fn refusals_of_the_registry_are_shown_as_it_says_them() {
    let registry = RUNNING.get(Registry::start);
    let ((own, owner), (other, stranger)) = (at_home(&registry, "own"), at_home(&registry, "other"));
    registry.reviewing_team("refusing", &owner);
    registry.join("refusing", &owner, &stranger, "member");
    publish(&other, &Skill::named("hello"), "refusing", "1.0.0");
    let id = pending(&own, "refusing");

    let why = other.refusal("forbidden", &["review", "list", "refusing"]);
    assert!(why.starts_with("Not allowed: the reviews of "), "{why}");
    other.refusal("forbidden", &["review", "approve", "refusing", &id]);
    own.refusal("not_found", &["review", "show", "refusing", "999999"]);
    own.run(&["review", "approve", "refusing", &id]).ok();
    let why = own.refusal("conflict", &["review", "reject", "refusing", &id, "--comment", "Too late."]);
    assert!(why.contains("approved already"), "{why}");

    let why = own.refusal("forbidden", &["member", "add", "refusing", "admin", "--role", "owner"]);
    let invite =
        |handle| format!("An owner invites them with `skillmirror member invite refusing {handle}`.");
    assert!(why.contains("have to accept") && why.contains(&invite("admin")), "{why}");
    let why = own.refusal("forbidden", &["member", "role", "refusing", "other", "owner"]);
    assert!(why.contains(&invite("other")) && !why.contains("/api/"), "{why}");
    let disabled = publish_of_disabled(&registry, &owner);
    let why = own.refusal("conflict", &["review", "approve", "refusing", &disabled]);
    assert!(why.ends_with("The option for that is --accept-disabled."), "{why}");
    own.refusal("conflict", &["member", "add", "refusing", "other"]);
    own.refusal("conflict", &["namespace", "create", "refusing"]);
    own.refusal("not_found", &["yank", "@refusing/hello@9.0.0"]);
    own.refusal("conflict", &["tag", "set", "@refusing/hello@1.0.0", "latest"]);
    other.refusal("forbidden", &["rate", "@refusing/hello", "5"]);
    other.refusal("not_found", &["transfer", "accept", "@refusing/hello"]);
    let why = own.refusal("not_found", &["promote", "@refusing/nothing"]);
    assert!(why.contains("no skill @refusing/nothing") && !why.contains("/api/"), "{why}");
    let why = own.refusal("not_found", &["promote", "@refusing/hello@9.0.0"]);
    assert!(why.contains("`skillmirror info @refusing/hello`"), "{why}");
    let why = own.refusal("unsupported", &["promote", "hello"]);
    assert!(why.contains("name a skill of a team"), "{why}");
    own.refusal("not_found", &["token", "revoke", "999999", "--yes"]);
}

/// A submission of somebody whose account was disabled afterwards.
fn publish_of_disabled(registry: &Registry, owner: &User) -> String {
    let gone = registry.user("gone");
    registry.join("refusing", owner, &gone, "member");
    let receipt = registry.submit("refusing/late", "1.0.0", &gone);
    registry.command(["user", "disable", "gone"]).ok();
    receipt["reviewId"].as_str().unwrap().to_owned()
}

#[test]
fn wrong_arguments_are_usage_errors_that_name_the_remedy() {
    let home = Home::new();
    for (words, remedy) in [
        (&["review", "reject", "acme", "7"][..], "--comment <TEXT>"),
        (&["review", "show", "acme", "seven"], "decimal number"),
        (&["review", "list", "acme", "--status", "odd"], "withdrawn"),
        (&["yank", "hello"], "name one version with all three numbers"),
        (&["yank", "hello@stable"], "name one version with all three numbers"),
        (&["delete", "hello@1.0.0"], "leave out the version"),
        (&["rate", "hello", "6"], "1..=5"),
        (&["namespace", "set", "acme"], "--status <STATUS>"),
        (&["namespace", "set", "acme", "--status", "closed"], "active, frozen, archived"),
        (&["namespace", "create", "Acme!"], "a-z"),
        (&["member", "add", "acme", "bob", "--role", "boss"], "member, admin, owner"),
        (&["tag", "set", "hello@1.0.0", "1.2"], "tag"),
        (&["token", "create", "ci", "--scopes", "all"], "publish"),
        (&["token", "create", "ci", "--expires", "soon"], "like 30d"),
        (&["namespace", "list", "--size", "101"], "1..=100"),
    ] {
        let output = home.run(words);
        assert!(output.code == 2 && output.stdout.is_empty(), "{words:?}: {output:?}");
        assert!(output.stderr.contains(remedy), "{words:?}: no {remedy:?} in {}", output.stderr);
    }
}
