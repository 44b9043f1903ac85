//! A document in memory, in both of its codings, with its headers already made.

use std::mem::size_of;
use std::time::SystemTime;

use bytes::Bytes;
use generator::address::{Document, Format};
use hyper::header::{self, HeaderValue};
use hyper::{HeaderMap, Method};
use registry::names::Digest;

use super::coding::accepts_gzip;
use super::{Coding, Payload, Representation, ResponseHead, conditions};
use crate::Response;
use crate::problem::Problem;

/// Approximate memory of an entry besides its bytes: ten headers per variant.
const OVERHEAD: usize = 2 * size_of::<Variant>() + 3 * 1024;

/// The content of a document.
pub struct Content {
    /// Its bytes.
    pub bytes: Bytes,
    /// Its bytes compressed, if they are.
    pub gzip: Option<Bytes>,
    /// `Last-Modified`.
    pub modified: Option<SystemTime>,
}

/// A document, and its compressed variant if it has one.
#[derive(Debug)]
pub struct Prepared {
    plain: Variant,
    gzip: Option<Variant>,
}

#[derive(Debug)]
struct Variant {
    head: ResponseHead,
    length: HeaderValue,
    bytes: Bytes,
}

impl Variant {
    fn new(document: &Document, bytes: Bytes, coding: Coding, modified: Option<SystemTime>) -> Self {
        let head = ResponseHead::of(&Representation {
            etag: Digest::of(&bytes),
            body: Payload::Bytes(bytes.clone()),
            format: document.format(),
            last_modified: modified,
            cache: document.lifetime().into(),
            filename: None,
            repr_digest: None,
            coding,
        });
        Self { head, length: HeaderValue::from(bytes.len()), bytes }
    }
}

impl Prepared {
    /// A document. `compresses` says whether documents are sent compressed; this one may be, now or
    /// later, unless it is binary.
    pub fn new(document: &Document, content: Content, compresses: bool) -> Self {
        let Content { bytes, gzip, modified } = content;
        let varies = compresses && document.format() != Format::Binary;
        let coding = if varies { Coding::Identity } else { Coding::Fixed };
        let gzip = gzip.filter(|_| varies);
        let gzip = gzip.map(|gzip| Variant::new(document, gzip, Coding::Gzip, modified));
        Self { plain: Variant::new(document, bytes, coding, modified), gzip }
    }

    /// The bytes of the document.
    pub fn bytes(&self) -> Bytes {
        self.plain.bytes.clone()
    }

    /// The bytes for a request, and their coding.
    pub fn coded(&self, accepts_gzip: bool) -> (Bytes, Coding) {
        match self.gzip.as_ref().filter(|_| accepts_gzip) {
            Some(gzip) => (gzip.bytes.clone(), Coding::Gzip),
            None => (self.plain.bytes.clone(), Coding::Identity),
        }
    }

    /// Approximate memory in bytes.
    pub fn weight(&self) -> u64 {
        let gzip = self.gzip.as_ref().map_or(0, |variant| variant.bytes.len());
        (self.plain.bytes.len() + gzip + OVERHEAD) as u64
    }

    /// The response to a GET or HEAD with these headers: 200, 206 or 304. Ranges
    /// are of the plain bytes. A client may validate with the tag of either
    /// variant, because both have the same content.
    ///
    /// Errors: 416 if the range has no byte of the document.
    pub fn answer(&self, method: &Method, request: &HeaderMap) -> Result<Response, Problem> {
        let has_range = request.contains_key(header::RANGE);
        let gzip = self.gzip.as_ref().filter(|_| !has_range && accepts_gzip(request));
        let variant = gzip.unwrap_or(&self.plain);
        let is_conditional = [header::IF_NONE_MATCH, header::IF_MODIFIED_SINCE, header::IF_RANGE]
            .iter()
            .any(|name| request.contains_key(name));
        if has_range || is_conditional {
            let other = if gzip.is_some() { Some(&self.plain) } else { self.gzip.as_ref() };
            // Only for a 304: the client may not accept the bytes of the other.
            let is_known = |other: &&Variant| {
                let etag = &other.head.etag;
                conditions::names(request, etag) && conditions::is_unchanged(request, etag, None)
            };
            let variant = other.filter(is_known).unwrap_or(variant);
            return variant.head.clone().answer(Payload::Bytes(variant.bytes.clone()), method, request);
        }
        let body = if *method == Method::HEAD { Bytes::new() } else { variant.bytes.clone() };
        let mut response = Response::new(body.into());
        *response.headers_mut() = variant.head.headers.clone();
        response.headers_mut().insert(header::CONTENT_LENGTH, variant.length.clone());
        Ok(response)
    }
}
