//! Hosts that compress what they send, although nobody asks for it.

use std::io::Write;

use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::json;

use crate::harness::{FakeHost, Home, Registry, Reply, Skill, run};

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// A reply whose body is encoded so.
fn encoded(coding: &str, body: impl Into<Vec<u8>>) -> Reply {
    Reply::bytes(body).header("Content-Encoding", coding)
}

fn refusal(code: &str, reply: Reply) -> String {
    let host = FakeHost::answering(move |_| reply.clone());
    let why = Home::new().refusal(code, &["resolve", "hello", "--registry", &host.base]);
    for text in ["deflate stream", "gzip header", "crc"] {
        assert!(!why.contains(text), "{why}");
    }
    why
}

#[test]
fn unrequested_gzip_is_decoded_by_all_readers() {
    let registry = Registry::start();
    registry.publish(Skill::named("hello").description("Greets.")).by(&registry.admin()).expect(201);
    let tree = registry.tree_bytes();
    for coding in ["gzip", "X-GZIP", "identity, gzip"] {
        let tree = tree.clone();
        let host = FakeHost::answering(move |asked| {
            let file = tree.get(asked.path.trim_start_matches('/'));
            file.map_or(Reply::status(404), |bytes| encoded(coding, gzip(bytes)))
        });
        let home = Home::new().with("CLI_REGISTRY", &host.base);
        assert_eq!(home.json(&["search", "greets"])["results"][0]["slug"], "hello");
        assert_eq!(home.json(&["info", "hello", "--files"])["files"][0]["path"], "SKILL.md");
        home.run(&["install", "hello"]).ok();
        let mirror = ["generate", "--feed", &host.base, "--out", "mirror"];
        run(home.folder(), &mirror.map(Into::into)).ok();
        assert!(home.folder().join("mirror/api/v1/mirror/head.json").exists());
        let asked = host.asked();
        assert!(asked.iter().all(|asked| asked.header("accept-encoding") == Some("identity")), "{asked:?}");
    }
}

#[test]
fn refusal_in_gzip_is_shown_with_its_own_words() {
    let problem =
        json!({"code": "forbidden", "status": 403, "title": "x", "detail": "This is not for everybody."});
    let why = refusal("forbidden", encoded("gzip", gzip(problem.to_string().as_bytes())).with_status(403));
    assert_eq!(why, "This is not for everybody.");
}

#[test]
fn damaged_or_unknown_encoding_is_a_sentence() {
    let whole = gzip(&[b' '; 10_000]);
    let mut damaged = whole.clone();
    damaged[12] ^= 0xff;
    for (reply, code, expected) in [
        (encoded("gzip", &whole[..whole.len() / 2]), "truncated", "the download broke off"),
        (encoded("gzip", &whole[..whole.len() - 4]), "truncated", "the download broke off"),
        (encoded("gzip", damaged), "unexpected_answer", "is damaged"),
        (encoded("gzip", "plain text"), "unexpected_answer", "is damaged"),
        (encoded("br", "x"), "unexpected_answer", "`Content-Encoding: br`"),
        (encoded("zstd", "x"), "unexpected_answer", "`Content-Encoding: zstd`"),
        (encoded("deflate", "x"), "unexpected_answer", "`Content-Encoding: deflate`"),
        (encoded("gzip, br", "x"), "unexpected_answer", "`Content-Encoding: gzip, br`"),
    ] {
        let why = refusal(code, reply);
        assert!(why.contains(expected), "{why}");
    }
}

#[test]
fn compressed_bytes_do_not_exceed_the_limit() {
    let bomb = gzip(&vec![b' '; 40 << 20]);
    let why = refusal("too_large", encoded("gzip", bomb));
    assert!(why.contains("limit of 16777216 bytes"), "{why}");
    // Each member is empty, so that they decode to nothing.
    refusal("too_large", encoded("gzip", gzip(b"").repeat(3000)).endless());
}
