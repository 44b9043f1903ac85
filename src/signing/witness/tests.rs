use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;

use data_encoding::BASE64;
use ed25519_dalek::{Signer as _, SigningKey};
use registry::transparency_log::{Checkpoint, Leaf, LogIndex, LogName};

use super::*;

/// The vkey of a witness whose secret is 32 bytes 01.
const KEY: &str = "witness.example+3c436f90+BIqI4910CfGV/VLbLTy6XXLKZwm/HZQSG/N0iAG0D29c";
const KEY_ID: [u8; 4] = [0x3c, 0x43, 0x6f, 0x90];

/// A log of `size` leaves and its checkpoint. The signature of the log is not looked at.
fn log(size: u64) -> (SignedCheckpoint, LogIndex) {
    let mut log = LogIndex::default();
    for revision in 1..=size {
        log.push(&Leaf { revision, digest: registry::names::Digest::of(b"") });
    }
    let origin: LogName = "skills.example.org".parse().unwrap();
    let checkpoint = Checkpoint::of(origin, &log);
    let text = format!("{}\n— skills.example.org AAAAAAAA\n", checkpoint.text());
    (SignedCheckpoint { checkpoint, text }, log)
}

fn cosign(signed: &str) -> String {
    let (text, _) = signed.split_once("\n\n").unwrap();
    let secret = SigningKey::from_bytes(&[1; 32]);
    let signature = secret.sign(format!("cosignature/v1\ntime 7\n{text}\n").as_bytes()).to_bytes();
    format!("— witness.example {}\n", BASE64.encode(&[&KEY_ID, &7u64.to_be_bytes()[..], &signature].concat()))
}

/// A witness that gives one answer after the other, and what it was asked: the old size and the
/// number of hashes.
fn witness(answers: Vec<(u16, String)>) -> (Witness, std::thread::JoinHandle<Vec<(String, usize)>>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/prefix/", listener.local_addr().unwrap());
    let serve = move |(status, answer): (u16, String)| {
        let (mut stream, _) = listener.accept().unwrap();
        let mut reader = BufReader::new(stream.try_clone().unwrap());
        let mut line = String::new();
        let mut length = 0;
        while line != "\r\n" {
            line.clear();
            reader.read_line(&mut line).unwrap();
            assert!(!line.starts_with("POST") || line.starts_with("POST /prefix/add-checkpoint "), "{line}");
            let header = line.to_lowercase();
            length = header.strip_prefix("content-length: ").map_or(length, |it| it.trim().parse().unwrap());
        }
        let mut body = vec![0; length];
        reader.read_exact(&mut body).unwrap();
        let body = String::from_utf8(body).unwrap();
        let (head, signed) = body.split_once("\n\n").unwrap();
        let answer = answer.replace("COSIGNATURE", cosign(signed).trim_end());
        let headers = format!("content-length: {}\r\nconnection: close\r\nlocation: /", answer.len());
        write!(stream, "HTTP/1.1 {status} x\r\n{headers}\r\n\r\n{answer}").unwrap();
        let mut lines = head.lines();
        (lines.next().unwrap().to_owned(), lines.count())
    };
    let address = format!("{url} {KEY}").parse().unwrap();
    let host = std::thread::spawn(move || answers.into_iter().map(serve).collect());
    (Witness::new(address), host)
}

#[test]
fn witness_is_asked_with_the_size_that_it_names() {
    let answers = [(409, "2\n"), (200, "COSIGNATURE\n"), (200, "COSIGNATURE\n"), (200, "COSIGNATURE\n")];
    let (mut witness, host) = witness(answers.map(|(status, text)| (status, text.to_owned())).into());
    for size in [5, 9, 9] {
        let (signed, log) = log(size);
        let line = witness.ask(&signed, &|old, new| log.prove_consistency(old, new)).unwrap();
        assert!(witness.address.key.has_cosigned(&format!("{}{line}", signed.text)));
    }
    let asked: Vec<_> = host.join().unwrap();
    let asked: Vec<_> = asked.iter().map(|(old, hashes)| (&**old, *hashes > 0)).collect();
    assert_eq!(asked, [("old 0", false), ("old 2", true), ("old 5", true), ("old 9", false)]);
}

#[test]
fn witness_that_refuses_or_lies_is_named_with_its_reason() {
    let (signed, log_of_five) = log(5);
    let prove = |old, new| log_of_five.prove_consistency(old, new);
    let false_line = cosign(&log(4).0.text);
    for (answers, why) in [
        (vec![(409, "6\n")], "has cosigned 6 rows, but this tree has 5: it was rolled back"),
        (vec![(409, "2\n"), (409, "2\n")], "has cosigned other rows than the 2 of this tree"),
        (vec![(409, "2\n"), (422, "")], "has cosigned other rows than the 2 of this tree"),
        (vec![(409, "2\n"), (409, "3\n"), (409, "2\n")], "names another size each time"),
        (vec![(409, "two")], "answers 409 without a size"),
        (vec![(404, "")], "does not know this log"),
        (vec![(403, "")], "does not know the key of this log"),
        (vec![(500, "bro\u{7}ken\nmore")], "answers 500: bro"),
        (vec![(302, "")], "answers 302"),
        (vec![(200, "<html>")], "not a cosignature"),
        (vec![(200, "")], "no cosignature of the key witness.example+3c436f90"),
        (vec![(200, &false_line)], "its cosignature is false"),
    ] {
        let answers = answers.into_iter().map(|(status, text)| (status, text.to_owned())).collect();
        let (mut witness, host) = witness(answers);
        let refused = witness.ask(&signed, &prove).unwrap_err();
        assert!(refused.contains(why) && !refused.contains('\u{7}'), "{why}: {refused}");
        host.join().unwrap();
    }
    let closed = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let mut away = Witness::new(format!("http://{closed} {KEY}").parse().unwrap());
    assert!(away.ask(&signed, &prove).unwrap_err().contains("cannot be asked"));
}
