//! HTTP responses and assertions about them.

use std::io::Read;

use serde_json::Value;

/// A complete HTTP response.
#[derive(Debug, Clone)]
pub struct Response {
    /// Method and path of the request, for messages.
    pub asked: String,
    /// The status code.
    pub status: u16,
    pub headers: ureq::http::HeaderMap,
    /// The body.
    pub body: Vec<u8>,
}

impl Response {
    /// The text of a header.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).map(|value| value.to_str().expect("a header is ASCII"))
    }

    /// All values of a header, in one text.
    pub fn header_values(&self, name: &str) -> String {
        let values = self.headers.get_all(name).iter().filter_map(|value| value.to_str().ok());
        values.collect::<Vec<_>>().join(", ")
    }

    /// The text of a header that must exist.
    #[track_caller]
    pub fn require_header(&self, name: &str) -> &str {
        self.header(name).unwrap_or_else(|| panic!("{self} has no header {name}: {:?}", self.headers))
    }

    /// The body, decompressed if it is compressed.
    #[track_caller]
    pub fn decompressed(&self) -> Vec<u8> {
        match self.header("content-encoding") {
            Some("gzip") => gunzip(&self.body),
            other => {
                assert_eq!(other, None, "{self}");
                self.body.clone()
            }
        }
    }

    /// The body as text.
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    /// The body as JSON.
    #[track_caller]
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|error| panic!("{self} is not JSON: {error}"))
    }

    /// Asserts the status.
    #[track_caller]
    pub fn expect(self, status: u16) -> Self {
        assert_eq!(self.status, status, "{self}");
        self
    }

    /// Asserts the status and returns the JSON body.
    #[track_caller]
    pub fn expect_json(self, status: u16) -> Value {
        let response = self.expect(status);
        let kind = response.require_header("content-type");
        assert!(kind.starts_with("application/json"), "{response} is of type {kind}");
        response.json()
    }

    /// Asserts that this is a problem with the given status and code, and returns it.
    #[track_caller]
    pub fn problem(&self, status: u16, code: &str) -> Value {
        assert_eq!(self.status, status, "{self}");
        let kind = self.require_header("content-type");
        assert!(kind.starts_with("application/problem+json"), "{self} is of type {kind}");
        let problem = self.json();
        assert_eq!(problem["status"], status, "{self}");
        assert_eq!(problem["code"], code, "{self}");
        for field in ["type", "title", "detail", "requestId"] {
            assert!(problem[field].as_str().is_some_and(|text| !text.is_empty()), "{field} of {self}");
        }
        assert_eq!(problem["requestId"], self.require_header("x-request-id"), "{self}");
        problem
    }

    /// The sentence of a problem with the given status and code.
    #[track_caller]
    pub fn detail(&self, status: u16, code: &str) -> String {
        self.problem(status, code)["detail"].as_str().unwrap_or_default().to_owned()
    }

    /// The `errors` of a refused package.
    #[track_caller]
    pub fn refused_package(&self) -> Vec<Value> {
        let problem = self.problem(422, "invalid_package");
        let errors = problem["errors"].as_array().cloned().unwrap_or_default();
        assert!(!errors.is_empty(), "a refused package names what is wrong: {self}");
        for error in &errors {
            assert!(error["code"].is_string() && error["message"].is_string(), "{error} of {self}");
        }
        errors
    }

    /// The paths that a refused package's errors name, sorted.
    #[track_caller]
    pub fn refused_paths(&self) -> Vec<String> {
        let mut paths: Vec<String> =
            self.refused_package().iter().filter_map(|e| e["path"].as_str().map(str::to_owned)).collect();
        paths.sort();
        paths
    }
}

impl std::fmt::Display for Response {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let body: String = self.text().chars().take(2000).collect();
        write!(f, "{} -> {}: {body}", self.asked, self.status)
    }
}

/// The content of a gzip file.
#[track_caller]
pub fn gunzip(bytes: &[u8]) -> Vec<u8> {
    let mut plain = Vec::new();
    flate2::read::GzDecoder::new(bytes).read_to_end(&mut plain).expect("gzip");
    plain
}

/// The slugs of a list's items.
#[track_caller]
pub fn slugs(list: &Value) -> Vec<&str> {
    let items = list["items"].as_array().expect("a list");
    items.iter().map(|item| item["slug"].as_str().expect("a slug")).collect()
}

/// Asserts that `value` is an object with exactly these fields (separated by spaces).
#[track_caller]
pub fn assert_fields(value: &Value, names: &str) {
    let object = value.as_object().unwrap_or_else(|| panic!("not an object: {value}"));
    let mut there: Vec<&str> = object.keys().map(String::as_str).collect();
    let mut wanted: Vec<&str> = names.split_whitespace().collect();
    there.sort_unstable();
    wanted.sort_unstable();
    assert_eq!(there, wanted, "the fields of {value}");
}
