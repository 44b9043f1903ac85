//! Requests with a token, as bytes.

use std::net::SocketAddr;

use serde_json::Value;

const BOUNDARY: &str = "----that-is-in-no-zip";

/// The sender of a request.
#[derive(Debug, Clone, Copy)]
pub struct Sender<'a> {
    /// The server.
    pub address: SocketAddr,
    /// The token.
    pub token: &'a str,
}

impl Sender<'_> {
    /// A request without a body.
    pub fn plain(self, method: &str, path: &str) -> Vec<u8> {
        self.with_body(method, path, "application/json", &[])
    }

    /// A request with a JSON body.
    pub fn json(self, method: &str, path: &str, body: &Value) -> Vec<u8> {
        self.with_body(method, path, "application/json", body.to_string().as_bytes())
    }

    /// A publish request whose response waits for the whole tree.
    pub fn waiting_publication(self, namespace: &str, zip: &[u8]) -> Vec<u8> {
        let request = self.publication(namespace, zip);
        let line = request.windows(2).position(|two| two == b"\r\n").unwrap_or_default() + 2;
        let (line, rest) = request.split_at(line);
        [line, b"Prefer: wait\r\n", rest].concat()
    }

    /// A publish request. The version is in the zip.
    pub fn publication(self, namespace: &str, zip: &[u8]) -> Vec<u8> {
        let mut body = format!(
            "--{BOUNDARY}\r\nContent-Disposition: form-data; name=\"namespace\"\r\n\r\n{namespace}\r\n\
             --{BOUNDARY}\r\nContent-Disposition: form-data; name=\"file\"; filename=\"skill.zip\"\r\n\
             Content-Type: application/zip\r\n\r\n"
        )
        .into_bytes();
        body.extend_from_slice(zip);
        body.extend_from_slice(format!("\r\n--{BOUNDARY}--\r\n").as_bytes());
        let kind = format!("multipart/form-data; boundary={BOUNDARY}");
        self.with_body("POST", "/api/v1/publish", &kind, &body)
    }

    fn with_body(self, method: &str, path: &str, kind: &str, body: &[u8]) -> Vec<u8> {
        let Self { address, token } = self;
        let mut request = format!(
            "{method} {path} HTTP/1.1\r\nHost: {address}\r\nAuthorization: Bearer {token}\r\n\
             Content-Type: {kind}\r\nContent-Length: {}\r\n\r\n",
            body.len()
        )
        .into_bytes();
        request.extend_from_slice(body);
        request
    }
}
