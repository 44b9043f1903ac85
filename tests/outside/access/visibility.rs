//! Private content is not in the tree, not in responses to others, and not in the log.

use std::io::{Cursor, Read};

use serde_json::json;

use crate::harness::{Registry, Response, Skill, User, eventually, gunzip};

/// Everything about it says which state it is in.
fn marked(state: &str, version: &str) -> Skill {
    Skill::named(&format!("leak-{state}"))
        .description(&format!("leak-{state}-description"))
        .version(version)
        .line(&format!("title: leak-{state}-title"))
        .line(&format!("keywords: [leak-{state}-keyword]"))
        .line(&format!("license: leak-{state}-license"))
        .text(&format!("# leak-{state}-heading\n\nleak-{state}-under\n=====\n"))
        .file(&format!("leak-{state}-file.txt"), format!("leak-{state}-content"))
}

#[track_caller]
fn hand_in(registry: &Registry, state: &str, version: &str, namespace: &str, by: &User) -> String {
    let publish = registry.publish(marked(state, version)).to(namespace);
    let publish = publish.tags(&format!("leak-{state}-tag")).changelog(&format!("leak-{state}-changelog"));
    let receipt = publish.by(by).expect_json(201);
    assert_eq!(receipt["status"], "pending_review");
    receipt["reviewId"].as_str().unwrap().to_owned()
}

/// The bytes of a file and of its compressed content.
fn unpacked(path: &str, bytes: &[u8]) -> Vec<u8> {
    let mut all = bytes.to_vec();
    if path.ends_with(".gz") {
        all.extend(gunzip(bytes));
    }
    if path.ends_with(".zip") {
        let mut zip = zip::ZipArchive::new(Cursor::new(bytes)).unwrap();
        for index in 0..zip.len() {
            let mut file = zip.by_index(index).unwrap();
            all.extend(file.name().unwrap().as_bytes());
            file.read_to_end(&mut all).unwrap();
        }
    }
    all
}

fn assert_silent(what: &str, text: &str, secrets: &[&str]) {
    for secret in secrets {
        if let Some(at) = text.find(secret) {
            let around: String =
                text[..at].chars().rev().take(80).collect::<Vec<_>>().into_iter().rev().collect();
            panic!("{what} has `{secret}`: …{around}{secret}…");
        }
    }
}

#[test]
fn private_content_appears_nowhere() {
    let mut registry = Registry::configured("[mirror]\ncounter_interval = 0\n");
    registry.start_with_trace_log();
    let admin = registry.admin();
    let [ann, bob, eve, fan] = ["ann", "bob", "eve", "leak-fan"].map(|handle| registry.user(handle));
    let body = json!({"slug": "desk", "reviewRequired": true});
    registry.as_user(&ann).post_json("/api/v1/namespaces", &body).expect(201);
    let member = registry.user("leak-member");
    for user in [&bob, &member] {
        registry.join("desk", &ann, user, "member");
    }
    registry.publish(Skill::named("seen")).to("desk").by(&ann).expect(201);

    // Handed in, replaced, rejected, refused, asked for, offered.
    hand_in(&registry, "pending", "1.0.0", "desk", &bob);
    hand_in(&registry, "global", "1.0.0", "global", &bob);
    hand_in(&registry, "withdrawn", "2.0.0", "desk", &bob);
    registry.publish(marked("withdrawn", "2.0.0").text("leak-again\n")).to("desk").by(&bob).expect(201);
    let rejected = hand_in(&registry, "rejected", "1.0.0", "desk", &bob);
    let reviews = "/api/v1/namespaces/desk/reviews";
    let comment = json!({"comment": "leak-rejected-comment"});
    registry.as_user(&ann).post_json(&format!("{reviews}/{rejected}/reject"), &comment).expect(200);
    let refused = marked("refused", "1.0.0")
        .file("key.pem", format!("-----BEGIN PRIVATE KEY-----\n{}\n", "leakBody".repeat(20)));
    let refusal = registry.publish(refused).to("desk").by(&bob).problem(422, "invalid_package");
    assert_silent("the refusal", &refusal.to_string(), &["leakBody"]);
    let skill = registry.read("/api/v1/skills/desk/seen")["id"].as_str().unwrap().to_owned();
    let ask = json!({"comment": "leak-promotion-comment"});
    let promote = format!("/api/v1/namespaces/desk/skills/{skill}/promote");
    registry.as_user(&ann).post_json(&promote, &ask).expect(201);
    let offer = json!({"to": "leak-member", "message": "leak-transfer-message"});
    registry.as_user(&ann).post_json("/api/v1/skills/desk/seen/transfer", &offer).expect(201);
    registry.as_user(&fan).request("POST", "/api/v1/skills/desk/seen/star", None).expect(200);
    registry.as_user(&fan).post_json("/api/v1/skills/desk/seen/rating", &json!({"score": 2})).expect(200);
    let made = json!({"name": "leak-token-name"});
    let made = registry.as_user(&bob).post_json("/api/v1/tokens", &made).expect_json(201);
    let unknown = "smt_leakleakleakleakleakleakleakleakleakleakleakleakleak";
    let stranger = registry.anonymous().with("authorization", &format!("Bearer {unknown}"));
    let unauthorized = stranger.get("/api/v1/skills").problem(401, "unauthenticated");

    // Passwords: set, changed, and guessed at.
    registry.command_with_input(["user", "set-password", "bob"], "leakPassword-one\n").ok();
    let log_in = |password: &str| {
        registry.anonymous().post_json("/api/v1/auth/login", &json!({"handle": "bob", "password": password}))
    };
    let wrong = log_in("leakPassword-guess").problem(401, "unauthenticated");
    assert_silent("the wrong login", &wrong.to_string(), &["leakPassword"]);
    let right = log_in("leakPassword-one").expect(200);
    let cookie = right.require_header("set-cookie").split(';').next().unwrap().to_owned();
    let change = json!({"password": "leakPassword-two", "currentPassword": "leakPassword-one"});
    let changer = registry.anonymous().with("cookie", &cookie).with("origin", registry.base());
    changer.put_json("/api/v1/auth/me", &change).expect(200);
    let session = cookie.split_once('=').unwrap().1;

    // The public record goes on, and the numbers are published.
    registry.publish(Skill::named("seen").version("2.0.0")).to("desk").by(&ann).expect(201);
    eventually("the star is shown", || {
        (registry.read("/api/v1/skills/desk/seen")["starCount"] == 1).then_some(())
    });
    registry.publish(Skill::named("other")).to("desk").by(&ann).expect(201);

    let leaks = ["leak-", "leakBody", "leakPassword", session];
    let mut files = 0;
    for (path, bytes) in registry.tree_bytes() {
        assert_silent(&path, &path, &leaks);
        assert_silent(&path, &String::from_utf8_lossy(&unpacked(&path, &bytes)), &leaks);
        files += 1;
    }
    assert!(files > 300, "the tree was read");

    // Other users see none of it in any response.
    let told = |response: Response| String::from_utf8_lossy(&response.body).replace(&response.asked, "");
    for state in ["pending", "rejected", "withdrawn"] {
        for path in [
            format!("/api/v1/skills/desk/leak-{state}"),
            format!("/api/v1/skills/desk/leak-{state}/versions"),
            format!("/api/v1/skills/desk/leak-{state}/versions/1.0.0/download"),
            format!("/api/v1/skills/desk/leak-{state}/resolve?tag=leak-{state}-tag"),
            format!("/api/v1/skills/desk/leak-{state}/tags"),
            format!("/api/v1/resolve?slug=desk--leak-{state}"),
            format!("/api/v1/download/desk--leak-{state}/1.0.0"),
        ] {
            for reader in [registry.as_user(&member), registry.as_user(&eve), registry.as_user(&bob)] {
                let response = reader.get(&path).expect(404);
                let text = told(response).replace(&format!("leak-{state}"), "");
                assert_silent(
                    &path,
                    &text,
                    &["-description", "-title", "-heading", "-under", "-file", "-changelog"],
                );
            }
        }
    }
    for reader in [&member, &eve] {
        for path in
            [reviews.to_owned(), format!("{reviews}/{rejected}"), format!("{reviews}/{rejected}/package")]
        {
            let response = registry.as_user(reader).get(&path).expect(403);
            assert_silent(&path, &told(response), &leaks);
        }
        for path in [
            "/api/v1/me/skills",
            "/api/v1/me/reviews",
            "/api/v1/me/stars",
            "/api/v1/me/transfers",
            "/api/v1/tokens",
        ] {
            let text = told(registry.as_user(reader).get(path).expect(200));
            let own = if reader.handle == "leak-member" { "leak-member" } else { "" };
            let text = text.replace("leak-transfer-message", if own.is_empty() { "leak-" } else { "" });
            assert_silent(path, &text.replace(own, ""), &["leak-p", "leak-r", "leak-w", "leak-g", "leak-t"]);
        }
    }
    assert_silent("the refusal", &unauthorized.to_string(), &[unknown]);

    // The log contains none of it, and no token.
    let tokens = [&admin, &ann, &bob, &eve, &fan, &member].map(|user| user.token.clone());
    let made = made["token"].as_str().unwrap();
    let log = registry.printed();
    assert!(log.contains("listening on"), "the log was read");
    let secrets = tokens.iter().map(String::as_str).chain([made, unknown, session]);
    assert_silent("the log", &log, &secrets.collect::<Vec<_>>());
    let contents = [
        "-description",
        "-title",
        "-keyword",
        "-license",
        "-heading",
        "-under",
        "-content",
        "-changelog",
        "-comment",
        "-message",
    ];
    for state in ["pending", "global", "withdrawn", "rejected", "refused", "promotion", "transfer"] {
        assert_silent(
            "the log",
            &log,
            &contents.map(|what| format!("leak-{state}{what}")).each_ref().map(String::as_str),
        );
    }
    assert_silent("the log", &log, &["leakBody", "leak-again", "leakPassword"]);
    let audit = registry.command(["audit", "--json"]).ok().stdout;
    assert!(audit.contains("password_changed"), "{audit}");
    assert_silent("the audit", &audit, &["leakBody", "leakPassword", session, "-description"]);
}
