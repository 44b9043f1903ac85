//! Single files of a version.

use crate::harness::{Registry, Skill, noise, sha256};

#[test]
fn file_is_sent_in_a_form_that_no_browser_runs() {
    let registry = Registry::start();
    let admin = registry.admin();
    let page = "<script>alert(document.domain)</script>";
    let skill = Skill::named("hello")
        .file("page.html", page)
        .file("docs/ä b.svg", "<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>")
        .file("logo.png", b"\x89PNG\xff");
    registry.publish(skill).version("1.0.0").by(&admin).expect(201);
    registry.publish(Skill::named("hello").text("Louder.\n")).version("1.1.0").by(&admin).expect(201);
    let base = "/api/v1/skills/global/hello/versions/1.0.0";
    let file = |query: &str| registry.get(&format!("{base}/file?{query}"));

    let html = file("path=page.html").expect(200);
    assert_eq!((html.text().as_str(), html.header("content-disposition")), (page, None));
    for response in [&html, &file("path=docs%2F%C3%A4+b.svg").expect(200)] {
        assert_eq!(response.header("content-type"), Some("text/plain; charset=utf-8"));
    }
    let logo = file("path=logo.png").expect(200);
    assert_eq!(logo.body, b"\x89PNG\xff");
    assert_eq!(logo.header("content-type"), Some("application/octet-stream"));
    assert_eq!(logo.header("content-disposition"), Some("attachment; filename=\"logo.png\""));
    let package = registry.get(&format!("{base}/download")).expect(200);
    for response in [&html, &logo] {
        assert_eq!(response.header("content-security-policy"), Some("sandbox; default-src 'none'"));
        assert_eq!(response.header("x-content-type-options"), Some("nosniff"));
        for name in ["cache-control", "access-control-allow-origin", "accept-ranges"] {
            assert_eq!(response.header(name), package.header(name), "{name}");
        }
    }
    let tag = format!("\"{}\"", sha256(page.as_bytes()));
    assert_eq!(html.header("etag"), Some(tag.as_str()));
    let path = format!("{base}/file?path=page.html");
    registry.anonymous().with("if-none-match", &tag).get(&path).expect(304);
    assert_eq!(registry.anonymous().with("range", "bytes=1-6").get(&path).expect(206).text(), "script");
    assert!(registry.anonymous().head(&path).expect(200).body.is_empty());

    for query in [
        "path=../SKILL.md",
        "path=docs",
        "path=nothing",
        "path=%2Fetc%2Fpasswd",
        "path=%00",
        "path=SKILL.md/",
    ] {
        let problem = file(query).problem(404, "not_found");
        assert!(problem["detail"].as_str().unwrap().starts_with("There is no file "), "{problem}");
    }
    for query in ["", "path="] {
        file(query).problem(400, "invalid_request");
    }
    for unknown in ["hello/versions/9.9.9", "nothing/versions/1.0.0"] {
        registry
            .get(&format!("/api/v1/skills/global/{unknown}/file?path=SKILL.md"))
            .problem(404, "not_found");
    }
    registry.yank("global/hello", "1.0.0", &admin).expect(200);
    file("path=SKILL.md").expect(200);
    registry.remove("global/hello", &admin).expect(204);
    file("path=SKILL.md").problem(410, "gone");
}

#[test]
fn large_file_is_refused() {
    let registry = Registry::with_config("[limits]\nfile = 20000000\n");
    let skill = Skill::named("large").file("large.txt", noise((16 << 20) + 1, 1));
    registry.publish(skill).version("1.0.0").by(&registry.admin()).expect(201);
    let path = "/api/v1/skills/global/large/versions/1.0.0/file?path=large.txt";
    registry.get(path).problem(413, "too_large");
}
