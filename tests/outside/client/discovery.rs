//! How a client finds the registry of a site.

use serde_json::json;

use crate::harness::{FakeHost, Home, Reply};

/// A host with a registry below `base`, and with a discovery document at `at`.
fn site(base: &'static str, at: &'static str, api_base: &str) -> FakeHost {
    let document = json!({ "apiBase": api_base });
    FakeHost::answering(move |asked| match asked.path.as_str() {
        path if path == format!("{at}/.well-known/registry.json") => Reply::json(&document),
        path if path == format!("{base}/api/v1/skills/global/hello/resolve.json") => Reply::resolved(),
        _ => Reply::status(404),
    })
}

#[test]
fn site_document_names_the_registry() {
    for (base, skill_path, api_base, path) in [
        ("", "", "/api/v1", ""),
        ("", "", "/api/v1", "/"),
        // Below a path, in its own document and in the origin's.
        ("/sub/dir", "/sub/dir", "/api/v1", "/sub/dir"),
        ("/other", "", "/other/api/v1", "/sub/dir"),
        ("", "", "/api/v1", "/sub/dir"),
    ] {
        let host = site(base, skill_path, api_base);
        let home = Home::new();
        let url = format!("{}{path}", host.base);
        assert_eq!(
            home.json(&["resolve", "hello", "--site", &url])["version"],
            "1.0.0",
            "{base} {skill_path} {path}"
        );
        let home = Home::new().with("CLI_SITE", &url);
        home.json(&["resolve", "hello"]);
    }
}

#[test]
fn site_without_document_is_the_registry() {
    let host = site("/sub", "/nowhere", "/x");
    Home::new().json(&["resolve", "hello", "--site", &format!("{}/sub", host.base)]);
    assert_eq!(host.paths()[..2], ["/sub/.well-known/registry.json", "/.well-known/registry.json"]);
}

#[test]
fn site_may_name_another_host() {
    let registry = site("/r", "/nowhere", "/x");
    let host = site("/none", "", &format!("{}/r/api/v1", registry.base));
    Home::new().json(&["resolve", "hello", "--site", &host.base]);
    assert_eq!(host.paths().len(), 1);
}

#[test]
fn moved_site_is_followed() {
    let new = site("", "", "/api/v1");
    let to = new.base.clone();
    let old = FakeHost::answering(move |asked| Reply::redirect(301, &format!("{to}{}", asked.path)));
    Home::new().json(&["resolve", "hello", "--site", &old.base]);
    // Asked once for where the registry is, and then no more.
    assert_eq!(old.paths(), ["/.well-known/registry.json"]);
}

#[test]
fn malformed_site_document_is_refused() {
    for api_base in ["//evil.example/api/v1", "/../../x", "file:///etc", "", "javascript:alert(1)", "/a?b"] {
        let host = site("", "", api_base);
        let why = Home::new().refusal("unsupported", &["resolve", "hello", "--site", &host.base]);
        assert!(why.contains("--registry") && why.ends_with("(the address comes from --site)"), "{why}");
        assert_eq!(host.paths().len(), 1);
    }
    for reply in
        [Reply::page(), Reply::json(&json!([])), Reply::json(&json!({"apiBase": 1})), Reply::bytes("")]
    {
        let host = FakeHost::answering(move |_| reply.clone());
        let home = Home::new().with("CLI_SITE", &host.base);
        let why = home.refusal("not_a_registry", &["resolve", "hello"]);
        assert!(why.ends_with("(the address comes from CLI_SITE)"), "{why}");
    }
}

#[test]
fn flags_take_precedence_over_variables_as_a_pair() {
    let (flag, variable) = (site("", "", "/api/v1"), site("", "", "/api/v1"));
    let home = Home::new().with("CLI_REGISTRY", &variable.base).with("CLI_SITE", &variable.base);
    home.json(&["resolve", "hello", "--site", &flag.base]);
    assert_eq!((flag.paths().len(), variable.paths().len()), (2, 0));
    home.json(&["resolve", "hello"]);
    // The registry is used as it is.
    assert_eq!((flag.paths().len(), variable.paths().len()), (2, 1));
}

#[test]
fn invalid_address_error_names_its_source() {
    let home = Home::new().with("CLI_REGISTRY", "skills.example.org");
    let why = home.refusal("invalid_address", &["search", "x"]);
    assert!(why.contains("https://skills.example.org") && why.ends_with("comes from CLI_REGISTRY)"), "{why}");
    let why = home.refusal("invalid_address", &["search", "x", "--registry", "https://ann:secret@a.example"]);
    assert!(why.ends_with("comes from --registry)") && !why.contains("secret"), "{why}");
}

#[test]
fn login_remembers_registry_and_site() {
    let registry = FakeHost::answering(|asked| match asked.path.as_str() {
        "/r/api/v1/whoami" => Reply::json(&json!({"handle": "ann", "displayName": "Ann", "role": "user"})),
        "/r/api/v1/skills/global/hello/resolve.json" => Reply::resolved(),
        _ => Reply::status(404),
    });
    let host = site("/none", "", &format!("{}/r/api/v1", registry.base));
    let home = Home::new();
    let login = home.json(&["login", "--token", "token-a", "--site", &host.base]);
    assert_eq!(login["registry"], format!("{}/r", registry.base));
    assert_eq!((&login["site"], &login["default"]), (&host.base.as_str().into(), &true.into()));
    home.json(&["resolve", "hello"]);
    assert_eq!(home.json(&["whoami"])["registry"], login["registry"]);
    // The token went to the registry alone, and the site was asked only once.
    assert!(host.asked().iter().all(|asked| asked.header("authorization").is_none()));
    assert_eq!(host.paths().len(), 1);
}
