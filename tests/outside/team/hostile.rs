//! Texts of others never reach the terminal as they are.

use serde_json::json;

use crate::harness::{FakeHost, Home, Reply, User};

const ODD: &str = "a\u{1b}[2Jb\u{202e}c\u{2066}d\u{200b}e\u{7f}\u{9b}f\ng";

/// A host that answers every request with the same odd texts.
fn host() -> FakeHost {
    let (person, at) = (json!({"handle": "bob", "displayName": ODD}), "2026-01-31T12:00:00Z");
    let review = json!({
        "id": "7", "kind": "publish", "status": "rejected", "namespace": "acme", "slug": "hello",
        "version": "1.0.0", "skillId": "3", "sha256": "0".repeat(64), "source": null, "submittedBy": person,
        "submittedAt": at, "decidedBy": person, "decidedAt": at, "comment": ODD, "disabledAccounts": ["bob"],
        "changelog": ODD, "tags": [], "metadata": {"description": ODD}, "looksLike": [ODD],
        "files": [{"path": ODD, "size": 1, "sha256": "0".repeat(64), "contentType": ODD, "executable": false}],
        "warnings": [{"path": ODD, "line": 1, "code": "odd", "message": ODD}],
    });
    let namespace = json!({
        "slug": "acme", "displayName": ODD, "description": ODD, "type": "team", "status": "active",
        "reviewRequired": true, "skillCount": 1, "createdAt": at, "updatedAt": at,
    });
    let member =
        json!({"userId": "bob", "handle": "bob", "displayName": ODD, "role": "owner", "createdAt": at});
    let offer = json!({
        "id": "8", "namespace": "acme", "slug": "hello", "from": person, "to": person, "message": ODD,
        "createdAt": at, "expiresAt": at,
    });
    let tag = json!({
        "name": "stable", "version": "1.0.0", "reserved": false, "createdAt": at, "updatedAt": at,
        "updatedBy": person,
    });
    let token = json!({
        "id": "7", "name": ODD, "prefix": ODD, "scopes": ["read"], "createdAt": at, "expiresAt": at,
        "lastUsedAt": at, "token": ODD,
    });
    let page = |item: &serde_json::Value| json!({"items": [item], "total": 2, "page": 1, "size": 1});
    let account = json!({
        "id": "ann", "handle": "ann", "displayName": ODD, "role": "user",
        "namespaces": [{"slug": "acme", "role": "owner"}],
    });
    FakeHost::answering(move |asked| {
        let path = asked.path.split('?').next().unwrap_or_default();
        match (asked.method.as_str(), path) {
            ("GET", "/api/v1/whoami") => {
                Reply::json(&json!({"handle": "ann", "displayName": "Ann", "role": "user"}))
            }
            ("GET", "/api/v1/auth/me") => Reply::json(&account),
            ("GET", "/api/v1/namespaces" | "/api/v1/namespaces.json") => Reply::json(&page(&namespace)),
            ("GET", "/api/v1/me/skills") => {
                Reply::json(&json!({"items": [], "total": 0, "page": 1, "size": 1}))
            }
            ("GET", path) if path.ends_with("/members") => Reply::json(&page(&member)),
            ("GET", path) if path.ends_with("/reviews") => Reply::json(&page(&review)),
            ("GET", path) if path.ends_with("/reviews/7") => Reply::json(&review),
            ("GET", path) if path.ends_with("/tags") => Reply::json(&page(&tag)),
            ("GET", "/api/v1/me/invitations" | "/api/v1/me/transfers") => Reply::json(&page(&offer)),
            ("GET", "/api/v1/tokens") => Reply::json(&page(&token)),
            ("POST", "/api/v1/tokens") => Reply::json(&token),
            ("POST", path) if path.ends_with("/reject") => Reply::json(&review),
            ("PUT", "/api/v1/namespaces/acme") => Reply::json(&namespace),
            _ => Reply::json(&json!({"code": "odd", "detail": ODD, "errors": [{"message": ODD}]}))
                .with_status(400),
        }
    })
}

#[test]
fn control_characters_of_others_are_escaped() {
    let host = host();
    let home = Home::new();
    home.login(&host.base, &User { handle: "ann".to_owned(), token: "token-a".to_owned() });
    for (words, code) in [
        (&["namespace", "list"][..], 0),
        (&["namespace", "members", "acme"], 0),
        (&["namespace", "set", "acme", "--description", "x"], 0),
        (&["member", "invitations"], 0),
        (&["review", "list", "acme"], 0),
        (&["review", "show", "acme", "7"], 0),
        (&["review", "reject", "acme", "7", "--comment", "x"], 0),
        (&["tag", "list", "@acme/hello"], 0),
        (&["transfer", "list"], 0),
        (&["token", "list"], 0),
        (&["token", "create", "ci"], 0),
        (&["me"], 0),
        (&["star", "hello"], 1),
        (&["delete", "hello", "--yes"], 1),
    ] {
        let output = home.run(words);
        assert_eq!(output.code, code, "{words:?}: {output:?}");
        let printed = output.printed();
        let is_odd =
            |c: char| matches!(c, '\u{1b}' | '\u{202e}' | '\u{2066}' | '\u{200b}' | '\u{7f}' | '\u{9b}');
        assert!(!printed.contains(is_odd), "{words:?}: {printed:?}");
        assert!(!printed.contains("token-a"), "{words:?}: {printed:?}");
    }
    let sent = host.asked();
    let all_with_token = sent.iter().filter(|asked| asked.header("authorization").is_some()).count();
    // Only the public list is read without it.
    let public = sent.iter().filter(|asked| asked.path.starts_with("/api/v1/namespaces?")).count()
        + sent.iter().filter(|asked| asked.path.contains("namespaces.json")).count();
    assert!(all_with_token + public >= sent.len(), "{sent:?}");
}
