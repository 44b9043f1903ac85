//! What an operator can do about lost tokens and disabled accounts.

use serde_json::json;

use crate::harness::{Home, Registry, assert_fields, eventually};

#[test]
fn token_list_shows_every_users_tokens() {
    let registry = Registry::start();
    let (ann, bob) = (registry.user("ann"), registry.user("bob"));
    let body = json!({"name": "ci", "scopes": ["read", "publish"], "expiresAt": "2999-01-31T12:00:00Z"});
    let made = registry.as_user(&ann).post_json("/api/v1/tokens", &body).expect_json(201);
    let output = registry.command(["token", "list"]).ok();
    for handle in ["admin", "ann", "bob"] {
        assert!(
            output.stdout.lines().any(|line| line.split_whitespace().nth(1) == Some(handle)),
            "{output:?}"
        );
    }
    let output = registry.command(["token", "list", "ann"]).ok();
    assert!(!output.stdout.contains("bob"), "{output:?}");
    let line = output.stdout.lines().find(|line| line.contains(" ci ")).expect("the new token");
    let cells: Vec<&str> = line.split_whitespace().collect();
    let prefix = made["prefix"].as_str().unwrap();
    assert_eq!(cells[..5], [made["id"].as_str().unwrap(), "ann", "ci", prefix, "read,publish"]);
    assert_eq!(cells[5..7], ["never", "2999-01-31T12:00:00Z"]);
    let secrets = [made["token"].as_str().unwrap(), &ann.token, &bob.token];
    assert!(secrets.iter().all(|secret| !output.printed().contains(secret)), "{output:?}");

    registry.as_user(&ann.with_token(secrets[0])).get("/api/v1/whoami").expect(200);
    eventually("the use is shown", || {
        let output = registry.command(["token", "list", "ann"]).ok();
        let line = output.stdout.lines().find(|line| line.contains(" ci "))?.to_owned();
        (!line.contains(" never ")).then_some(())
    });
    let refused = registry.command(["token", "list", "nobody"]);
    assert!(refused.code != 0 && refused.stderr.contains("no user `nobody`"), "{refused:?}");
}

#[test]
fn token_revoke_ends_any_token_and_its_descendants() {
    let registry = Registry::start();
    let ann = registry.user("ann");
    let made = registry.as_user(&ann).post_json("/api/v1/tokens", &json!({"name": "ci"})).expect_json(201);
    let ci = ann.with_token(made["token"].as_str().unwrap());
    let child = registry.as_user(&ci).post_json("/api/v1/tokens", &json!({"name": "child"})).expect_json(201);
    let child = ann.with_token(child["token"].as_str().unwrap());
    let id = made["id"].as_str().unwrap();
    let output = registry.command(["token", "revoke", id]).ok();
    assert!(
        output.stdout.contains("\"ci\" of ann") && output.stdout.contains("\"child\" of ann"),
        "{output:?}"
    );
    for ended in [&ci, &child] {
        eventually("the server knows", || {
            (registry.as_user(ended).get("/api/v1/whoami").status == 401).then_some(())
        });
    }
    registry.as_user(&ann).get("/api/v1/whoami").expect(200);
    assert_eq!(registry.command(["token", "revoke", id]).code, 1, "it is revoked already");
    let audit = registry.command(["audit", "--user", "ann"]).ok();
    assert!(
        audit.stdout.contains(&format!("the operator revoked the token {id} \"ci\" of ann")),
        "{audit:?}"
    );
}

#[test]
fn user_enable_undoes_user_disable() {
    let registry = Registry::start();
    let ann = registry.user("ann");
    let status = || registry.as_user(&ann).get("/api/v1/whoami").status;
    registry.command(["user", "disable", "ann"]).ok();
    eventually("ann is disabled", || (status() == 401).then_some(()));
    assert!(registry.command(["user", "enable", "ann"]).ok().stdout.starts_with("enabled user ann"));
    eventually("ann is enabled", || (status() == 200).then_some(()));
    let again = registry.command(["user", "enable", "ann"]).ok();
    assert!(again.stdout.contains("was not disabled"), "{again:?}");
    assert_eq!(registry.command(["user", "enable", "nobody"]).code, 1);
    let audit = registry.command(["audit", "--user", "ann"]).ok();
    assert!(audit.stdout.contains("enabled the account ann"), "{audit:?}");
    registry.issue("ann", &["--name", "another"]);
}

#[test]
fn logout_with_revoke_ends_the_token_at_the_registry() {
    let registry = Registry::start();
    let ann = registry.user("ann");
    let body = json!({"name": "laptop", "scopes": ["publish"]});
    let made = registry.as_user(&ann).post_json("/api/v1/tokens", &body).expect_json(201);
    let laptop = ann.with_token(made["token"].as_str().unwrap());
    let home = Home::new();
    home.login(registry.base(), &laptop);
    let output = home.run(&["logout", "--revoke"]).ok();
    assert!(output.stdout.contains("the token is revoked"), "{output:?}");
    registry.as_user(&laptop).get("/api/v1/whoami").problem(401, "unauthenticated");
    home.refusal("no_registry", &["whoami"]);

    // A token that was revoked elsewhere is forgotten like any other.
    home.login(registry.base(), &ann);
    registry.as_user(&ann).get("/api/v1/tokens").expect(200);
    let id = registry.as_user(&ann).get("/api/v1/auth/me").json()["token"]["id"].as_str().unwrap().to_owned();
    registry.as_user(&ann).delete(&format!("/api/v1/tokens/{id}")).expect(204);
    home.run(&["logout", "--revoke"]).ok();
}

#[test]
fn platform_admins_see_all_accounts() {
    let registry = Registry::start();
    let (ann, _) = (registry.user("ann"), registry.user("bob"));
    registry.command(["user", "disable", "bob"]).ok();
    registry.as_user(&ann).get("/api/v1/users").problem(403, "forbidden");
    let list = eventually("the change is known", || {
        let list = registry.as_user(&registry.admin()).get("/api/v1/users").expect_json(200);
        (list["items"][2]["disabled"] == true).then_some(list)
    });
    let items = list["items"].as_array().unwrap();
    let handles: Vec<_> = items.iter().map(|user| user["handle"].as_str().unwrap()).collect();
    assert_eq!(handles, ["admin", "ann", "bob"]);
    assert_eq!((&items[0]["role"], &items[1]["disabled"]), (&json!("admin"), &json!(false)));
    assert_fields(&items[1], "handle displayName role disabled createdAt");
}
