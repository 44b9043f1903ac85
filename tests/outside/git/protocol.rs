//! The protocol over HTTP: headers, conditions and refusals.

use super::publish;
use crate::harness::{Client, Registry, Response};

const REFS: &str = "/global/hello.git/info/refs?service=git-upload-pack";
const PACK: &str = "/global/hello.git/git-upload-pack";

/// A body of these lines; an empty one is a flush.
fn body(lines: &[&str]) -> Vec<u8> {
    let line = |line: &&str| match line.len() {
        0 => "0000".to_owned(),
        length => format!("{:04x}{line}", length + 4),
    };
    lines.iter().map(line).collect::<String>().into_bytes()
}

fn post(client: &Client, body: &[u8]) -> Response {
    client.with("content-type", "application/x-git-upload-pack-request").request(
        "POST",
        PACK,
        Some(body.to_vec()),
    )
}

/// The commit in a response with refs.
fn commit(refs: &Response) -> String {
    let text = refs.text();
    text.split("0000").nth(1).unwrap()[4..44].to_owned()
}

#[test]
fn refs_and_pack_are_documents() {
    for configuration in ["", "[mirror]\ngit = true\n"] {
        let registry = Registry::with_config(configuration);
        publish(&registry, "global", "1.0.0");
        let client = registry.anonymous();
        for (path, kind) in [(REFS, "advertisement"), (PACK, "result")] {
            let response = client.get(path).expect(200);
            let kind = format!("application/x-git-upload-pack-{kind}");
            assert_eq!(response.require_header("content-type"), kind);
            assert_eq!(response.require_header("cache-control"), "public, max-age=60, must-revalidate");
            let head = client.head(path).expect(200);
            assert_eq!(head.require_header("content-length"), response.body.len().to_string());
            let etag = response.require_header("etag");
            assert_eq!(head.require_header("etag"), etag);
            client.with("if-none-match", etag).get(path).expect(304);
            let part = client.with("range", "bytes=4-7").get(path).expect(206);
            assert_eq!(part.body, response.body[4..8]);
            if !configuration.is_empty() {
                let file = path[1..].split('?').next().unwrap();
                assert!(response.body == registry.tree_file(file), "{path}");
            }
        }
        let refs = client.get(REFS);
        assert!(refs.text().contains("symref=HEAD:refs/heads/main"), "{refs}");
        assert!(refs.text().contains(" refs/tags/1.0.0\n"), "{refs}");
        let pack = client.get(PACK).body;
        let want = format!("want {} side-band-64k\n", commit(&refs));
        let whole = post(&client, &body(&[&want, "", "done\n"])).expect(200);
        assert!(whole.body == pack, "the file is the response to a client without anything");
        assert_eq!(whole.require_header("cache-control"), "no-store");
        assert_eq!(whole.require_header("content-length"), pack.len().to_string());
        let cut = post(&client, &body(&[&want, "deepen 1", "", "done\n"])).expect(200);
        assert!(cut.body == [b"0000", &pack[..]].concat());
        // Version 2 is not spoken: git falls back.
        let version = client.with("git-protocol", "version=2");
        assert!(version.get(REFS).body == refs.body);
        assert!(post(&version, &body(&[&want, "", "done\n"])).body == pack);
    }
}

#[test]
fn head_of_a_pack_does_not_make_it() {
    let registry = Registry::start();
    publish(&registry, "global", "1.0.0");
    let client = registry.anonymous();
    let unmade = client.head(PACK).expect(200);
    assert_eq!((unmade.header("content-length"), unmade.header("etag")), (None, None));
    let pack = client.get(PACK).expect(200);
    for header in ["content-type", "cache-control", "accept-ranges", "access-control-allow-origin"] {
        assert_eq!(unmade.header(header), pack.header(header), "{header}");
    }
    let made = client.head(PACK).expect(200);
    assert_eq!(made.require_header("content-length"), pack.body.len().to_string());
    assert_eq!(made.header("etag"), pack.header("etag"));
    // Of several at once, one is made, and all are the same.
    publish(&registry, "global", "2.0.0");
    let packs: Vec<_> = std::thread::scope(|scope| {
        let each = |n: usize| {
            let client = client.with("range", &format!("bytes={n}-"));
            scope.spawn(move || client.get(PACK).expect(206).body)
        };
        (0..8).map(each).collect::<Vec<_>>().into_iter().map(|made| made.join().unwrap()).collect()
    });
    for (n, part) in packs.iter().enumerate() {
        assert!(*part == packs[0][n..], "{n}");
    }
}

#[test]
fn server_and_tree_have_the_same_commit() {
    let plain = Registry::start();
    publish(&plain, "global", "1.0.0");
    let mut registry = plain;
    let client = registry.anonymous();
    let made = [REFS, PACK].map(|path| client.get(path).expect(200).body);
    registry.stop();
    registry.write("config.toml", b"[mirror]\ngit = true\n");
    let config = registry.folder().join("config.toml");
    registry.start_with(&["--config", config.to_str().unwrap()]);
    let files = [REFS, PACK].map(|path| registry.tree_file(path[1..].split('?').next().unwrap()));
    assert!(made == files);
}

#[test]
fn client_with_older_refs_is_told_to_try_again() {
    for configuration in ["", "[mirror]\ngit = true\n"] {
        let registry = Registry::with_config(configuration);
        publish(&registry, "global", "1.0.0");
        let client = registry.anonymous();
        let want = format!("want {}\n", commit(&client.get(REFS)));
        publish(&registry, "global", "1.1.0");
        let response = post(&client, &body(&[&want, "", "done\n"])).expect(200);
        assert!(response.text().contains("ERR @global/hello has another version"), "{response}");
    }
}

#[test]
fn refusals_are_plain_sentences() {
    let registry = Registry::start();
    publish(&registry, "global", "1.0.0");
    let client = registry.anonymous();
    let refused = |response: Response, status: u16, sentence: &str| {
        let response = response.expect(status);
        assert_eq!(response.require_header("content-type"), "text/plain; charset=utf-8", "{response}");
        assert!(response.text().contains(sentence) && response.text().lines().count() == 1, "{response}");
    };
    let refs = |query: &str| client.get(&format!("/global/hello.git/info/refs{query}"));
    refused(refs(""), 400, "can only be read with git's smart HTTP protocol");
    refused(refs("?service=git-upload-archive"), 400, "can only be read with git's smart HTTP protocol");
    refused(refs("?service=git-receive-pack"), 403, "takes no pushes");
    refused(client.get("/global/none.git/info/refs?service=git-upload-pack"), 404, "check its name");
    refused(client.get("/global/hello.git/HEAD"), 404, "nothing at this address");
    refused(client.get("/global/hello.git/objects/info/packs"), 404, "nothing at this address");
    refused(client.request("PUT", PACK, None), 405, "GET, HEAD, POST");
    refused(client.request("POST", REFS, None), 405, "GET, HEAD");
    refused(post(&client, b"GET / HTTP/1.1"), 400, "no request of a git client");
    refused(post(&client, &vec![b'0'; 300 << 10]), 413, "clone into an empty folder");
    let gzip = client.with("content-encoding", "gzip");
    refused(post(&gzip, b"0000"), 400, "no valid gzip");
    refused(post(&gzip, &compressed(&vec![b'0'; 300 << 10])), 413, "clone into an empty folder");
    refused(post(&client.with("content-encoding", "br"), b"0000"), 415, "gzip");
    assert!(post(&gzip, &compressed(b"0000")).expect(200).body.is_empty());
    let none = client.with("content-type", "application/x-git-upload-pack-request");
    let want = body(&["want 4411e35a1d54ae54315e56646c1f25df91feee66\n", "deepen 1", ""]);
    refused(none.request("POST", "/global/none.git/git-upload-pack", Some(want)), 404, "check its name");
    // Clones are no writes, so no limit on writes counts them.
    assert_eq!(post(&client, b"0000").expect(200).header("ratelimit-limit"), None);
}

fn compressed(bytes: &[u8]) -> Vec<u8> {
    use std::io::Write;

    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}
