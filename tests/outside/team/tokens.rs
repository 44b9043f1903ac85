//! `skillmirror token`: one's own at a registry, and those of all users in the data folder.

use crate::harness::{Home, Registry, User};

use super::at_home;

#[test]
fn created_token_is_alone_on_standard_output() {
    let registry = Registry::start();
    let (home, user) = at_home(&registry, "ann");
    let created = home.run(&["token", "create", "ci", "--scopes", "read,publish", "--expires", "30d"]).ok();
    let token = created.stdout.trim_end();
    assert!(token.starts_with("smt_") && created.stdout.lines().count() == 1, "{created:?}");
    assert!(!created.stderr.contains(token), "{created:?}");
    assert!(created.stderr.contains("(read, publish)"), "{created:?}");
    let ci = Home::new();
    ci.login(registry.base(), &user.with_token(token));
    assert_eq!(ci.json(&["whoami"])["handle"], "ann");
    ci.refusal("forbidden", &["namespace", "create", "acme"]);

    // No other command prints it.
    let listed = home.run(&["token", "list"]).ok().stdout;
    assert!(listed.contains("ci") && listed.contains("read,publish") && !listed.contains(token), "{listed}");
    let json = home.json(&["token", "list"]);
    assert!(!json.to_string().contains(token), "{json}");
    let id = json["items"][1]["id"].as_str().unwrap();
    let revoked = home.run(&["token", "revoke", id, "--yes"]).ok();
    assert!(revoked.stdout.starts_with(&format!("revoked token {id}, ")), "{revoked:?}");
    ci.refusal("unauthenticated", &["me"]);
    let json = home.json(&["token", "create", "other"]);
    assert!(json["token"].as_str().unwrap().starts_with("smt_"), "{json}");
}

#[test]
fn folder_options_and_handles_mean_the_data_folder() {
    let registry = Registry::start();
    let (home, ann) = at_home(&registry, "ann");
    let data = registry.data();
    let data = data.to_str().unwrap();
    // The login of ann does not matter: these work on the folder.
    let listed = home.run(&["token", "list", "--data", data]).ok().stdout;
    assert!(listed.contains("admin") && listed.contains("ann"), "{listed}");
    let listed = home.run(&["token", "list", "ann", "--data", data]).ok().stdout;
    assert!(!listed.contains("admin") && listed.contains("MADE WITH"), "{listed}");
    let in_environment = Home::new().with("SKILLMIRROR_DATA", data);
    assert!(in_environment.run(&["token", "list"]).ok().stdout.contains("admin"));

    let issued = home.run(&["token", "issue", "ann", "--name", "second", "--data", data]).ok().stdout;
    let second = User { handle: ann.handle.clone(), token: issued.trim_end().to_owned() };
    registry.wait_until_known(second);
    let id = home.json(&["token", "list"])["items"][1]["id"].as_str().unwrap().to_owned();
    let revoked = home.run(&["token", "revoke", &id, "--data", data]).ok().stdout;
    assert!(revoked.starts_with(&format!("revoked token {id} \"second\" of ann")), "{revoked}");

    let lost = Home::new().run(&["token", "list"]);
    assert!(lost.code == 1 && lost.stderr.contains("name its data folder: `--data data`"), "{lost:?}");
    let both = home.run(&["token", "list", "--data", data, "--registry", registry.base()]);
    assert!(both.code == 1 && both.stderr.contains("leave out one or the other"), "{both:?}");
}
