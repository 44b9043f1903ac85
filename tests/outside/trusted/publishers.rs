//! Who adds and removes trusted publishers, and what of it is recorded.

use serde_json::{Value, json};

use super::{Trusting, github};
use crate::harness::{PASSWORD, Registry, Skill, User};

const PATH: &str = "/api/v1/namespaces/tools/publishers";

fn terms() -> Value {
    json!({
        "skill": "hello", "issuer": "github", "repository": "acme/skills", "ownerId": "42",
        "workflow": "publish.yml", "password": PASSWORD,
    })
}

/// A person with a password and a token.
fn person(registry: &Registry, handle: &str) -> User {
    registry.user_with_password(handle, PASSWORD);
    let token = registry.issue(handle, &["--name", "test"]);
    registry.wait_until_known(User { handle: handle.to_owned(), token })
}

#[test]
fn publisher_is_added_listed_and_removed_with_the_password() {
    let world = Trusting::start();
    let registry = &world.registry;
    let ann = registry.as_user(&world.ann);
    for password in [Value::Null, json!("wrong password")] {
        let (status, code) = if password.is_null() { (400, "invalid_request") } else { (403, "forbidden") };
        let why = world.trust(&json!({"password": password})).detail(status, code);
        assert!(why.contains("`password`"), "{why}");
    }
    let browser = registry.sign_in("ann", PASSWORD);
    let mut without = terms();
    without.as_object_mut().unwrap().remove("password");
    // This session has just begun with the password.
    let added = browser.own.post_json(PATH, &without).expect_json(201);
    assert_eq!((&added["addedBy"], &added["slug"]), (&json!("ann"), &json!("hello")));
    assert_eq!(added["issuer"], super::GITHUB);
    world.trust(&json!({"repository": "acme/skills"})).detail(409, "conflict");
    let listed = ann.get(PATH).expect_json(200);
    assert_eq!(listed["items"], json!([added]));

    let id = added["id"].as_str().unwrap();
    let remove = |body: &Value| ann.post_json(&format!("{PATH}/{id}/remove"), body);
    remove(&json!({})).detail(400, "invalid_request");
    remove(&json!({"password": "wrong password"})).detail(403, "forbidden");
    remove(&json!({"password": PASSWORD})).expect(204);
    remove(&json!({"password": PASSWORD})).detail(404, "not_found");
    assert_eq!(ann.get(PATH).expect_json(200)["items"], json!([]));

    let audit = registry.command(["audit"]).ok().stdout;
    for words in [
        "added the trusted publisher",
        "publish.yml of acme/skills (owner 42) at https://token.actions.githubusercontent.com",
        &format!("removed the trusted publisher {id}"),
    ] {
        assert!(audit.contains(words), "{words}: {audit}");
    }
}

#[test]
fn admins_and_owners_manage_publishers_and_in_global_authors() {
    let world = Trusting::start();
    let registry = &world.registry;
    let [member, admin, stranger] = ["mem", "adm", "out"].map(|handle| person(registry, handle));
    registry.join("tools", &world.ann, &member, "member");
    registry.join("tools", &world.ann, &admin, "admin");
    for user in [&member, &stranger] {
        let why = registry.as_user(user).post_json(PATH, &terms()).detail(403, "forbidden");
        assert!(why.contains("admins and owners"), "{why}");
        registry.as_user(user).get(PATH).detail(403, "forbidden");
    }
    registry.as_user(&admin).post_json(PATH, &terms()).expect(201);
    registry.anonymous().get(PATH).detail(401, "unauthenticated");

    let moderator = registry.admin();
    registry.publish(Skill::named("hello")).by(&stranger).expect(201);
    let path = "/api/v1/namespaces/global/publishers";
    let why = registry.as_user(&stranger).post_json(path, &terms()).detail(403, "forbidden");
    assert!(why.contains("its author"), "nobody is the author of what waits: {why}");
    let reviews = registry.as_user(&moderator).get("/api/v1/namespaces/global/reviews").expect_json(200);
    let review = reviews["items"][0]["id"].as_str().unwrap();
    let approve = format!("/api/v1/namespaces/global/reviews/{review}/approve");
    registry.as_user(&moderator).post_json(&approve, &json!({})).expect(200);
    registry.as_user(&stranger).post_json(path, &terms()).expect(201);
    registry.as_user(&member).post_json(path, &terms()).detail(403, "forbidden");
    assert_eq!(registry.as_user(&member).get(path).expect_json(200)["items"], json!([]));
    assert_eq!(registry.as_user(&stranger).get(path).expect_json(200)["items"].as_array().unwrap().len(), 1);
    // What the job submits waits for a review, as what its person submits does.
    let token = world.issuer.token(&github(&json!({})));
    let what = json!({"namespace": "global", "slug": "hello"});
    let exchanged = world.exchange_for(&token, &what).expect_json(200);
    let job = User { handle: "out".into(), token: exchanged["token"].as_str().unwrap().to_owned() };
    let form = registry.publish(Skill::named("hello").text("Two.\n")).version("2.0.0");
    assert_eq!(form.by(&job).expect_json(201)["status"], "pending_review");
    let reviews = registry.as_user(&moderator).get("/api/v1/namespaces/global/reviews").expect_json(200);
    let review = reviews["items"][0]["id"].as_str().unwrap();
    let approve = format!("/api/v1/namespaces/global/reviews/{review}/approve");
    registry.as_user(&moderator).post_json(&approve, &json!({})).expect(200);
    let shown = registry.read("/api/v1/skills/global/hello/versions/2.0.0");
    assert_eq!(shown["provenance"]["repository"], "github.com/acme/skills");
}

#[test]
fn invalid_terms_are_refused_with_their_field() {
    let world = Trusting::start();
    for (changes, field) in [
        (json!({"issuer": "nobody"}), "issuer"),
        (json!({"repository": "skills"}), "repository"),
        (json!({"repository": "a b/c"}), "repository"),
        (json!({"ownerId": ""}), "ownerId"),
        (json!({"workflow": "<x>"}), "workflow"),
        (json!({"environment": ""}), "environment"),
        (json!({"skill": "A B"}), "skill"),
    ] {
        let why = world.trust(&changes).detail(400, "invalid_request");
        assert!(why.contains(&format!("`{field}`")) || why.contains(field), "{changes}: {why}");
    }
    let why = world.trust(&json!({"issuer": "nobody"})).detail(400, "invalid_request");
    assert!(why.contains("forge, github, gitlab"), "{why}");
}

#[test]
fn exchanges_of_a_client_are_limited() {
    let issuer = super::Issuer::new();
    let settings = format!("{}[limits]\nwrites_per_minute = 20\n", super::settings(&issuer));
    let world = Trusting::of(Registry::with_config(&settings), issuer);
    let statuses: Vec<u16> = (0..40).map(|_| world.exchange("x.y.z").status).collect();
    assert!(statuses.contains(&400) && statuses.contains(&429), "{statuses:?}");
}

#[test]
fn publication_by_a_job_is_in_the_audit_log_with_its_run() {
    let world = Trusting::start();
    world.trust(&json!({"repository": "quiet/tool"})).expect(201);
    world.publish(
        "1.0.0",
        &github(&json!({
            "repository_visibility": "private", "repository": "quiet/tool",
            "workflow_ref": "quiet/tool/.github/workflows/publish.yml@refs/heads/main",
        })),
    );
    let shown = world.registry.read("/api/v1/skills/tools/hello/versions/1.0.0");
    assert_eq!(shown.get("provenance"), None);
    let audit = world.registry.command(["audit"]).ok().stdout;
    for words in ["run 4242 of publish.yml in github.com/quiet/tool", super::issuer::COMMIT] {
        assert!(audit.contains(words), "{words}: {audit}");
    }
    // Nothing that others read names the private repository.
    for (path, bytes) in world.registry.tree_bytes() {
        assert!(!String::from_utf8_lossy(&bytes).contains("quiet/tool"), "{path}");
    }
}
