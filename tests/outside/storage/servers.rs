//! Several servers of one registry: a journal in a database, packages in one folder, and a tree each.

use std::path::PathBuf;

use serde_json::json;

use crate::harness::{Client, PASSWORD, Registry, ServerProcess, Skill, User, eventually, tree};

/// A registry, and a second server of it that keeps a tree of its own in the returned folder.
pub(super) fn two_servers() -> (Registry, ServerProcess, PathBuf) {
    two_servers_with("")
}

/// Two servers with these settings.
pub(super) fn two_servers_with(toml: &str) -> (Registry, ServerProcess, PathBuf) {
    let mut registry = Registry::in_database();
    let config = registry.write("servers.toml", toml.as_bytes()).to_str().unwrap().to_owned();
    registry.start_with(&["--config", &config]);
    let public = registry.folder().join("second");
    let [data, second] = [registry.data(), public.clone()].map(|path| path.to_str().unwrap().to_owned());
    let arguments =
        ["serve", "--listen", "127.0.0.1:0", "--config", &config, "--data", &data, "--public", &second];
    let server = registry.start_other(&arguments);
    (registry, server, public)
}

#[test]
fn client_that_names_its_revision_reads_its_write_on_another_server() {
    let (registry, second, public) = two_servers();
    let admin = registry.admin();
    let ends = [registry.anonymous(), second.client()];
    for number in 0..8_usize {
        let (here, there) = (&ends[number % 2], &ends[(number + 1) % 2]);
        let slug = format!("skill-{number}");
        let publish = registry.publish(Skill::named(&slug));
        let made = publish.try_through(&here.without_waiting().as_user(&admin)).unwrap().expect(201);
        let there = there.with("x-min-revision", made.require_header("x-revision"));
        // The documents of the skill, its page, and a list. A slow server says that it is behind.
        eventually("it has the revision", || (there.get("/api/v1/skills").status != 503).then_some(()));
        there.get(&format!("/api/v1/skills/global/{slug}")).expect(200);
        there.get(&format!("/global/{slug}/")).expect(200);
        assert_eq!(there.get("/api/v1/skills").expect_json(200)["total"], number + 1);
    }
    // Something that is not public: a token is known at once, too.
    let made = ends[0].as_user(&admin).post_json("/api/v1/tokens", &json!({ "name": "other" })).expect(201);
    let token = made.json()["token"].as_str().unwrap().to_owned();
    let other = User { handle: "admin".into(), token };
    let there = ends[1].as_user(&other).with("x-min-revision", made.require_header("x-revision"));
    there.get("/api/v1/whoami").expect(200);
    // Both trees are the same in the end, and what one process would make of the rows.
    let settled = |end: &Client| {
        let ready = end.get("/readyz").expect_json(200);
        (ready["mirrorRevision"] == ready["revision"]).then(|| ready["revision"].clone())
    };
    eventually("both trees have all", || (settled(&ends[0])? == settled(&ends[1])?).then_some(()));
    tree::assert_equal(&registry.tree_bytes(), &tree::contents(&public));
    drop(second);
    registry.command(["verify"]).ok();
}

#[test]
fn revision_that_a_server_does_not_have_is_refused_for_a_while() {
    let registry = Registry::start();
    let with = |value: &str| registry.anonymous().with("x-min-revision", value);
    with("1").get("/api/v1/skills").expect(200);
    let refused = with("1000000").get("/api/v1/skills");
    refused.problem(503, "unavailable");
    assert_eq!(refused.require_header("retry-after"), "1");
    for wrong in ["soon", "-1", "1, 2", ""] {
        with(wrong).get("/api/v1/skills").problem(400, "invalid_request");
    }
    with("1").with("x-min-revision", "1").get("/api/v1/skills").problem(400, "invalid_request");
}

#[test]
fn failed_logins_count_on_all_servers_together() {
    let (registry, second, _) = two_servers();
    registry.user_with_password("ann", PASSWORD);
    let ends = [registry.anonymous(), second.client()];
    for number in 0..10 {
        ends[number % 2].log_in("ann", &format!("wrong password {number}")).problem(401, "unauthenticated");
    }
    for end in &ends {
        end.log_in("ann", PASSWORD).problem(429, "rate_limited");
    }
}

#[test]
fn killed_server_leaves_its_tree_to_another() {
    let mut registry = Registry::in_database();
    registry.restart();
    let admin = registry.admin();
    registry.publish(Skill::named("first")).by(&admin).expect(201);
    let second = registry.start_second(&[]);
    registry.kill();
    let publish = registry.publish(Skill::named("second"));
    publish.try_through(&second.client().as_user(&admin)).unwrap().expect(201);
    eventually("the second server has written it", || {
        let ready = second.client().get("/readyz");
        let is_there = ready.status == 200 && ready.json()["mirrorRevision"] == ready.json()["revision"];
        is_there.then_some(())
    });
    drop(second);
    registry.command(["verify"]).ok();
}
