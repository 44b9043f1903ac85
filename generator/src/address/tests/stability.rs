//! Addresses that clients and hosts rely on.

use crate::address::*;

fn locate_url(url: &str) -> Option<Document> {
    let (path, query) = url.split_once('?').unwrap_or((url, ""));
    locate(path, query).unwrap()
}

#[test]
fn settled_addresses() {
    let file = |url: &str| locate_url(url).map(|document| document.name());
    for (url, expected) in [
        ("/api/v1/skills", "api/v1/skills.json"),
        ("/api/v1/skills?sort=updated&page=1&size=20&namespace=&utm=1", "api/v1/skills.json"),
        ("/api/v1/skills?sort=stars&page=2", "api/v1/skills/_list/_all/stars-2.json"),
        ("/api/v1/skills?namespace=team", "api/v1/skills/_list/team/updated-1.json"),
        ("/api/v1/skills/team/x/resolve?version=1.0.0", "/api/v1/skills/team/x/resolve?version=1.0.0"),
        ("/api/v1/skills/team/x/resolve?tag=beta", "api/v1/skills/team/x/resolve/beta.json"),
        ("/api/v1/skills/team/x/resolve?tag=latest", "/api/v1/skills/team/x/resolve?tag=latest"),
        ("/api/v1/skills/team/x/download", "api/v1/skills/team/x/download.zip"),
        ("/api/v1/resolve?slug=global--x", "api/v1/resolve/x.json"),
        ("/api/v1/resolve?slug=team--x&version=latest", "/api/v1/resolve?slug=team--x&version=latest"),
        ("/api/v1/download/x/1.0.0", "api/v1/download/x/1.0.0.zip"),
        ("/api/v1/namespaces?page=2", "api/v1/namespaces/_list/2.json"),
        ("/api/v1/mirror/counters/0a.json", "api/v1/mirror/counters/0a.json"),
        ("/.well-known/registry.json", ".well-known/registry.json"),
        ("/api/v1/search", "api/v1/search.json"),
        ("/api/v1/search?q=+-+&page=1&limit=20", "api/v1/search.json"),
        ("/api/v1/search?q=%20PDF+&page=1", "api/v1/search/_q/pdf.json"),
        ("/api/v1/search/_q/pdf", "api/v1/search/_q/pdf.json"),
        ("/api/v1/search?q=pdf&page=2&limit=7", "/api/v1/search?q=pdf&page=2&limit=7"),
        ("/api/v1/search?q=pdf-tools", "/api/v1/search?q=pdf-tools&page=1&limit=20"),
        ("/api/v1/search?q=two+words", "/api/v1/search?q=two+words&page=1&limit=20"),
        ("/api/v1/search?q=&page=2", "/api/v1/search?q=&page=2&limit=20"),
        ("/api/v1/search/_index/manifest.bin", "api/v1/search/_index/manifest.bin"),
        ("/api/v1/search/_index/00ff00ff00ff00ff.bin", "api/v1/search/_index/00ff00ff00ff00ff.bin"),
        ("/api/v1/skills?keyword=+Greet", "/api/v1/skills?keyword=greet&page=1&size=20"),
        (
            "/api/v1/skills?keyword=%C3%84&sort=name&namespace=team",
            "/api/v1/skills?keyword=%C3%A4&namespace=team&sort=name&page=1&size=20",
        ),
        ("/api/v1/skills?keyword=%20", "api/v1/skills.json"),
        ("/api/v1/openapi.json", "api/v1/openapi.json"),
        // Below the API, suffixes of web pages do not count.
        ("/api/v1/skills/a/b/versions/1.0.0-rc.bin", "api/v1/skills/a/b/versions/1.0.0-rc.bin.json"),
        ("/api/v1/skills/a/b/resolve?tag=next.js", "api/v1/skills/a/b/resolve/next.js.json"),
        ("/api/v1/download/x/next.css", "api/v1/download/x/next.css.zip"),
        ("/", "index.html"),
        ("/?q=1", "index.html"),
        ("/index.html", "index.html"),
        ("/404.html", "404.html"),
        ("/404/", "404/index.html"),
        ("/search/?q=pdf", "search/index.html"),
        ("/namespaces/_page/2/", "namespaces/_page/2/index.html"),
        ("/global/", "global/index.html"),
        ("/team/hello/", "team/hello/index.html"),
        ("/team/hello/index.html", "team/hello/index.html"),
        ("/team/_page/7/", "team/_page/7/index.html"),
    ] {
        assert_eq!(file(url).as_deref(), Some(expected), "{url}");
    }
    for absent in [
        "",
        "//",
        "/team",
        "/team/hello",
        "/team/hello/more/",
        "/team/hello//",
        "/team/Hello/",
        "/api/",
        "/api/x/",
        "/assets/",
        "/assets/0000000000000000/search.js",
        "/search/more/",
        "/namespaces/_page/1/",
        "/team/_page/02/",
        "/team/_page/0/",
        "/team/_page/9007199254740992/",
        "/team/_page/",
        "/team/404.html",
        "/team/hello.html",
        "/teamindex.html",
        "/index.html/",
        "/.well-known/",
        "/api/v1/skills/",
        "/api/v1/skills/team",
        "/api/v1/skills/team/x/",
        "/api/v1/mirror/head",
        "/api/v1/skills/team/x.zip",
        "/api/v1/skills/_list/_all/updated-01",
        // No query can ask for this page.
        "/api/v1/skills/_list/_all/updated-9007199254740992.json",
        "/api/v1/namespaces/_list/18446744073709551615",
        "/api/v1/mirror/counters/A0.json",
        "/api/v1/resolve/global--x.json",
        "/api/v1/resolve/x/1.0.0.json",
        "/api/v1/skills/team/x/resolve/latest",
        "/api/v1/skills/team/x/resolve/1.0.0.json",
        "/api/v1/skills/_list/_all/name.json",
        "/api/v1/skills/team/x/resolve?version=banana",
        "/.well-known/registry",
        "/api/v1/search/_index/manifest",
        "/api/v1/search/_index/manifest.json",
        "/api/v1/search/_index/00FF00ff00ff00ff.bin",
        "/api/v1/search/_index/0ff.bin",
        "/api/v1/search/_q/PDF.json",
        "/api/v1/search/_q/two words.json",
        "/api/v1/search/_q/pdf-tools.json",
        "/api/v1/search/_q/pdf/20/1.json",
        "/api/v1/search/_q/.json",
        "/api/v1/search.bin",
        "/api/v1/openapi",
        "/api/v1/mirror/changes/0.json",
        "/api/v1/skills/team/x/versions/1.0.0.json/files",
    ] {
        assert_eq!(file(absent), None, "{absent}");
    }
    for (path, query) in [
        ("/api/v1/skills", "page=0"),
        ("/api/v1/skills", "size=101"),
        ("/api/v1/skills", "sort=best"),
        ("/api/v1/skills", "keyword=x&sort=best"),
        ("/api/v1/search", "q=x&limit=101"),
        ("/api/v1/search", "q=x&page=0"),
        ("/api/v1/skills", "page=x"),
        ("/api/v1/resolve", ""),
        ("/api/v1/skills/a/b/resolve", "version=1.0.0&tag=a"),
        ("/api/v1/skills/a/b/resolve", "version="),
        ("/api/v1/skills/a/b/resolve", "tag="),
    ] {
        assert!(locate(path, query).is_err(), "{path}?{query}");
    }
    let long = |length: usize| format!("q={}", "ä".repeat(length));
    assert!(locate("/api/v1/search", &long(200)).is_ok());
    assert!(locate("/api/v1/search", &long(201)).is_err());
}
