//! A builder for publish requests.

use super::{Client, Registry, Response, User};

const BOUNDARY: &str = "----a-boundary-that-no-test-file-contains";

/// The multipart form of `POST /api/v1/publish`.
pub struct Publish<'r> {
    registry: &'r Registry,
    package: Option<Vec<u8>>,
    file_name: String,
    fields: Vec<(String, String)>,
}

impl<'r> Publish<'r> {
    pub(super) fn of(registry: &'r Registry, package: Vec<u8>) -> Self {
        Self { registry, package: Some(package), file_name: "skill.zip".to_owned(), fields: Vec::new() }
    }

    /// Sets any field of the form.
    pub fn field(mut self, name: &str, value: &str) -> Self {
        self.fields.push((name.to_owned(), value.to_owned()));
        self
    }

    pub fn to(self, namespace: &str) -> Self {
        self.field("namespace", namespace)
    }

    pub fn version(self, version: &str) -> Self {
        self.field("version", version)
    }

    pub fn slug(self, slug: &str) -> Self {
        self.field("slug", slug)
    }

    pub fn tags(self, tags: &str) -> Self {
        self.field("tags", tags)
    }

    pub fn changelog(self, text: &str) -> Self {
        self.field("changelog", text)
    }

    pub fn dry_run(self) -> Self {
        self.field("dryRun", "true")
    }

    /// Sets the file's name in the form.
    pub fn file_name(mut self, name: &str) -> Self {
        name.clone_into(&mut self.file_name);
        self
    }

    /// Leaves out the file.
    pub fn without_file(mut self) -> Self {
        self.package = None;
        self
    }

    /// Sends the request with the token of `user`.
    #[track_caller]
    pub fn by(self, user: &User) -> Response {
        self.try_by(user).unwrap_or_else(|error| panic!("publish: {error}"))
    }

    /// Like [`Self::request`], but returns an error if the connection fails.
    pub fn try_by(self, user: &User) -> Result<Response, String> {
        let client = self.registry.as_user(user);
        self.try_through(&client)
    }

    /// Like [`Self::by`], through another server of the registry.
    pub fn try_through(self, client: &Client) -> Result<Response, String> {
        client.with("content-type", &format!("multipart/form-data; boundary={BOUNDARY}")).try_request(
            "POST",
            "/api/v1/publish",
            Some(self.body()),
        )
    }

    /// Sends the request without a credential.
    #[track_caller]
    pub fn by_nobody(self) -> Response {
        let client = self.registry.anonymous();
        client.with("content-type", &format!("multipart/form-data; boundary={BOUNDARY}")).request(
            "POST",
            "/api/v1/publish",
            Some(self.body()),
        )
    }

    fn body(&self) -> Vec<u8> {
        let mut body = Vec::new();
        for (name, value) in &self.fields {
            let head = format!("--{BOUNDARY}\r\nContent-Disposition: form-data; name=\"{name}\"\r\n\r\n");
            body.extend_from_slice(head.as_bytes());
            body.extend_from_slice(value.as_bytes());
            body.extend_from_slice(b"\r\n");
        }
        if let Some(package) = &self.package {
            let head = format!(
                "--{BOUNDARY}\r\nContent-Disposition: form-data; name=\"file\"; filename=\"{}\"\r\n\
                 Content-Type: application/zip\r\n\r\n",
                self.file_name
            );
            body.extend_from_slice(head.as_bytes());
            body.extend_from_slice(package);
            body.extend_from_slice(b"\r\n");
        }
        body.extend_from_slice(format!("--{BOUNDARY}--\r\n").as_bytes());
        body
    }
}
