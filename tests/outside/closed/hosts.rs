//! nginx in front of a closed registry, with its server and without.

use serde_json::json;

use super::{MARKER, closed, new_key, nginx, with_token};
use crate::harness::{Git, eventually};

const SKILLS: &str = "/api/v1/skills";

#[test]
fn nginx_alone_takes_keys() {
    let mut registry = closed();
    let (key, other, token) = (new_key(&registry, "one"), new_key(&registry, "two"), registry.admin().token);
    registry.stop();
    let host = nginx(&registry, "alone", &[]);
    let (client, git) = (host.client(), Git::new());
    let package = format!("/api/v1/skills/{MARKER}/{MARKER}-skill/versions/1.1.0/download");
    for (path, cache) in [
        (SKILLS.to_owned(), "private, no-cache"),
        (format!("/{MARKER}/{MARKER}-skill/"), "private, no-cache"),
        (package, "private, max-age=31536000, immutable"),
    ] {
        let response = with_token(&client, &key).get(&path).expect(200);
        assert_eq!(response.require_header("cache-control"), cache, "{path}");
    }
    assert_eq!(with_token(&client, &key).get("/api/v1/skills/nobody/nothing").status, 404);
    git.clone(
        &format!("{}/{MARKER}/{MARKER}-skill.git", host.base.replace("//", &format!("//{key}:x@"))),
        "c",
        &[],
    );
    for wrong in [format!("{key}a"), key.replacen("smr_1", "smr_2", 1), token, "smr_".into()] {
        with_token(&client, &wrong).get(SKILLS).expect(401);
    }
    // A revoked key ends at once, without a reload. Others go on.
    registry.command(["read-key", "revoke", "one"]).ok();
    with_token(&client, &key).get(SKILLS).expect(401);
    with_token(&client, &other).get(SKILLS).expect(200);
    let short = registry.command(["read-key", "new", "short", "--expires", "1s"]).ok().stdout;
    eventually("it has expired", || {
        (with_token(&client, short.trim()).get(SKILLS).status == 401).then_some(())
    });
    assert_eq!(host.error_log(), "");
    // The name of Basic is a key, so no log has it.
    let log = host.access_log();
    assert!(log.contains("GET /api/v1/skills") && !log.contains("smr_"), "{log}");
}

#[test]
fn nginx_asks_the_server_about_tokens_and_remembers_the_answer() {
    let mut registry = closed();
    let (key, admin) = (new_key(&registry, "key"), registry.admin());
    let host = nginx(&registry, "before", &["--origin", registry.base()]);
    let (client, unseen) = (host.client(), registry.user("unseen"));
    with_token(&client, &admin.token).get(SKILLS).expect(200);
    with_token(&client, "smt_nothing").get(SKILLS).expect(401);
    with_token(&client, &admin.token).post_json("/api/v1/namespaces", &json!({"slug": "more"})).expect(201);
    client.with("accept", "text/html").get("/").expect(303);
    registry.stop();
    // The server is away: files answer those whom it knew, and keys.
    for credential in [&key, &admin.token] {
        for path in [SKILLS, "/", "/.well-known/registry.json"] {
            with_token(&client, credential).get(path).expect(200);
        }
        with_token(&client, credential).get("/nothing/").expect(503);
    }
    client.get(SKILLS).expect(401);
    client.with("accept", "text/html").get("/").expect(401);
    assert_eq!(with_token(&client, "smt_nothing").get(SKILLS).status, 401);
    assert_eq!(with_token(&client, &unseen.token).get(SKILLS).status, 503);
    client.with("cookie", "skillmirror_session=x").get(SKILLS).expect(401);
    client.get("/login/").expect(200);
}
