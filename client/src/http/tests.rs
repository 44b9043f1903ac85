#![allow(clippy::unwrap_used)]

use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use super::*;

/// Reads from a host that gives these answers, one per connection. Returns the final answer and the
/// pauses before it.
fn ask(answers: &'static [&'static str]) -> (Result<Answer, ClientError>, Vec<Duration>) {
    ask_with(answers, |http, url| http.get(url, None, 100, &mut |_, _| {}))
}

/// Sends a change of the given method, as [`ask`] reads.
fn change(method: Method, answers: &'static [&'static str]) -> (Result<Answer, ClientError>, Vec<Duration>) {
    ask_with(answers, |http, url| http.send(method, url, &"smt_x".parse().unwrap(), None))
}

fn ask_with(
    answers: &'static [&'static str],
    request: impl FnOnce(&Http, &Url) -> Result<Answer, ClientError>,
) -> (Result<Answer, ClientError>, Vec<Duration>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = Url::parse(&format!("http://{}/", listener.local_addr().unwrap())).unwrap();
    let host = std::thread::spawn(move || {
        for answer in answers {
            let (mut stream, _) = listener.accept().unwrap();
            let lines = BufReader::new(stream.try_clone().unwrap()).lines().map_while(Result::ok);
            lines.take_while(|line| !line.is_empty()).for_each(drop);
            stream.write_all(answer.as_bytes()).unwrap();
        }
    });
    let pauses = Arc::new(Mutex::new(Vec::new()));
    let recorder = Arc::clone(&pauses);
    let sleep = Box::new(move |pause| recorder.lock().unwrap().push(pause));
    let http = Http { sleep, ..Http::to(&url.as_str().parse().unwrap()) };
    let answer = request(&http, &url);
    host.join().unwrap();
    let pauses = pauses.lock().unwrap().clone();
    (answer, pauses)
}

#[test]
fn retry_waits_as_long_as_the_host_asks() {
    let (answer, pauses) = ask(&[
        "HTTP/1.1 503 X\r\nContent-Length: 0\r\nConnection: close\r\n\r\n",
        "HTTP/1.1 429 X\r\nRetry-After: 7\r\nContent-Length: 0\r\nConnection: close\r\n\r\n",
        "HTTP/1.1 200 X\r\nContent-Length: 9\r\nConnection: close\r\n\r\nhalf",
        "HTTP/1.1 200 X\r\nContent-Length: 5\r\nConnection: close\r\n\r\nwhole",
    ]);
    assert_eq!(answer.unwrap().body, b"whole");
    let millis: Vec<_> = pauses.iter().map(Duration::as_millis).collect();
    assert!((225..=375).contains(&millis[0]) && millis[1] == 7000, "{millis:?}");
    assert!((900..=1500).contains(&millis[2]) && millis.len() == 3, "{millis:?}");
}

#[test]
fn closed_connection_is_retried() {
    let (answer, pauses) = ask(&["", "HTTP/1.1 200 X\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"]);
    assert!(answer.is_ok() && pauses.len() == 1, "{answer:?}");
}

#[test]
fn post_whose_answer_is_lost_is_not_sent_again() {
    const DONE: &str = "HTTP/1.1 200 X\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
    const BUSY: &str = "HTTP/1.1 503 X\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
    const GATEWAY: &str = "HTTP/1.1 502 X\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
    const HALF: &str = "HTTP/1.1 200 X\r\nContent-Length: 9\r\nConnection: close\r\n\r\nhalf";
    for lost in [&["" as &str] as &'static [&'static str], &[GATEWAY], &[HALF]] {
        let (answer, pauses) = change(Method::POST, lost);
        let why = answer.unwrap_err();
        assert!(matches!(why, ClientError::AnswerLost { .. }) && pauses.is_empty(), "{lost:?}: {why}");
    }
    // A busy host has done nothing, and other methods have the same effect twice.
    let (answer, pauses) = change(Method::POST, &[BUSY, DONE]);
    assert!(answer.is_ok() && pauses.len() == 1, "{answer:?}");
    let (answer, pauses) = change(Method::DELETE, &["", GATEWAY, DONE]);
    assert!(answer.is_ok() && pauses.len() == 2, "{answer:?}");
}

#[test]
fn failure_is_reported_after_four_attempts() {
    const HALF: &str =
        "HTTP/1.1 200 X\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n4\r\nhalf\r\n";
    let (answer, pauses) = ask(&[HALF, HALF, HALF, HALF]);
    let why = answer.unwrap_err();
    assert!(matches!(why, ClientError::Truncated { received: 4, expected: None, .. }), "{why}");
    assert_eq!(pauses.len(), 3);
}

#[test]
fn long_retry_after_is_reported_at_once() {
    let (answer, pauses) =
        ask(&["HTTP/1.1 503 X\r\nRetry-After: 61\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"]);
    assert!(matches!(answer.unwrap_err(), ClientError::Busy { status: 503, after: Some(61), .. }));
    assert!(pauses.is_empty());
}

#[test]
fn refusal_before_the_body_is_read_at_once() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = Url::parse(&format!("http://{}/", listener.local_addr().unwrap())).unwrap();
    let host = std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        let mut lines = BufReader::new(stream.try_clone().unwrap()).lines().map_while(Result::ok);
        lines.by_ref().take_while(|line| !line.is_empty()).for_each(drop);
        stream.write_all(b"HTTP/1.1 413 X\r\nContent-Length: 3\r\n\r\nno\n").unwrap();
        // Like nginx, the host keeps the connection open. It ends when the client has its answer.
        lines.for_each(drop);
    });
    let upload = Upload { content_type: "text/plain", body: &[b'x'; 100_000] };
    let answer = Http::to(&url.as_str().parse().unwrap())
        .upload(&url, &"smt_x".parse().unwrap(), &upload, &mut |_, _| {})
        .unwrap();
    assert_eq!((answer.status, &*answer.body), (413, &b"no\n"[..]));
    host.join().unwrap();
}

#[test]
fn busy_host_is_shown_with_its_own_words() {
    const FULL: &str = "HTTP/1.1 503 X\r\nContent-Type: application/problem+json\r\nConnection: close\r\n\r\n\
                        {\"code\":\"unavailable\",\"detail\":\"The disk is full.\"}";
    let (answer, _) = ask(&[FULL; 4]);
    let why = answer.unwrap_err().to_string();
    assert!(why.ends_with("status 503: The disk is full: try again later"), "{why}");
}
