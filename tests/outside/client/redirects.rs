//! Redirects: when they are followed, and never with the token.

use serde_json::json;

use crate::harness::{FakeHost, Home, ReceivedRequest, Registry, Reply, Skill, User};

const RESOLVED: &str = "/api/v1/skills/global/hello/resolve.json";

fn who() -> Reply {
    Reply::json(&json!({"handle": "ann", "displayName": "Ann", "role": "user"}))
}

fn holder(token: &str) -> User {
    User { handle: "ann".to_owned(), token: token.to_owned() }
}

fn tokens(host: &FakeHost) -> usize {
    host.asked().iter().filter(|asked| asked.header("authorization").is_some()).count()
}

#[test]
fn reads_follow_redirects_to_another_host() {
    let other = FakeHost::answering(|_| Reply::resolved());
    let to = other.base.clone();
    let host = FakeHost::answering(move |asked| Reply::redirect(302, &format!("{to}{}", asked.path)));
    let found = Home::new().json(&["resolve", "hello", "--registry", &host.base]);
    assert_eq!(found["version"], "1.0.0");
    assert_eq!(other.paths(), [RESOLVED]);
}

#[test]
fn token_is_not_sent_to_another_origin() {
    // It would be taken there.
    let other = FakeHost::answering(|_| who());
    let to = other.base.clone();
    let moved = std::sync::Arc::new(std::sync::atomic::AtomicBool::new(false));
    let has_moved = std::sync::Arc::clone(&moved);
    let host = FakeHost::answering(move |asked| {
        if has_moved.load(std::sync::atomic::Ordering::SeqCst) {
            return Reply::redirect(307, &format!("{to}{}", asked.path));
        }
        who()
    });
    let home = Home::new();
    home.login(&host.base, &holder("token-a"));
    moved.store(true, std::sync::atomic::Ordering::SeqCst);
    home.run(&["whoami"]).ok();
    assert_eq!((tokens(&host), tokens(&other)), (2, 0));
    assert_eq!(other.asked().len(), 1);
}

#[test]
fn error_without_withheld_token_explains_itself() {
    let registry = Registry::start();
    let to = registry.base().to_owned();
    let host = FakeHost::answering(move |asked| Reply::redirect(308, &format!("{to}{}", asked.path)));
    let token = registry.admin().token;
    let login = ["login", "--token", &token, "--registry", &host.base];
    let why = Home::new().refusal("unauthenticated", &login);
    assert!(why.contains(&format!("was not sent to {}", registry.base())), "{why}");
}

#[test]
fn token_is_sent_within_its_origin() {
    let host = FakeHost::answering(|asked| match asked.path.as_str() {
        "/new/whoami" => who(),
        _ => Reply::redirect(301, "/new/whoami"),
    });
    Home::new().login(&host.base, &holder("token-a"));
    assert_eq!(tokens(&host), 2);
}

#[test]
fn redirect_loop_ends() {
    let host = FakeHost::answering(|asked| Reply::redirect(302, &asked.path));
    let why = Home::new().refusal("redirect", &["resolve", "hello", "--registry", &host.base]);
    assert!(why.contains("more than 5 times") && why.contains("--registry"), "{why}");
    assert_eq!(host.asked().len(), 6);
}

#[test]
fn redirect_to_a_file_is_refused() {
    let host = FakeHost::answering(|_| Reply::redirect(302, "file:///etc/passwd"));
    let why = Home::new().refusal("redirect", &["resolve", "hello", "--registry", &host.base]);
    assert!(why.contains("file:///etc/passwd"), "{why}");
}

/// A host that takes logins, and redirects what is published.
fn moved(status: u16, to: String) -> FakeHost {
    FakeHost::answering(move |asked: &ReceivedRequest| match asked.method.as_str() {
        "GET" => who(),
        _ => Reply::redirect(status, &to),
    })
}

#[test]
fn package_is_not_sent_to_another_host() {
    let other = FakeHost::answering(|_| Reply::status(500));
    let home = Home::new();
    Skill::named("hello").write_to(&home.folder().join("hello"));
    for status in [301, 302, 303, 307, 308] {
        let host = moved(status, format!("{}/api/v1/publish", other.base));
        home.login(&host.base, &holder("token-a"));
        let why = home.refusal("redirect", &["publish", "hello", "--registry", &host.base]);
        assert!(why.contains(&other.base) && why.contains("--registry"), "{why}");
    }
    assert!(other.asked().is_empty(), "{:?}", other.asked());
}

#[test]
fn package_is_sent_again_only_if_the_method_stays() {
    let home = Home::new();
    Skill::named("hello").write_to(&home.folder().join("hello"));
    let host = moved(302, "/elsewhere".to_owned());
    home.login(&host.base, &holder("token-a"));
    let why = home.refusal("redirect", &["publish", "hello", "--registry", &host.base]);
    assert!(why.contains("/elsewhere"), "{why}");

    let host = FakeHost::answering(|asked| match asked.path.as_str() {
        "/api/v1/whoami" => who(),
        "/elsewhere" => Reply::status(403),
        _ => Reply::redirect(307, "/elsewhere"),
    });
    home.login(&host.base, &holder("token-a"));
    home.refusal("unexpected_answer", &["publish", "hello", "--registry", &host.base]);
    let asked = host.asked();
    assert_eq!(host.paths(), ["/api/v1/whoami", "/api/v1/publish", "/elsewhere"]);
    assert!(!asked[1].body.is_empty() && asked[1].body == asked[2].body);
}
