//! Hosts that answer something else than a registry does.

use std::io::Write;
use std::net::TcpListener;

use super::Told;
use crate::harness::{FakeHost, Home, Registry, Reply};

/// Bodies that are no document of a registry.
const BODIES: [&str; 9] =
    ["", "{", "[]", "null", "\"x\"", "{\"version\":5}", "<html>", "\u{1b}[2J", "{\"namespace\":\"A B\"}"];

#[test]
fn document_that_is_none_is_told_in_plain_words() {
    let mut told = Told::default();
    for body in BODIES {
        let host =
            FakeHost::answering(move |_| Reply::bytes(body).header("Content-Type", "application/json"));
        for command in
            [&["resolve", "hello"][..], &["search", "hello"], &["info", "hello"], &["install", "hello"]]
        {
            let output = Home::new().run(&[command, &["--registry", &host.base]].concat());
            told.fails(&format!("{command:?} reads {body:?}"), &output);
        }
        let registry = Registry::not_started();
        let output = registry.command(["generate", "--feed", &host.base]);
        told.fails(&format!("a mirror reads {body:?}"), &output);
    }
}

#[test]
fn answer_to_a_write_that_is_none_is_told_in_plain_words() {
    let mut told = Told::default();
    for body in BODIES {
        let host =
            FakeHost::answering(move |_| Reply::bytes(body).header("Content-Type", "application/json"));
        let home = Home::new();
        let output = home.run_with_input(&["login", "--token-stdin", "--registry", &host.base], "sm_token");
        told.fails(&format!("login reads {body:?}"), &output);
    }
}

/// A host that sends these bytes to each connection, and closes it.
fn sending(bytes: &'static [u8]) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let _ = stream.and_then(|mut stream| stream.write_all(bytes));
        }
    });
    address.to_string()
}

#[test]
fn host_that_speaks_no_http_is_told_in_plain_words() {
    let mut told = Told::default();
    let closed = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let hosts = [
        ("a closed port", format!("http://{closed}")),
        ("a closed connection", format!("http://{}", sending(b""))),
        ("no HTTP", format!("http://{}", sending(b"220 mail.example.org ESMTP\r\n"))),
        ("half a header", format!("http://{}", sending(b"HTTP/1.1 200 OK\r\nContent-Le"))),
        ("a bad length", format!("http://{}", sending(b"HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n"))),
        (
            "a bad chunk",
            format!("http://{}", sending(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n")),
        ),
        ("no TLS", format!("https://{}", sending(b"HTTP/1.1 400 Bad Request\r\n\r\n"))),
        ("no address", "http://[::1".to_owned()),
        ("no port", "http://127.0.0.1:99999".to_owned()),
    ];
    for (fault, address) in hosts {
        let output = Home::new().run(&["resolve", "hello", "--registry", &address]);
        told.fails(fault, &output);
        let output = Registry::not_started().command(["generate", "--feed", &address]);
        told.fails(&format!("a mirror meets {fault}"), &output);
    }
}

#[test]
fn unusable_file_of_certificates_is_told_in_plain_words() {
    let mut told = Told::default();
    let home = Home::new();
    let folder = home.folder();
    std::fs::write(folder.join("empty.pem"), "").unwrap();
    std::fs::write(folder.join("text.pem"), "no certificate").unwrap();
    std::fs::write(folder.join("cut.pem"), "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n")
        .unwrap();
    for name in ["empty.pem", "text.pem", "cut.pem", "missing.pem"] {
        let mut command = home.program();
        command.env("SSL_CERT_FILE", folder.join(name));
        let output =
            command.args(["resolve", "hello", "--registry", "https://127.0.0.1:9"]).output().unwrap();
        let printed = String::from_utf8(output.stderr).unwrap();
        assert!(!output.status.success(), "{name}: {printed}");
        told.says(&format!("SSL_CERT_FILE is {name}"), &printed);
    }
}
