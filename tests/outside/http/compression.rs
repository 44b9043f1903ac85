//! Compressed answers, and documents from memory: what is asked for decides the
//! answer, and nothing else does.

use std::io::Read;

use crate::harness::{Answer, Registry, Skill};

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

fn inflated(bytes: &[u8]) -> Vec<u8> {
    let mut plain = Vec::new();
    flate2::read::GzDecoder::new(bytes).read_to_end(&mut plain).expect("gzip");
    plain
}

/// All of an answer that a reader may go by.
fn essence(answer: &Answer) -> (u16, Vec<(String, String)>, Vec<u8>) {
    let own = |name: &str| !["date", "x-request-id"].contains(&name);
    let headers = answer.headers.iter().filter(|(name, _)| own(name.as_str()));
    let mut headers: Vec<_> =
        headers.map(|(name, value)| (name.to_string(), value.to_str().unwrap().to_owned())).collect();
    headers.sort();
    // A problem names its request.
    let body = if answer.status == 416 { Vec::new() } else { answer.body.clone() };
    (answer.status, headers.into_iter().filter(|_| answer.status != 416).collect(), body)
}

#[test]
fn who_takes_gzip_gets_it() {
    let registry = library("");
    for path in LARGE {
        let plain = registry.get(path).expect(200);
        let gzip = registry.anyone().with("accept-encoding", "br, gzip;q=0.5").get(path).expect(200);
        assert_eq!(plain.header("content-encoding"), None);
        assert_eq!(gzip.must_have("content-encoding"), "gzip");
        assert_eq!(inflated(&gzip.body), plain.body, "{path}");
        assert!(gzip.body.len() < plain.body.len());
        assert_eq!(gzip.must_have("content-length"), gzip.body.len().to_string());
        assert_ne!(gzip.must_have("etag"), plain.must_have("etag"));
        for answer in [&plain, &gzip] {
            assert_eq!(answer.must_have("vary"), "Accept-Encoding");
            assert!(!answer.must_have("etag").starts_with("W/"));
        }
        let head = registry.anyone().with("accept-encoding", "gzip").head(path).expect(200);
        assert_eq!(head.must_have("content-length"), gzip.body.len().to_string());
        assert_eq!(head.must_have("content-encoding"), "gzip");
        for refused in ["gzip;q=0", "identity", "*;q=0", "identity, gzip;q=0.5"] {
            let answer = registry.anyone().with("accept-encoding", refused).get(path).expect(200);
            assert_eq!((answer.header("content-encoding"), &answer.body), (None, &plain.body), "{refused}");
        }
        // Whichever one has: it is not sent again, and keeps its tag.
        for (tag, accepted) in [(&plain, "gzip"), (&gzip, "gzip"), (&gzip, "identity"), (&plain, "identity")]
        {
            let tag = tag.must_have("etag");
            let client = registry.anyone().with("accept-encoding", accepted).with("if-none-match", tag);
            let answer = client.get(path).expect(304);
            assert_eq!((answer.must_have("etag"), answer.must_have("vary")), (tag, "Accept-Encoding"));
        }
        let part = registry.anyone().with("accept-encoding", "gzip").with("range", "bytes=0-9").get(path);
        let part = part.expect(206);
        assert_eq!(part.header("content-encoding"), None);
        assert_eq!(part.body, plain.body[..10]);
    }
    let small = registry.anyone().with("accept-encoding", "gzip").get(SMALL).expect(200);
    assert_eq!((small.header("content-encoding"), small.must_have("vary")), (None, "Accept-Encoding"));
    let zip = registry.anyone().with("accept-encoding", "gzip").get("/api/v1/download/hello/1.0.0");
    assert_eq!((zip.header("content-encoding"), zip.header("vary")), (None, None));
    assert_eq!(registry.anyone().get("/api/v1/skills.json.gz").status, 404);
}

#[test]
fn it_can_be_switched_off() {
    let registry = library("[mirror]\ngzip = false\n");
    let answer = registry.anyone().with("accept-encoding", "gzip").get(LARGE[0]).expect(200);
    assert_eq!((answer.header("content-encoding"), answer.header("vary")), (None, None));
    assert!(!registry.tree().iter().any(|file| file.ends_with(".gz")));
}

#[test]
fn an_answer_from_memory_is_the_one_from_the_file() {
    let mut registry = library("");
    let one = registry.anyone();
    let plain = one.get(LARGE[0]).expect(200);
    let gzip = one.with("accept-encoding", "gzip").get(LARGE[0]).expect(200);
    let tags = [plain.must_have("etag"), gzip.must_have("etag")];
    let both = format!("\"x\", {}", tags.join(", "));
    let conditions = [
        ("x-none", ""),
        ("if-none-match", tags[0]),
        ("if-none-match", tags[1]),
        ("if-none-match", &both),
        ("if-none-match", "*"),
        ("if-none-match", "\"other\""),
        ("if-modified-since", plain.must_have("last-modified")),
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
                        let mut client = registry.anyone().with("accept-encoding", coding);
                        client = client.with(condition, value).with(range, bytes);
                        if !unless.is_empty() {
                            client = client.with("if-range", unless);
                        }
                        for answer in [client.get(path), client.head(path)] {
                            let asked = format!("{} {coding} {value} {bytes} {unless}", answer.asked);
                            answers.push((asked, essence(&answer)));
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
    registry.start_again();
    for ((hot, cold), again) in first.iter().zip(ask(&registry)).zip(&second) {
        assert_eq!(*hot, cold);
        assert_eq!(hot, again);
    }
}
