//! Compression and cached documents: only the request decides the response.

use crate::harness::{Registry, Response, Skill, gunzip};

/// Over 1 KiB each, and one that is not.
const LARGE: [&str; 3] = ["/api/v1/skills", "/api/v1/skills.json", "/api/v1/skills/global/hello/versions"];
const SMALL: &str = "/api/v1/resolve?slug=hello";

fn library(config: &str) -> Registry {
    let registry = Registry::with_config(config);
    let admin = registry.admin();
    for name in ["hello", "other", "third"] {
        for version in ["1.0.0", "1.1.0", "1.2.0"] {
            let skill = Skill::named(name).text(version);
            registry.publish(skill).version(version).by(&admin).expect(201);
        }
    }
    registry
}

/// All of an answer that a reader may go by.
fn essence(response: &Response) -> (u16, Vec<(String, String)>, Vec<u8>) {
    let own = |name: &str| !["date", "x-request-id"].contains(&name);
    let headers = response.headers.iter().filter(|(name, _)| own(name.as_str()));
    let mut headers: Vec<_> =
        headers.map(|(name, value)| (name.to_string(), value.to_str().unwrap().to_owned())).collect();
    headers.sort();
    // A problem names its request.
    let body = if response.status == 416 { Vec::new() } else { response.body.clone() };
    (response.status, headers.into_iter().filter(|_| response.status != 416).collect(), body)
}

#[test]
fn client_that_accepts_gzip_gets_gzip() {
    let registry = library("");
    for path in LARGE {
        let plain = registry.get(path).expect(200);
        let gzip = registry.anonymous().with("accept-encoding", "br, gzip;q=0.5").get(path).expect(200);
        assert_eq!(plain.header("content-encoding"), None);
        assert_eq!(gzip.require_header("content-encoding"), "gzip");
        assert_eq!(gunzip(&gzip.body), plain.body, "{path}");
        assert!(gzip.body.len() < plain.body.len());
        assert_eq!(gzip.require_header("content-length"), gzip.body.len().to_string());
        assert_ne!(gzip.require_header("etag"), plain.require_header("etag"));
        for response in [&plain, &gzip] {
            assert_eq!(response.require_header("vary"), "Accept-Encoding");
            assert!(!response.require_header("etag").starts_with("W/"));
        }
        let head = registry.anonymous().with("accept-encoding", "gzip").head(path).expect(200);
        assert_eq!(head.require_header("content-length"), gzip.body.len().to_string());
        assert_eq!(head.require_header("content-encoding"), "gzip");
        for refused in ["gzip;q=0", "identity", "*;q=0", "identity, gzip;q=0.5"] {
            let response = registry.anonymous().with("accept-encoding", refused).get(path).expect(200);
            assert_eq!(
                (response.header("content-encoding"), &response.body),
                (None, &plain.body),
                "{refused}"
            );
        }
        // Whichever one has: it is not sent again, and keeps its tag.
        for (tag, accepted) in [(&plain, "gzip"), (&gzip, "gzip"), (&gzip, "identity"), (&plain, "identity")]
        {
            let tag = tag.require_header("etag");
            let client = registry.anonymous().with("accept-encoding", accepted).with("if-none-match", tag);
            let response = client.get(path).expect(304);
            assert_eq!(
                (response.require_header("etag"), response.require_header("vary")),
                (tag, "Accept-Encoding")
            );
        }
        let part = registry.anonymous().with("accept-encoding", "gzip").with("range", "bytes=0-9").get(path);
        let part = part.expect(206);
        assert_eq!(part.header("content-encoding"), None);
        assert_eq!(part.body, plain.body[..10]);
    }
    let small = registry.anonymous().with("accept-encoding", "gzip").get(SMALL).expect(200);
    assert_eq!((small.header("content-encoding"), small.require_header("vary")), (None, "Accept-Encoding"));
    let zip = registry.anonymous().with("accept-encoding", "gzip").get("/api/v1/download/hello/1.0.0");
    assert_eq!((zip.header("content-encoding"), zip.header("vary")), (None, None));
    assert_eq!(registry.anonymous().get("/api/v1/skills.json.gz").status, 404);
}

/// Answers that no file of the tree has.
const RENDERED: [&str; 9] = [
    "/api/v1/skills?size=3",
    "/api/v1/skills?sort=name&size=2",
    "/api/v1/skills?keyword=hello&size=20",
    "/api/v1/namespaces?size=7",
    "/api/v1/search?q=says+hello",
    "/api/v1/search?q=hello&limit=3",
    "/api/search?q=hello&limit=9",
    "/clawhub/api/v1/search?q=hello",
    "/clawhub/api/v1/skills/hello/versions",
];

#[test]
fn answers_to_queries_are_compressed() {
    let stored = library("public_url = \"https://skills.example.org\"\n");
    let without_tree = {
        let mut registry = Registry::not_started();
        registry.start_with(&["--no-mirror", "--public-url", "https://skills.example.org"]);
        let admin = registry.admin();
        for name in ["hello", "other", "third"] {
            registry.publish(Skill::named(name)).version("1.0.0").by(&admin).expect(201);
        }
        registry
    };
    let mut compressed = 0;
    for registry in [&stored, &without_tree] {
        let admin = registry.admin();
        for name in ["one", "two", "four", "five"] {
            let skill =
                Skill::named(name).description(&format!("Says hello to {name}. {}", "Long. ".repeat(60)));
            registry.publish(skill).version("1.0.0").by(&admin).expect(201);
        }
        for path in RENDERED.iter().chain(&LARGE[..1]) {
            let plain = registry.get(path).expect(200);
            let gzip =
                registry.anonymous().with("accept-encoding", "gzip, deflate, br").get(path).expect(200);
            let vary =
                |response: &Response| response.headers.get_all("vary").iter().any(|v| v == "Accept-Encoding");
            assert!(vary(&plain) && vary(&gzip), "{path}: {plain}");
            assert_eq!(plain.header("content-encoding"), None, "{path}");
            assert_eq!(gzip.header("content-encoding").is_some(), plain.body.len() > 1024, "{path}");
            for refused in ["gzip;q=0", "identity, gzip;q=0.5", "br"] {
                let response = registry.anonymous().with("accept-encoding", refused).get(path).expect(200);
                assert_eq!(
                    (response.header("content-encoding"), &response.body),
                    (None, &plain.body),
                    "{path}"
                );
            }
            if plain.body.len() <= 1024 {
                continue;
            }
            compressed += 1;
            assert_eq!(gunzip(&gzip.body), plain.body, "{path}");
            let client = registry.anonymous().with("accept-encoding", "gzip");
            let head = client.head(path).expect(200);
            assert_eq!(head.require_header("content-encoding"), "gzip", "{path}");
            assert_eq!(head.require_header("content-length"), gzip.body.len().to_string(), "{path}");
            let (Some(tag), Some(other)) = (gzip.header("etag"), plain.header("etag")) else { continue };
            assert_ne!(tag, other);
            for tag in [tag, other] {
                client.with("if-none-match", tag).get(path).expect(304);
                registry.anonymous().with("if-none-match", other).get(path).expect(304);
            }
            let part = client.with("range", "bytes=5-9").get(path).expect(206);
            assert_eq!((part.header("content-encoding"), &*part.body), (None, &plain.body[5..10]), "{path}");
        }
    }
    assert!(compressed > 8, "{compressed} answers are large enough");
}

#[test]
fn page_for_a_missing_address_is_compressed() {
    let registry = library("");
    let browser = registry.anonymous().with("accept", "text/html");
    let plain = browser.get("/nothing/here").expect(404);
    let gzip = browser.with("accept-encoding", "gzip").get("/nothing/here").expect(404);
    assert_eq!((plain.header("content-encoding"), gzip.header("content-encoding")), (None, Some("gzip")));
    assert_eq!(gunzip(&gzip.body), plain.body);
    for response in [plain, gzip] {
        let vary: Vec<_> = response.headers.get_all("vary").iter().map(|v| v.to_str().unwrap()).collect();
        assert!(vary.contains(&"Accept") && vary.contains(&"Accept-Encoding"), "{vary:?}");
    }
}

#[test]
fn compression_can_be_disabled() {
    let registry = library("[mirror]\ngzip = false\n");
    for path in RENDERED {
        let response = registry.anonymous().with("accept-encoding", "gzip").get(path);
        assert_eq!(response.header("content-encoding"), None, "{path}");
    }
    let response = registry.anonymous().with("accept-encoding", "gzip").get(LARGE[0]).expect(200);
    assert_eq!((response.header("content-encoding"), response.header("vary")), (None, None));
    assert!(!registry.tree().iter().any(|file| file.ends_with(".gz")));
}

#[test]
fn cached_response_equals_the_file() {
    let mut registry = library("");
    let one = registry.anonymous();
    let plain = one.get(LARGE[0]).expect(200);
    let gzip = one.with("accept-encoding", "gzip").get(LARGE[0]).expect(200);
    let tags = [plain.require_header("etag"), gzip.require_header("etag")];
    let both = format!("\"x\", {}", tags.join(", "));
    let conditions = [
        ("x-none", ""),
        ("if-none-match", tags[0]),
        ("if-none-match", tags[1]),
        ("if-none-match", &both),
        ("if-none-match", "*"),
        ("if-none-match", "\"other\""),
        ("if-modified-since", plain.require_header("last-modified")),
        ("if-modified-since", "Sun, 06 Nov 1994 08:49:37 GMT"),
    ];
    let ranges = [
        ("x-none", "", ""),
        ("range", "bytes=0-9", ""),
        ("range", "bytes=9999999-", ""),
        ("range", "bytes=0-9", tags[0]),
        ("range", "bytes=0-9", tags[1]),
    ];
    let ask = |registry: &Registry| {
        let mut answers = Vec::new();
        for path in LARGE.iter().chain([&SMALL, &"/api/v1/mirror/head.json", &"/api/v1/skills?page=1"]) {
            for coding in ["identity", "gzip", "gzip;q=0", "*"] {
                for (condition, value) in conditions {
                    for (range, bytes, unless) in ranges {
                        let mut client = registry.anonymous().with("accept-encoding", coding);
                        client = client.with(condition, value).with(range, bytes);
                        if !unless.is_empty() {
                            client = client.with("if-range", unless);
                        }
                        for response in [client.get(path), client.head(path)] {
                            let asked = format!("{} {coding} {value} {bytes} {unless}", response.asked);
                            answers.push((asked, essence(&response)));
                        }
                    }
                }
            }
        }
        answers
    };
    let (first, second) = (ask(&registry), ask(&registry));
    registry.stop();
    registry.write("config.toml", b"[reads]\nmemory = 0\n");
    registry.restart();
    for ((hot, cold), again) in first.iter().zip(ask(&registry)).zip(&second) {
        assert_eq!(*hot, cold);
        assert_eq!(hot, again);
    }
}
