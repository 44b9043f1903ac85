//! HTTP of public reads: HEAD, validators, ranges, headers.

use crate::harness::{Registry, Shared, Skill, noise, sha256};

static LIBRARY: Shared<Registry> = Shared::new();

const ZIPS: &[(&str, &str)] = &[
    ("/api/v1/skills/tools/hello/download", "hello-1.0.0.zip"),
    ("/api/v1/skills/tools/hello/versions/1.0.0/download", "hello-1.0.0.zip"),
    ("/api/v1/download/tools--hello/1.0.0", "tools--hello-1.0.0.zip"),
    ("/api/v1/download/tools--hello/latest", "tools--hello-1.0.0.zip"),
];

const DOCUMENTS: &[&str] = &[
    "/api/v1/skills",
    "/api/v1/skills/tools/hello",
    "/api/v1/skills/tools/hello/versions",
    "/api/v1/skills/tools/hello/resolve?version=1.0.0",
    "/api/v1/namespaces/tools",
    "/api/v1/mirror/head.json",
    "/.well-known/registry.json",
    "/api/v1/openapi.json",
];

fn library() -> Registry {
    // The tests download, and read what stays as it is.
    let registry = Registry::with_config("[mirror]\ncounter_interval = 86400\n");
    let admin = registry.admin();
    registry.team("tools", &admin);
    let skill = Skill::named("hello").file("data.bin", noise(3000, 3));
    registry.publish(skill).to("tools").by(&admin).expect(201);
    registry
}

#[test]
fn head_equals_get_without_body() {
    let registry = LIBRARY.get(library);
    for path in DOCUMENTS.iter().chain(ZIPS.iter().map(|(path, _)| path)) {
        let get = registry.get(path).expect(200);
        let head = registry.anonymous().head(path).expect(200);
        assert!(head.body.is_empty(), "{head}");
        for header in ["content-type", "etag", "cache-control", "content-length"] {
            assert_eq!(head.header(header), get.header(header), "{header} of {head}");
        }
        assert_eq!(head.require_header("content-length"), get.body.len().to_string());
    }
    assert_eq!(registry.anonymous().head("/api/v1/skills/tools/nothing").status, 404);
}

#[test]
fn unchanged_document_is_304() {
    let registry = LIBRARY.get(library);
    for path in DOCUMENTS.iter().chain(ZIPS.iter().map(|(path, _)| path)) {
        let etag = registry.get(path).expect(200).require_header("etag").to_owned();
        for known in [etag.clone(), format!("\"other\", {etag}"), format!("W/{etag}"), "*".to_owned()] {
            let response = registry.anonymous().with("if-none-match", &known).get(path).expect(304);
            assert!(response.body.is_empty(), "{response}");
            assert_eq!(response.require_header("etag"), etag);
        }
        registry.anonymous().with("if-none-match", "\"other\"").get(path).expect(200);
    }
}

#[test]
fn etag_is_a_digest_of_the_content() {
    let registry = LIBRARY.get(library);
    for (path, _) in ZIPS {
        let response = registry.get(path).expect(200);
        assert_eq!(response.require_header("etag"), format!("\"{}\"", sha256(&response.body)), "{path}");
    }
    let etag = |path: &str| registry.get(path).expect(200).require_header("etag").to_owned();
    assert_eq!(etag("/api/v1/skills"), etag("/api/v1/skills?page=1"), "equal bytes, equal ETag");
    assert_ne!(etag("/api/v1/skills"), etag("/api/v1/namespaces"));
}

#[test]
fn zip_has_its_headers() {
    let registry = LIBRARY.get(library);
    for (path, name) in ZIPS {
        let response = registry.get(path).expect(200);
        assert_eq!(response.require_header("content-type"), "application/zip");
        assert_eq!(
            response.require_header("content-disposition"),
            format!("attachment; filename=\"{name}\""),
            "{path}"
        );
        assert_eq!(response.require_header("accept-ranges"), "bytes");
        let digest = response.require_header("repr-digest");
        assert!(digest.starts_with("sha-256=:") && digest.ends_with("=:"), "{digest}");
    }
}

#[test]
fn versions_are_cached_for_a_year_and_others_for_a_minute() {
    let registry = LIBRARY.get(library);
    for path in ["/api/v1/skills/tools/hello/versions/1.0.0/download", "/api/v1/download/tools--hello/1.0.0"]
    {
        let response = registry.get(path).expect(200);
        let life = response.require_header("cache-control");
        assert!(life.contains("max-age=31536000") && life.contains("immutable"), "{path}: {life}");
    }
    let moving = ["/api/v1/skills/tools/hello/download", "/api/v1/download/tools--hello/latest"];
    for path in DOCUMENTS.iter().chain(&moving) {
        let response = registry.get(path).expect(200);
        let life = response.require_header("cache-control");
        assert!(life.contains("max-age=60") && life.contains("must-revalidate"), "{path}: {life}");
        assert!(!life.contains("stale-while-revalidate") && !life.contains("immutable"), "{path}: {life}");
    }
}

#[test]
fn range_of_a_zip_is_206() {
    let registry = LIBRARY.get(library);
    for (path, _) in ZIPS {
        let whole = registry.get(path).expect(200).body;
        let length = whole.len();
        let part = |range: &str| registry.anonymous().with("range", range).get(path);
        let ranges = [
            ("bytes=0-9".to_owned(), 0..10),
            ("bytes=10-".to_owned(), 10..length),
            ("bytes=-5".to_owned(), length - 5..length),
            (format!("bytes=0-{}", length + 100), 0..length),
        ];
        for (range, bytes) in ranges {
            let response = part(&range).expect(206);
            assert_eq!(response.body, whole[bytes.clone()], "{path} {range}");
            let place = format!("bytes {}-{}/{length}", bytes.start, bytes.end - 1);
            assert_eq!(response.require_header("content-range"), place);
        }
        let outside = part(&format!("bytes={length}-"));
        outside.problem(416, "range_not_satisfiable");
        assert_eq!(outside.require_header("content-range"), format!("bytes */{length}"));
        part("lines=1-2").expect(200);
    }
}

#[test]
fn range_of_a_changed_document_is_the_whole() {
    let registry = LIBRARY.get(library);
    let (path, _) = ZIPS[1];
    let whole = registry.get(path).expect(200);
    let ranged = registry.anonymous().with("range", "bytes=0-9");
    ranged.with("if-range", whole.require_header("etag")).get(path).expect(206);
    assert_eq!(ranged.with("if-range", "\"other\"").get(path).expect(200).body, whole.body);
}

#[test]
fn page_of_a_skill_is_markdown_for_those_who_prefer_it() {
    let registry = LIBRARY.get(library);
    let (page, file) = ("/tools/hello/", registry.get("/tools/hello/index.md").expect(200));
    assert_eq!(file.require_header("content-type"), "text/markdown; charset=utf-8");
    let reader = |accept| registry.anonymous().with("accept", accept);
    for accept in ["text/markdown", "text/markdown, text/html;q=0.9", "text/markdown, */*"] {
        let markdown = reader(accept).get(page).expect(200);
        assert_eq!(
            (&markdown.body, markdown.require_header("etag")),
            (&file.body, file.require_header("etag"))
        );
        assert_eq!(markdown.require_header("content-type"), "text/markdown; charset=utf-8");
    }
    for accept in ["text/html", "*/*", "text/html, text/markdown;q=0.5"] {
        let html = reader(accept).get(page).expect(200);
        assert_eq!(html.require_header("content-type"), "text/html; charset=utf-8", "{accept}");
        // A cache keeps both forms under one address.
        assert!(html.headers.get_all("vary").iter().any(|name| name == "Accept"), "{html}");
    }
    // Other pages have no such form.
    let search = reader("text/markdown").get("/search/").expect(200);
    assert_eq!(search.require_header("content-type"), "text/html; charset=utf-8");
}
