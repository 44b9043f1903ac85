//! The credentials that admit to reads, and when they end.

use std::ffi::OsString;

use serde_json::json;

use super::{CLOSED, MARKER, closed, new_key, with_token};
use crate::harness::{Client, Git, PASSWORD, Registry, Shared, User, eventually, run};

static CLOSED_ONE: Shared<Registry> = Shared::new();

const SKILLS: &str = "/api/v1/skills";

#[track_caller]
fn assert_admitted(client: &Client) {
    for path in [SKILLS.to_owned(), format!("/{MARKER}/{MARKER}-skill/"), "/api/v1/mirror/head.json".into()] {
        let response = client.get(&path).expect(200);
        assert_eq!(response.require_header("cache-control"), "private, no-cache", "{path}");
        assert!(response.header_values("vary").contains("Authorization, Cookie"), "{response}");
    }
    let package = format!("/api/v1/skills/{MARKER}/{MARKER}-skill/versions/1.1.0/download");
    let response = client.get(&package).expect(200);
    assert_eq!(response.require_header("cache-control"), "private, max-age=31536000, immutable");
    // A document that was sent is validated, and not sent again.
    let tag = client.get(SKILLS).require_header("etag").to_owned();
    assert_eq!(client.with("if-none-match", &tag).get(SKILLS).status, 304);
    assert_eq!(client.get("/api/v1/skills/nobody/nothing").status, 404);
}

fn basic(client: &Client, name: &str, password: &str) -> Client {
    let sent = data_encoding::BASE64.encode(format!("{name}:{password}").as_bytes());
    client.with("authorization", &format!("Basic {sent}"))
}

#[test]
fn token_session_and_read_key_admit() {
    let registry = CLOSED_ONE.get(closed);
    let (client, key) = (registry.anonymous(), new_key(&registry, "all"));
    let token = registry.admin().token;
    for client in [
        with_token(&client, &token),
        with_token(&client, &key),
        basic(&client, &key, ""),
        basic(&client, &key, "x"),
        basic(&client, "x", &key),
        basic(&client, "x", &token),
    ] {
        assert_admitted(&client);
    }
    registry.user_with_password("sue", PASSWORD);
    assert_admitted(&registry.sign_in("sue", PASSWORD).bare);
}

#[test]
fn token_without_the_scope_read_is_403() {
    let registry = CLOSED_ONE.get(closed);
    let token = registry.issue("admin", &["--name", "only", "--scopes", "social"]);
    let user = registry.wait_until_known(User { handle: "admin".into(), token });
    let problem = registry.as_user(&user).get(SKILLS).problem(403, "forbidden");
    assert!(problem["detail"].as_str().unwrap().contains("`read`"), "{problem}");
}

#[test]
fn ended_credential_is_refused() {
    let registry = CLOSED_ONE.get(closed);
    let refused = |client: &Client| client.get(SKILLS).problem(401, "unauthenticated");
    // A token that its owner revokes ends at once.
    let zoe = registry.user("zoe");
    let client = registry.as_user(&zoe);
    client.get(SKILLS).expect(200);
    let id = client.get("/api/v1/auth/me").expect_json(200)["token"]["id"].clone();
    let id = id.as_str().map_or_else(|| id.to_string(), str::to_owned);
    let tokens = registry.issue("zoe", &["--name", "tokens", "--scopes", "tokens"]);
    let other = registry.wait_until_known(User { handle: "zoe".into(), token: tokens });
    registry.as_user(&other).delete(&format!("/api/v1/tokens/{id}")).expect(204);
    refused(&client);
    // So does a session.
    registry.user_with_password("kim", PASSWORD);
    let kim = registry.sign_in("kim", PASSWORD);
    kim.bare.get(SKILLS).expect(200);
    kim.own.post_json("/api/v1/auth/logout", &json!({})).expect(204);
    refused(&kim.bare);
    // A disabled account.
    let ian = registry.user("ian");
    registry.as_user(&ian).get(SKILLS).expect(200);
    registry.command(["user", "disable", "ian"]).ok();
    eventually("ian is refused", || (registry.as_user(&ian).get(SKILLS).status == 401).then_some(()));
    // A key whose record is gone.
    let client = with_token(&registry.anonymous(), &new_key(&registry, "gone"));
    client.get(SKILLS).expect(200);
    registry.command(["read-key", "revoke", "gone"]).ok();
    eventually("the key is refused", || (client.get(SKILLS).status == 401).then_some(()));
}

#[test]
fn changed_or_expired_read_key_is_refused() {
    let registry = CLOSED_ONE.get(closed);
    let key = new_key(&registry, "changed");
    let anonymous = registry.anonymous();
    for other in
        [format!("{key}a"), key[..key.len() - 1].into(), key.replacen("smr_1", "smr_2", 1), "smr_".into()]
    {
        with_token(&anonymous, &other).get(SKILLS).problem(401, "unauthenticated");
    }
    let short = registry.command(["read-key", "new", "short", "--expires", "1s"]).ok().stdout;
    let client = with_token(&anonymous, short.trim());
    eventually("it has expired", || (client.get(SKILLS).status == 401).then_some(()));
}

#[test]
fn read_key_writes_nothing() {
    let registry = CLOSED_ONE.get(closed);
    let client = with_token(&registry.anonymous(), &new_key(&registry, "reader"));
    client.get("/api/v1/auth/me").problem(403, "forbidden");
    client.request("PUT", &format!("/api/v1/skills/{MARKER}/{MARKER}-skill/star"), None).expect(405);
    client.post_json("/api/v1/namespaces", &json!({"slug": "mine"})).problem(403, "forbidden");
    // Browsers send Basic without being asked, so no write takes it.
    let client = basic(&registry.anonymous(), "x", &registry.admin().token);
    client.post_json("/api/v1/namespaces", &json!({"slug": "mine"})).problem(401, "unauthenticated");
}

#[test]
fn git_and_agents_read_with_a_key() {
    let registry = CLOSED_ONE.get(closed);
    let (key, git) = (new_key(&registry, "git"), Git::new());
    let base = registry.base().replace("http://", &format!("http://{key}:x@"));
    git.clone(&format!("{base}/{MARKER}/{MARKER}-skill.git"), "clone", &[]);
    assert!(git.files("clone").contains_key("SKILL.md"));
    git.clone(&format!("{base}/{MARKER}.git"), "all", &[]);
    assert!(git.files("all").contains_key("README.md"));
    assert_ne!(git.run(&["clone", &format!("{}/{MARKER}.git", registry.base()), "none"]).code, 0);
    let list = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}});
    let client = registry.anonymous().with("accept", "application/json, text/event-stream");
    client.post_json("/mcp", &list).expect(401);
    with_token(&client, &key).post_json("/mcp", &list).expect(200);
}

#[test]
fn snapshot_of_a_closed_registry_is_served_to_keys_only() {
    let mut registry = Registry::with_config(CLOSED);
    registry.stop();
    registry.command(["snapshot", "create", "--out", "all.tar.zst"]).ok();
    let served = registry.start_other(&["snapshot", "serve", "all.tar.zst", "--listen", "127.0.0.1:0"]);
    served.client().get(SKILLS).problem(401, "unauthenticated");
    served.client().get("/.well-known/registry.json").expect(200);
    let state = registry.folder().join("all.tar.zst.tree.state");
    assert!(state.is_dir(), "{state:?}");
    let arguments = ["read-key", "new", "local", "--public", "all.tar.zst.tree"].map(OsString::from);
    let key = run(registry.folder(), &arguments).ok().stdout;
    with_token(&served.client(), key.trim()).get(SKILLS).expect(200);
}
