//! Documents as responses: conditions, ranges, caching, CORS (RFC 9110,
//! sections 13 and 14).

mod browser_policy;
mod coding;
mod conditions;
mod prepared;
mod range;
mod stream;

use std::fs::File;
use std::time::SystemTime;

use bytes::Bytes;
use headers::{HeaderMapExt, LastModified};
use hyper::header::{self, HeaderMap, HeaderName, HeaderValue};
use hyper::{Method, StatusCode};
use registry::names::Digest;

pub use self::browser_policy::{Reader, set_browser_policy};
pub use self::coding::Coding;
pub use self::prepared::{DocumentMeta, Prepared};
use self::range::Part;
use crate::Response;
use crate::cache_control::CacheClass;
use crate::problem::Problem;

/// What there is to send.
#[derive(Debug)]
pub enum Payload {
    /// Held in memory.
    Bytes(Bytes),
    /// Read as it is sent, never whole. Its first `size` bytes are the
    /// representation, whatever is appended meanwhile.
    File {
        /// Open for reading.
        file: File,
        /// Bytes.
        size: u64,
    },
}

impl Payload {
    fn size(&self) -> u64 {
        match self {
            Self::Bytes(bytes) => bytes.len() as u64,
            Self::File { size, .. } => *size,
        }
    }
}

/// A document, and all that its header says of it.
#[derive(Debug)]
pub struct Representation {
    /// The bytes.
    pub body: Payload,
    /// `Content-Type`.
    pub content_type: &'static str,
    /// Who reads it.
    pub reader: Reader,
    /// The strong entity tag is this digest, in hexadecimal.
    pub etag: Digest,
    /// `Last-Modified`; whole seconds of it.
    pub last_modified: Option<SystemTime>,
    /// `Cache-Control`. What programs read is open to any origin, unless it is
    /// [`CacheClass::Private`].
    pub cache: CacheClass,
    /// Makes it an attachment of this name.
    pub filename: Option<String>,
    /// `Repr-Digest` (RFC 9530).
    pub repr_digest: Option<Digest>,
    /// `Content-Encoding` and `Vary`.
    pub coding: Coding,
}

/// The header of a representation, and what the conditions of a request are
/// compared with.
#[derive(Debug, Clone)]
struct ResponseHead {
    headers: HeaderMap,
    etag: String,
    modified: Option<LastModified>,
    cache: CacheClass,
}

impl Representation {
    /// The answer to a GET or HEAD with these headers: 200, 206 or 304.
    ///
    /// # Errors
    ///
    /// 416, where no byte of the range exists.
    pub fn into_response(self, method: &Method, request: &HeaderMap) -> Result<Response, Problem> {
        self.describe().answer(self.body, method, request)
    }

    /// All headers that a 200, a 206 and a 304 share (section 15.4.5).
    fn describe(&self) -> ResponseHead {
        let etag = format!("\"{}\"", self.etag);
        let modified = self.last_modified.map(LastModified::from);
        let mut head = ResponseHead { headers: HeaderMap::new(), etag, modified, cache: self.cache };
        let headers = &mut head.headers;
        set(headers, header::CONTENT_TYPE, self.content_type);
        set(headers, header::ETAG, &head.etag);
        self.coding.describe(headers);
        headers.insert(header::CACHE_CONTROL, self.cache.header());
        headers.insert(header::ACCEPT_RANGES, HeaderValue::from_static("bytes"));
        if let Some(modified) = modified {
            headers.typed_insert(modified);
        }
        if let Some(name) = &self.filename {
            set(headers, header::CONTENT_DISPOSITION, &format!("attachment; filename=\"{}\"", plain(name)));
        }
        if let Some(digest) = self.repr_digest {
            let value = format!("sha-256=:{}:", digest.to_base64());
            set(headers, HeaderName::from_static("repr-digest"), &value);
        }
        match self.reader {
            Reader::Program if self.cache != CacheClass::Private => open_to_any_origin(headers),
            Reader::Program => {}
            Reader::Browser => set_browser_policy(headers),
        }
        head
    }
}

impl ResponseHead {
    /// The answer to a GET or HEAD with these headers.
    fn answer(self, body: Payload, method: &Method, request: &HeaderMap) -> Result<Response, Problem> {
        let size = body.size();
        let mut response = Response::default();
        *response.headers_mut() = self.headers;
        if conditions::unchanged(request, &self.etag, self.modified) {
            *response.status_mut() = StatusCode::NOT_MODIFIED;
            return Ok(response);
        }
        // A range asks for part of a GET only (section 14.2).
        let ranged = *method == Method::GET && conditions::range_applies(request, &self.etag, self.modified);
        let part = if ranged { range::of(request, size) } else { Part::Whole };
        let (start, length) = match part {
            Part::Whole => (0, size),
            Part::Of { start, length } => {
                *response.status_mut() = StatusCode::PARTIAL_CONTENT;
                let value = format!("bytes {start}-{}/{size}", start + length - 1);
                set(response.headers_mut(), header::CONTENT_RANGE, &value);
                (start, length)
            }
            Part::None => {
                let problem = Problem::range_not_satisfiable(size);
                return Err(if self.cache == CacheClass::Private { problem } else { problem.public() });
            }
        };
        response.headers_mut().insert(header::CONTENT_LENGTH, HeaderValue::from(length));
        if *method == Method::HEAD {
            return Ok(response);
        }
        *response.body_mut() = match body {
            Payload::Bytes(bytes) => {
                // Lossless: the range lies within bytes that are in memory.
                let (start, length) = (start as usize, length as usize);
                Response::new(bytes.slice(start..start + length).into()).into_body()
            }
            Payload::File { file, .. } => stream::file(file, start, length)?.into_body(),
        };
        Ok(response)
    }
}

/// The answer to a CORS preflight of a public read: 204. `allow` is the
/// `Allow` header: other methods there are not for other origins.
pub fn preflight(allow: &str) -> Response {
    let mut response = Response::default();
    *response.status_mut() = StatusCode::NO_CONTENT;
    let headers = response.headers_mut();
    open_to_any_origin(headers);
    set(headers, header::ALLOW, allow);
    headers.insert(header::ACCESS_CONTROL_ALLOW_METHODS, HeaderValue::from_static("GET, HEAD"));
    let conditions = HeaderValue::from_static("If-None-Match, If-Modified-Since, If-Range, Range");
    headers.insert(header::ACCESS_CONTROL_ALLOW_HEADERS, conditions);
    headers.insert(header::ACCESS_CONTROL_MAX_AGE, HeaderValue::from_static("86400"));
    response
}

fn open_to_any_origin(headers: &mut HeaderMap) {
    headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, HeaderValue::from_static("*"));
    let exposed = "Accept-Ranges, Content-Disposition, Content-Range, ETag, Repr-Digest, X-Request-Id";
    headers.insert(header::ACCESS_CONTROL_EXPOSE_HEADERS, HeaderValue::from_static(exposed));
}

fn set(headers: &mut HeaderMap, name: HeaderName, value: &str) {
    if let Ok(value) = HeaderValue::from_str(value) {
        headers.insert(name, value);
    }
}

/// A file name that needs no quoting: names of the registry are such already.
fn plain(name: &str) -> String {
    let keep = |c: char| if c.is_ascii_alphanumeric() || "._-+@".contains(c) { c } else { '_' };
    name.chars().map(keep).collect()
}

#[cfg(test)]
mod tests;
