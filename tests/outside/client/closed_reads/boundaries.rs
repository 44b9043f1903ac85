//! When a credential is sent, and where it never goes.

use std::fs;
use std::sync::Arc;

use serde_json::json;

use super::{BASIC, BEARER, SECRET, closed, counts, file, tree, user, without_secrets};
use crate::harness::{FakeHost, Home, Reply, Tunnel};

#[test]
fn refused_read_is_sent_again_with_the_login_and_that_is_remembered() {
    let host = closed("authorization", &[BEARER]);
    let home = Home::new();
    home.login(&host.base, &user(SECRET));
    assert_eq!(counts(&host, "authorization"), (1, 0));
    without_secrets(home.run(&["install", "hello", "--dir", "one"]).ok());
    let (with, without) = counts(&host, "authorization");
    assert!(with > 2 && without == 1, "{with} {without}");
    let saved: serde_json::Value = serde_json::from_slice(&fs::read(home.credentials()).unwrap()).unwrap();
    assert_eq!(saved["reads"][&host.base], json!({"always": true}));
    // Also where the file cannot be written: nothing needs to be remembered again.
    without_secrets(home.run(&["install", "hello", "--dir", "two", "--registry", &host.base]).ok());
    without_secrets(home.run(&["search", "hello"]).ok());
    assert_eq!(counts(&host, "authorization").1, 1);
    home.run(&["logout"]).ok();
    let why = home.refusal("unauthenticated", &["info", "hello", "--registry", &host.base]);
    let remedy = format!("skillmirror login --registry {}", host.base);
    assert!(
        why.contains("wants a sign-in") && why.contains(&remedy) && why.contains("SKILLMIRROR_READ_TOKEN"),
        "{why}"
    );
    assert_eq!(fs::read_to_string(home.credentials()).unwrap().matches(&host.base).count(), 0);
}

#[test]
fn redirect_to_another_host_carries_no_credential() {
    let tree = tree();
    let store_tree = Arc::clone(&tree);
    let store = FakeHost::answering(move |asked| match asked.path.as_str() {
        "/closed" => Reply::status(401),
        _ => file(&store_tree, asked),
    });
    let to = store.base.clone();
    let host = FakeHost::answering(move |asked| match asked.header("authorization") {
        Some(BEARER) if asked.path.ends_with(".zip") => Reply::redirect(302, &format!("{to}{}", asked.path)),
        Some(BEARER) if asked.path.ends_with("/info.json") => Reply::redirect(302, &format!("{to}/closed")),
        Some(BEARER) => file(&tree, asked),
        _ => Reply::status(401),
    });
    let home = Home::new();
    home.login(&host.base, &user(SECRET));
    home.run(&["install", "hello"]).ok();
    assert!(store.paths().iter().any(|path| path.ends_with(".zip")), "{:?}", store.paths());
    assert_eq!(counts(&store, "authorization").0, 0);
    // A 401 of another host is not answered either, also not in the first attempt.
    let to = store.base.clone();
    let host = FakeHost::answering(move |_| Reply::redirect(302, &format!("{to}/closed")));
    let home = Home::new().with("SKILLMIRROR_READ_TOKEN", SECRET);
    let why = home.refusal("unauthenticated", &["info", "hello", "--registry", &host.base]);
    assert!(why.contains(&format!("not sent to {}", store.base)), "{why}");
    assert_eq!((counts(&store, "authorization").0, counts(&host, "authorization").0), (0, 0));
}

#[test]
fn registry_that_only_a_project_names_gets_no_credential() {
    let theirs = closed("authorization", &[BEARER]);
    let ours = closed("authorization", &[BEARER]);
    let home = Home::new().with("SKILLMIRROR_READ_TOKEN", SECRET).with("SKILLMIRROR_TOKEN", SECRET);
    home.login(&ours.base, &user(SECRET));
    let nested = format!("{}/below", ours.base);
    for registry in [&theirs.base, &nested] {
        let manifest = format!("registry = \"{registry}\"\n\n[skills]\nhello = \"*\"\n");
        fs::write(home.folder().join("skills.toml"), manifest).unwrap();
        for words in [&["install"][..], &["install", "other"], &["update"], &["outdated"]] {
            without_secrets(home.run(words));
        }
    }
    assert!(counts(&theirs, "authorization").1 > 0);
    assert_eq!(counts(&theirs, "authorization").0, 0);
    assert!(
        ours.asked()
            .iter()
            .all(|asked| !asked.path.starts_with("/below") || asked.header("authorization").is_none())
    );
    // The person has named it, too.
    let manifest = format!("registry = \"{}\"\n\n[skills]\nhello = \"*\"\n", theirs.base);
    fs::write(home.folder().join("skills.toml"), manifest).unwrap();
    home.with("CLI_REGISTRY", &theirs.base).run(&["install"]).ok();
    assert!(counts(&theirs, "authorization").0 > 0);
}

#[test]
fn variable_is_for_the_named_registry_and_never_saved() {
    let host = closed("authorization", &[BEARER]);
    let ci = Home::new().with("SKILLMIRROR_READ_TOKEN", SECRET);
    for words in [&["info", "hello"][..], &["search", "hello"], &["install", "hello"]] {
        without_secrets(ci.run(&[words, &["--registry", &host.base]].concat()).ok());
    }
    assert!(counts(&host, "authorization").1 <= 3 && !ci.credentials().exists());
    // It does not reach a registry that asks for nothing.
    let open = FakeHost::answering(|_| Reply::resolved());
    ci.run(&["resolve", "hello", "--registry", &open.base]).ok();
    assert_eq!(counts(&open, "authorization").0, 0);
}

#[test]
fn copies_get_only_their_own_credentials() {
    let (first, second) = (closed("authorization", &[BEARER]), closed("authorization", &[BASIC]));
    let both = format!("{},{}", first.base, second.base);
    let home = Home::new();
    let login = ["login", "--registry", &second.base, "--token-stdin", "--basic", "ann"];
    home.run_with_input(&login, "open sesame").ok();
    let ci = home.with("SKILLMIRROR_READ_TOKEN", SECRET);
    without_secrets(ci.run(&["install", "hello", "--registry", &both]).ok());
    let all = |host: &FakeHost| -> Vec<String> {
        let mut all: Vec<String> = host
            .asked()
            .iter()
            .filter_map(|asked| asked.header("authorization").map(str::to_owned))
            .collect();
        all.dedup();
        all
    };
    assert_eq!((all(&first), all(&second)), (vec![BEARER.to_owned()], vec![BASIC.to_owned()]));
}

#[test]
fn nothing_is_sent_without_encryption() {
    let host = closed("authorization", &[BEARER]);
    let port = host.base.rsplit_once(':').unwrap().1.parse().unwrap();
    let proxy = Tunnel::to(port).address.to_string();
    let home = Home::new().with("http_proxy", &proxy).with("SKILLMIRROR_READ_TOKEN", SECRET);
    let at = "http://skills.example.invalid";
    let why = home.refusal("unauthenticated", &["info", "hello", "--registry", at]);
    assert!(why.contains("use https"), "{why}");
    let login = ["login", "--registry", at, "--token-stdin", "--read-only"];
    assert_eq!(home.run_with_input(&login, SECRET).code, 1);
    assert_eq!(counts(&host, "authorization").0, 0);
}

#[test]
fn mirrors_read_with_a_saved_credential_a_variable_or_a_file() {
    let host = closed("authorization", &[BEARER]);
    let saved = Home::new();
    let login = ["login", "--registry", &host.base, "--token-stdin", "--read-only"];
    saved.run_with_input(&login, SECRET).ok();
    let ci = Home::new().with("SKILLMIRROR_READ_TOKEN", SECRET);
    let service = Home::new();
    fs::write(service.folder().join("feed-token"), format!("{SECRET}\n")).unwrap();
    let service = service.with("SKILLMIRROR_MIRROR_FEED_TOKEN_FILE", "feed-token").with("RUST_LOG", "trace");
    for home in [&saved, &ci, &service] {
        without_secrets(home.run(&["generate", "--feed", &host.base, "--out", "once"]).ok());
        without_secrets(home.run(&["watch", "--once", "--feed", &host.base, "--public", "kept"]).ok());
        assert!(home.folder().join("kept/api/v1/mirror/head.json").exists());
    }
    let output = Home::new().run(&["generate", "--feed", &host.base, "--out", "once"]);
    assert!(output.code == 1 && output.stderr.contains("wants a sign-in for reads"), "{output:?}");
    fs::write(service.folder().join("feed-token"), "wrong").unwrap();
    let output = service.run(&["generate", "--feed", &host.base, "--out", "third"]);
    assert!(output.code == 1 && output.stderr.contains("refuses the token in feed-token"), "{output:?}");
}
