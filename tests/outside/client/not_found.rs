//! Missing documents on different hosts, and addresses without a registry.

use crate::harness::{FakeHost, Home, ReceivedRequest, Registry, Reply, Shared, Skill};

static REGISTRY: Shared<Registry> = Shared::new();

fn registry() -> Registry {
    let registry = Registry::start();
    registry.publish(Skill::named("hello").description("Greets.")).by(&registry.admin()).expect(201);
    registry
}

/// The tree of a registry below `base`, behind a host that answers so what it does not have.
fn host(base: &'static str, absent: Reply) -> FakeHost {
    let tree = REGISTRY.get(registry).tree_bytes();
    FakeHost::answering(move |asked: &ReceivedRequest| {
        let path = asked.path.strip_prefix(base).map(|path| path.trim_start_matches('/'));
        let found = path.and_then(|path| tree.get(path));
        found.map_or_else(|| absent.clone(), |bytes| Reply::bytes(bytes.clone()))
    })
}

/// An answer of a store of files whose list is not public.
fn denied() -> Reply {
    Reply::bytes("<Error><Code>AccessDenied</Code></Error>")
        .header("Content-Type", "application/xml")
        .with_status(403)
}

#[test]
fn missing_document_is_not_found_in_every_form_of_404() {
    for absent in [Reply::status(404), Reply::status(410), denied(), Reply::page()] {
        let (host, home) = (host("", absent), Home::new());
        let refusal = |code: &str, arguments: &[&str]| {
            home.refusal(code, &[arguments, &["--registry", &host.base]].concat())
        };
        for arguments in [["resolve", "nope"], ["info", "nope"], ["install", "nope"]] {
            let why = refusal("not_found", &arguments);
            assert!(why.contains("no skill nope at"), "{why}");
        }
        let why = refusal("not_found", &["resolve", "hello@2.0.0"]);
        assert!(why.contains("no version 2.0.0: it has 1.0.0"), "{why}");
        let found = home.json(&["search", "", "--namespace", "nons", "--registry", &host.base]);
        assert_eq!(found["total"], 0, "{found}");
        let found = home.json(&["search", "greets", "--registry", &host.base]);
        assert_eq!(found["results"][0]["slug"], "hello");
    }
}

#[test]
fn address_of_a_page_says_what_to_write() {
    let host = host("", Reply::status(404));
    let home = Home::new();
    let page = format!("{}/global/hello/", host.base);
    for words in
        [&["install", &page][..], &["add", &page], &["info", &page], &["show", &page], &["resolve", &page]]
    {
        let why = home.refusal("invalid_reference", words);
        assert!(why.contains(&format!("Write `hello --registry {}`", host.base)), "{words:?}: {why}");
    }
    // The arguments of these are checked before anything else.
    for words in [&["diff", &page, "./x"][..], &["star", &page], &["tag", "list", &page]] {
        let output = home.run(words);
        assert!(output.code == 2 && output.stderr.contains("--registry"), "{words:?}: {output:?}");
    }
    assert!(host.asked().is_empty());
}

#[test]
fn html_404_page_is_mentioned() {
    let host = host("", Reply::page());
    let why = Home::new().refusal("not_found", &["resolve", "nope", "--registry", &host.base]);
    assert!(why.contains("this host sends a web page instead of a missing file"), "{why}");
}

#[test]
fn site_below_a_path_is_found_at_the_root_of_its_host() {
    for absent in [Reply::status(404), denied(), Reply::page()] {
        let host = host("", absent);
        let site = format!("{}/sub", host.base);
        assert_eq!(Home::new().json(&["resolve", "hello", "--site", &site])["version"], "1.0.0");
    }
}

#[test]
fn private_registry_is_named() {
    let host = FakeHost::answering(|_| denied());
    for arguments in [&["resolve", "hello"][..], &["info", "hello"], &["search", "x"], &["search", ""]] {
        for named in ["--registry", "--site"] {
            let asked = [arguments, &[named, &host.base]].concat();
            let why = Home::new().refusal("unexpected_answer", &asked);
            assert!(why.contains("status 403") && why.contains("access is denied"), "{why}");
        }
    }
}

#[test]
fn wrong_address_is_not_a_missing_skill() {
    let (host, home) = (host("/sub", Reply::status(404)), Home::new());
    let folder = format!("file://{}", home.folder().display());
    for at in [host.base.clone(), format!("{}/sub/api", host.base), folder] {
        for command in ["resolve", "info", "install"] {
            let why = home.refusal("not_a_registry", &[command, "hello", "--registry", &at]);
            let printed = format!("skill hello at {at}, and no sign of a registry there: is it");
            assert!(why.contains(&printed) && why.ends_with("comes from --registry)"), "{why}");
        }
    }
    home.json(&["resolve", "hello", "--registry", &format!("{}/sub/api/v1", host.base)]);
}
