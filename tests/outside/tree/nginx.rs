//! The tree behind nginx, with the configuration that the program prints.

use crate::harness::{Nginx, Registry, Response, Skill, sha256};

const FRESH: &str = "public, max-age=60, must-revalidate";
const FOREVER: &str = "public, max-age=31536000, immutable";

/// A tree without a server, behind nginx.
fn served() -> (Registry, Nginx) {
    let mut registry = Registry::start();
    registry.publish(Skill::named("hello")).tags("stable").by(&registry.admin()).expect(201);
    registry.stop();
    let nginx = Nginx::configured(&registry.public(), &registry.folder().join("nginx"));
    (registry, nginx)
}

/// Says what every page is served with.
#[track_caller]
fn is_page(response: &Response) {
    assert_eq!(response.require_header("content-type"), "text/html; charset=utf-8", "{response}");
    let policy = response.require_header("content-security-policy");
    for part in ["default-src 'none'", "script-src 'self'", "base-uri 'none'", "frame-ancestors 'none'"] {
        assert!(policy.split("; ").any(|printed| printed == part), "{part}: {policy}");
    }
    assert_eq!(response.require_header("referrer-policy"), "same-origin");
    assert_eq!(response.require_header("x-content-type-options"), "nosniff");
    assert_eq!(response.header("access-control-allow-origin"), None);
}

#[test]
fn nginx_serves_pages_under_their_addresses() {
    let (registry, nginx) = served();
    let client = nginx.client();
    for (path, file) in [
        ("/", "index.html"),
        ("/index.html", "index.html"),
        ("/search/?q=pdf", "search/index.html"),
        ("/namespaces/", "namespaces/index.html"),
        ("/global/", "global/index.html"),
        ("/global/hello/", "global/hello/index.html"),
    ] {
        let response = client.get(path).expect(200);
        is_page(&response);
        assert_eq!(response.require_header("cache-control"), FRESH, "{path}");
        assert!(response.body == registry.tree_file(file), "{path}");
    }
    // It has nothing to complain of, at its start neither.
    assert_eq!(nginx.error_log(), "");
}

#[test]
fn nginx_redirects_pages_without_slash() {
    let (_registry, nginx) = served();
    for (path, location) in [
        ("/global", "global/"),
        ("/global/hello", "hello/"),
        ("/global/hell%6f", "hello/"),
        ("/namespaces", "namespaces/"),
        ("/search?q=pdf+tools&page=2", "search/?q=pdf+tools&page=2"),
    ] {
        // From where it is looked for, so that it is right below any path.
        assert_eq!(nginx.client().get(path).expect(308).require_header("location"), location, "{path}");
    }
}

#[test]
fn nginx_serves_the_page_for_missing_addresses() {
    let (registry, nginx) = served();
    let client = nginx.client();
    // Folders are not listed.
    for path in [
        "/nobody",
        "/nobody/",
        "/global/none/",
        "/a/b/c",
        "/assets",
        "/assets/",
        "/x.php?y",
        "/x%0d%0ay:%20z",
    ] {
        let response = client.get(path).expect(404);
        is_page(&response);
        assert_eq!(response.require_header("cache-control"), "public, max-age=10", "{path}");
        assert!(response.body == registry.tree_file("404.html"), "{path}");
    }
    for path in ["/api/v1/none", "/api/v1/skills/", "/api", "/.well-known/none", "/api/v1/skills?sort=colour"]
    {
        let response = client.get(path).expect(404);
        assert_eq!(response.require_header("cache-control"), "public, max-age=10", "{path}");
        if path != "/api" {
            assert_eq!(response.require_header("access-control-allow-origin"), "*", "{path}");
        }
    }
}

#[test]
fn nginx_serves_documents_under_both_names() {
    let (registry, nginx) = served();
    let client = nginx.client();
    for path in
        ["/api/v1/skills", "/api/v1/skills.json", "/api/v1/skills/global/hello", "/.well-known/registry.json"]
    {
        let response = client.get(path).expect(200);
        assert_eq!(response.require_header("content-type"), "application/json", "{path}");
        assert_eq!(response.require_header("cache-control"), FRESH, "{path}");
        assert_eq!(response.require_header("access-control-allow-origin"), "*", "{path}");
        assert_eq!(response.header("content-security-policy"), None, "{path}");
    }
    let resolved = client.get("/api/v1/skills/global/hello/resolve").expect(200).json();
    let zip = client.get(resolved["downloadUrl"].as_str().unwrap()).expect(200);
    assert_eq!(resolved["sha256"], sha256(&zip.body));
    assert_eq!(zip.require_header("content-type"), "application/zip");
    assert_eq!(zip.require_header("cache-control"), FOREVER);
    assert_eq!(zip.require_header("content-disposition"), "attachment; filename=\"hello-1.0.0.zip\"");
    drop(registry);
}

#[test]
fn nginx_serves_assets_immutable_and_compressed() {
    let (registry, nginx) = served();
    let client = nginx.client();
    let compressed = client.with("accept-encoding", "gzip");
    let mut shorter = 0;
    for file in registry.tree() {
        let is_asset = file.starts_with("assets/");
        if file.ends_with(".gz") || !(is_asset || file.ends_with(".html")) {
            continue;
        }
        let path = format!("/{file}");
        let response = client.get(&path).expect(200);
        assert!(response.body == registry.tree_file(&file), "{path}");
        assert_eq!(
            response.require_header("cache-control"),
            if is_asset { FOREVER } else { FRESH },
            "{path}"
        );
        let kind = match file.rsplit('.').next() {
            Some("html") => "text/html; charset=utf-8",
            Some("css") => "text/css; charset=utf-8",
            Some("js") => "text/javascript; charset=utf-8",
            Some("svg") => "image/svg+xml",
            Some("txt") => "text/plain; charset=utf-8",
            other => panic!("{other:?}"),
        };
        assert_eq!(response.require_header("content-type"), kind, "{path}");
        let small = compressed.get(&path).expect(200);
        // The sibling, or what nginx makes as it sends it.
        let is_compressed = response.body.len() >= 1024;
        assert_eq!(small.header("content-encoding"), is_compressed.then_some("gzip"), "{path}");
        if is_compressed {
            shorter += 1;
            assert_eq!(small.require_header("vary"), "Accept-Encoding", "{path}");
            assert_eq!(small.require_header("content-type"), kind, "{path}");
            assert!(small.decompressed() == response.body, "{path}");
        }
    }
    assert!(shorter > 5, "{shorter}");
}
