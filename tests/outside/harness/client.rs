//! An HTTP client that shows every response as it is: it follows no redirect, and no status is an
//! error.

use std::io::Read;

use serde_json::Value;
use ureq::http::Request;

use super::{Response, User};

/// A client of one base address, with at most one credential.
#[derive(Clone)]
pub struct Client {
    agent: ureq::Agent,
    base: String,
    headers: Vec<(String, String)>,
}

impl Client {
    /// An anonymous client of `base` (`http://host:port`). Its writes wait until the whole tree
    /// shows them.
    pub fn of(base: &str) -> Self {
        let agent = ureq::Agent::config_builder()
            .http_status_as_error(false)
            .max_redirects(0)
            .max_redirects_will_error(false)
            .proxy(None)
            .max_idle_connections(0)
            .build()
            .new_agent();
        let headers = vec![("prefer".to_owned(), "wait".to_owned())];
        Self { agent, base: base.to_owned(), headers }
    }

    /// Adds a header to every request.
    pub fn with(&self, name: &str, value: &str) -> Self {
        let mut client = self.clone();
        client.headers.push((name.to_owned(), value.to_owned()));
        client
    }

    /// Its writes wait only for the documents of their skill, like those of most clients.
    pub fn without_waiting(&self) -> Self {
        let mut client = self.clone();
        client.headers.retain(|(name, _)| name != "prefer");
        client
    }

    /// Sends the token of `user` with every request.
    pub fn as_user(&self, user: &User) -> Self {
        self.with("authorization", &format!("Bearer {}", user.token))
    }

    pub fn get(&self, path: &str) -> Response {
        self.request("GET", path, None)
    }

    pub fn head(&self, path: &str) -> Response {
        self.request("HEAD", path, None)
    }

    pub fn delete(&self, path: &str) -> Response {
        self.request("DELETE", path, None)
    }

    pub fn post_json(&self, path: &str, body: &Value) -> Response {
        self.with("content-type", "application/json").request(
            "POST",
            path,
            Some(body.to_string().into_bytes()),
        )
    }

    pub fn put_json(&self, path: &str, body: &Value) -> Response {
        self.with("content-type", "application/json").request(
            "PUT",
            path,
            Some(body.to_string().into_bytes()),
        )
    }

    /// Sends any method, path and body. The path is sent unchanged.
    #[track_caller]
    pub fn request(&self, method: &str, path: &str, body: Option<Vec<u8>>) -> Response {
        let response = self.try_request(method, path, body);
        response.unwrap_or_else(|error| panic!("{method} {path}: {error}"))
    }

    /// Like [`Self::request`], but returns an error if the connection fails.
    pub fn try_request(&self, method: &str, path: &str, body: Option<Vec<u8>>) -> Result<Response, String> {
        let asked = format!("{method} {path}");
        let mut request = Request::builder().method(method).uri(format!("{}{path}", self.base));
        for (name, value) in &self.headers {
            request = request.header(name, value);
        }
        let response = match body {
            Some(bytes) => self.agent.run(request.body(bytes).expect("a well-formed request")),
            None => self.agent.run(request.body(()).expect("a well-formed request")),
        };
        let (parts, body) = response.map_err(|error| error.to_string())?.into_parts();
        let mut bytes = Vec::new();
        body.into_reader().read_to_end(&mut bytes).map_err(|error| error.to_string())?;
        Ok(Response { asked, status: parts.status.as_u16(), headers: parts.headers, body: bytes })
    }
}
