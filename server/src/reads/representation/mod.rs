//! Documents as responses: conditions, ranges, codings, caching (RFC 9110,
//! sections 12 to 14).

pub(crate) mod coding;
mod conditions;
mod prepared;
mod quality;
mod range;
mod stream;

use std::fs::File;
use std::time::SystemTime;

use bytes::Bytes;
use generator::address::Format;
use headers::{HeaderMapExt, LastModified};
use hyper::header::{self, HeaderMap, HeaderName, HeaderValue};
use hyper::{Method, StatusCode};
use registry::journal::BlobReader;
use registry::names::Digest;

pub use self::coding::{Coding, accepts_gzip};
pub use self::prepared::{Content, Prepared};
pub use self::quality::{Alternative, quality_values};
use self::range::Part;
pub use self::stream::after;
use crate::Response;
use crate::problem::Problem;
use crate::response_headers::browser_policy::set_browser_policy;
use crate::response_headers::cache_control::CacheClass;
use crate::security::cors::open_to_any_origin;

/// The bytes of a representation.
#[derive(Debug)]
pub enum Payload {
    /// In memory.
    Bytes(Bytes),
    /// In a file that is read while it is sent.
    File {
        /// Open for reading.
        file: File,
        /// Length in bytes. Bytes that are appended later are ignored.
        size: u64,
    },
    /// A package in its store, which is read while it is sent.
    Blob {
        /// The open package.
        blob: Box<dyn BlobReader>,
        /// Length in bytes.
        size: u64,
    },
}

impl Payload {
    /// Length in bytes.
    pub fn size(&self) -> u64 {
        match self {
            Self::Bytes(bytes) => bytes.len() as u64,
            Self::File { size, .. } | Self::Blob { size, .. } => *size,
        }
    }
}

/// A document with everything that its response header says.
#[derive(Debug)]
pub struct Representation {
    /// The bytes.
    pub body: Payload,
    /// Decides `Content-Type`, and for pages the browser policy.
    pub format: Format,
    /// The strong entity tag is this digest in hexadecimal.
    pub etag: Digest,
    /// `Last-Modified`, cut to whole seconds.
    pub last_modified: Option<SystemTime>,
    /// `Cache-Control`. Any origin may read documents that are neither pages nor
    /// [`CacheClass::Private`].
    pub cache: CacheClass,
    /// Makes the response a download with this file name.
    pub filename: Option<String>,
    /// `Repr-Digest` (RFC 9530).
    pub repr_digest: Option<Digest>,
    /// `Content-Encoding` and `Vary`.
    pub coding: Coding,
}

impl Representation {
    /// The response to a GET or HEAD with these headers: 200, 206 or 304.
    ///
    /// Errors: 416 if the range has no byte of the document.
    pub fn into_response(self, method: &Method, request: &HeaderMap) -> Result<Response, Problem> {
        ResponseHead::of(&self).answer(self.body, method, request)
    }
}

/// The headers that a 200, a 206 and a 304 share (section 15.4.5), and the
/// validators for conditional requests.
#[derive(Debug, Clone)]
struct ResponseHead {
    headers: HeaderMap,
    etag: String,
    modified: Option<LastModified>,
    cache: CacheClass,
}

impl ResponseHead {
    fn of(representation: &Representation) -> Self {
        let Representation { format, etag, last_modified, cache, filename, repr_digest, coding, .. } =
            representation;
        let etag = format!("\"{etag}\"");
        let modified = last_modified.map(LastModified::from);
        let mut headers = HeaderMap::new();
        set(&mut headers, header::CONTENT_TYPE, format.content_type());
        set(&mut headers, header::ETAG, &etag);
        coding.set_headers(&mut headers);
        headers.insert(header::CACHE_CONTROL, cache.header());
        headers.insert(header::ACCEPT_RANGES, HeaderValue::from_static("bytes"));
        if let Some(modified) = modified {
            headers.typed_insert(modified);
        }
        if let Some(name) = filename {
            let value = format!("attachment; filename=\"{}\"", unquoted(name));
            set(&mut headers, header::CONTENT_DISPOSITION, &value);
        }
        if let Some(digest) = repr_digest {
            let value = format!("sha-256=:{}:", digest.to_base64());
            set(&mut headers, HeaderName::from_static("repr-digest"), &value);
        }
        if *format == Format::Html {
            // The same address may answer with Markdown.
            headers.append(header::VARY, HeaderValue::from_static("Accept"));
            set_browser_policy(&mut headers);
        } else if *cache != CacheClass::Private {
            open_to_any_origin(&mut headers);
        }
        Self { headers, etag, modified, cache: *cache }
    }

    /// The response to a GET or HEAD with these headers.
    fn answer(self, body: Payload, method: &Method, request: &HeaderMap) -> Result<Response, Problem> {
        let size = body.size();
        let mut response = Response::default();
        *response.headers_mut() = self.headers;
        if conditions::is_unchanged(request, &self.etag, self.modified) {
            *response.status_mut() = StatusCode::NOT_MODIFIED;
            return Ok(response);
        }
        // A range asks for part of a GET only (section 14.2).
        let has_range =
            *method == Method::GET && conditions::range_applies(request, &self.etag, self.modified);
        let part = if has_range { range::of(request, size) } else { Part::Whole };
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
            Payload::Blob { blob, .. } => stream::blob(blob, start, length).into_body(),
        };
        Ok(response)
    }
}

fn set(headers: &mut HeaderMap, name: HeaderName, value: &str) {
    if let Ok(value) = HeaderValue::from_str(value) {
        headers.insert(name, value);
    }
}

/// A file name without characters that need quoting. Names of the registry have none.
fn unquoted(name: &str) -> String {
    let keep = |c: char| if c.is_ascii_alphanumeric() || "._-+@".contains(c) { c } else { '_' };
    name.chars().map(keep).collect()
}

#[cfg(test)]
mod tests;
