//! Responses to browsers: missing slashes, missing pages, headers, conditions, and rendering
//! without a tree.

use crate::harness::{Registry, Response, Skill};

fn with_hello(registry: &Registry) {
    registry.publish(Skill::named("hello")).by(&registry.admin()).expect(201);
}

/// Says that it is the page for what is not there.
#[track_caller]
fn is_missing_page(response: &Response, registry: &Registry) {
    assert_eq!(response.status, 404, "{response}");
    assert_eq!(response.require_header("content-type"), "text/html; charset=utf-8");
    assert_eq!(response.require_header("cache-control"), "public, max-age=10");
    assert!(response.headers.get_all("vary").iter().any(|name| name == "Accept"), "{response}");
    assert_eq!(response.header("access-control-allow-origin"), None);
    assert!(response.require_header("content-security-policy").contains("default-src 'none'"));
    if !response.body.is_empty() {
        assert_eq!(response.body, registry.tree_file("404.html"));
    }
}

#[test]
fn page_without_slash_redirects_to_the_page() {
    let registry = Registry::start();
    with_hello(&registry);
    for (path, location) in [
        ("/global", "global/"),
        ("/global/hello", "hello/"),
        ("/global/hell%6f", "hello/"),
        ("/search?q=pdf+tools&page=2", "search/?q=pdf+tools&page=2"),
        ("/namespaces", "namespaces/"),
    ] {
        for client in [registry.anonymous(), registry.anonymous().browser()] {
            let response = client.get(path).expect(308);
            assert_eq!(response.require_header("location"), location, "{path}");
            assert_eq!(response.require_header("cache-control"), "public, max-age=60, must-revalidate");
            assert_eq!(client.head(path).expect(308).require_header("location"), location);
        }
    }
    for nowhere in ["/nobody", "/global/none", "/global/_page/2", "/api", "/assets", "/global/hello/x"] {
        registry.get(nowhere).problem(404, "not_found");
    }
    // The API has no slashes at its ends.
    registry.anonymous().browser().get("/api/v1/skills/").problem(404, "not_found");
}

#[test]
fn missing_page_is_html_for_browsers_and_a_problem_for_programs() {
    let registry = Registry::start();
    with_hello(&registry);
    let browser = registry.anonymous().browser();
    for path in ["/nobody", "/nobody/", "/global/none/", "/a/b/c/d", "/favicon.ico", "/%ff", "/x.php?y"] {
        is_missing_page(&browser.get(path), &registry);
        is_missing_page(&browser.head(path), &registry);
        let problem = registry.get(path);
        problem.problem(404, "not_found");
        assert!(problem.headers.get_all("vary").iter().any(|name| name == "Accept"), "{path}");
        assert_eq!(problem.require_header("cache-control"), "public, max-age=10", "{path}");
    }
    // Below the API a browser is a program like any other.
    for path in ["/api/v1/skills/global/none", "/api/v1/none", "/.well-known/none"] {
        browser.get(path).problem(404, "not_found");
    }
    // Other methods than GET get no page.
    browser.post_json("/nobody", &serde_json::json!({})).problem(404, "not_found");
    let page = browser.get("/404.html").expect(200);
    assert_eq!(page.body, registry.tree_file("404.html"));
    // A skill that is gone has no page, on no host.
    registry.remove("global/hello", &registry.admin()).expect(204);
    is_missing_page(&browser.get("/global/hello/"), &registry);
    is_missing_page(&browser.get("/global/hello"), &registry);
}

#[test]
fn pages_allow_only_reads() {
    let registry = Registry::start();
    with_hello(&registry);
    let assets = registry.tree().into_iter().find(|file| file.ends_with("/site.css")).unwrap();
    for path in ["/", "/global/", "/global/hello/", "/global/hello", "/search/?q=x", &format!("/{assets}")] {
        for method in ["POST", "PUT", "DELETE"] {
            let response = registry.anonymous().browser().request(method, path, None);
            response.problem(405, "method_not_allowed");
            assert_eq!(response.require_header("allow"), "GET, HEAD", "{method} {path}");
        }
    }
    for path in ["/nobody/", "/global/none/", "/nobody", "/assets/0000000000000000/site.css"] {
        registry.anonymous().request("POST", path, None).problem(404, "not_found");
    }
}

#[test]
fn pages_have_security_headers() {
    let registry = Registry::start();
    with_hello(&registry);
    for path in ["/", "/index.html", "/global/hello/", "/global/hello/index.html", "/search/?q=%3Cscript%3E"]
    {
        let response = registry.anonymous().browser().get(path).expect(200);
        let policy = response.require_header("content-security-policy");
        for part in ["default-src 'none'", "script-src 'self'", "base-uri 'none'", "frame-ancestors 'none'"] {
            assert!(policy.split("; ").any(|printed| printed == part), "{part}: {policy}");
        }
        assert!(!policy.contains("unsafe"), "{policy}");
        assert_eq!(response.require_header("referrer-policy"), "same-origin");
        assert_eq!(response.require_header("x-content-type-options"), "nosniff");
        assert_eq!(response.require_header("cache-control"), "public, max-age=60, must-revalidate");
        assert_eq!(response.header("access-control-allow-origin"), None);
    }
    // Documents for programs have no such header and allow any origin.
    let document = registry.get("/api/v1/skills").expect(200);
    assert_eq!(document.header("content-security-policy"), None);
    assert_eq!(document.require_header("access-control-allow-origin"), "*");
}

#[test]
fn pages_answer_conditions_and_ranges() {
    let registry = Registry::start();
    with_hello(&registry);
    let path = "/global/hello/";
    let whole = registry.get(path).expect(200);
    let tag = whole.require_header("etag").to_owned();
    let same = registry.anonymous().with("if-none-match", &tag).get(path).expect(304);
    assert!(same.body.is_empty() && same.header("content-security-policy").is_some());
    let since = whole.require_header("last-modified").to_owned();
    registry.anonymous().with("if-modified-since", &since).get(path).expect(304);
    let part = registry.anonymous().with("range", "bytes=2-8").get(path).expect(206);
    assert_eq!(part.body, whole.body[2..=8]);
    let head = registry.anonymous().head(path).expect(200);
    assert_eq!(head.require_header("content-length"), whole.body.len().to_string());
    // With a token it is the same page, but not cached.
    let own = registry.as_user(&registry.admin()).get(path).expect(200);
    assert_eq!((own.require_header("cache-control"), &own.body), ("no-store", &whole.body));
}

#[test]
fn server_without_tree_renders_the_same_pages() {
    let registry = Registry::start();
    with_hello(&registry);
    let beside = registry.start_second(&["--no-mirror"]);
    let client = beside.client().browser();
    for path in ["/", "/search/", "/namespaces/", "/global/", "/global/hello/"] {
        let response = client.get(path).expect(200);
        assert_eq!(response.text(), registry.page(path), "{path}");
    }
    let missing = client.get("/nobody/");
    is_missing_page(&missing, &registry);
    assert_eq!(client.get("/global/hello").expect(308).require_header("location"), "hello/");
    let assets: Vec<_> = registry.tree().into_iter().filter(|file| file.starts_with("assets/")).collect();
    for file in assets.iter().filter(|file| !file.ends_with(".gz")) {
        assert_eq!(client.get(&format!("/{file}")).expect(200).body, registry.tree_file(file), "{file}");
    }
}
