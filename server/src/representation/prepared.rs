//! A document held in memory, in both of its codings, with its headers made.

use std::mem::size_of;
use std::time::SystemTime;

use bytes::Bytes;
use hyper::header::{self, HeaderValue};
use hyper::{HeaderMap, Method};
use registry::names::Digest;

use super::coding::takes_gzip;
use super::{Coding, Payload, Reader, Representation, ResponseHead, conditions};
use crate::Response;
use crate::cache_control::CacheClass;
use crate::problem::Problem;

/// About what an entry costs beside its bytes: some ten headers for each form.
const OVERHEAD: usize = 2 * size_of::<Variant>() + 3 * 1024;

/// A document and, where it has one, its compressed form.
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
    fn new(bytes: Bytes, coding: Coding, meta: &DocumentMeta) -> Self {
        let representation = Representation {
            etag: Digest::of(&bytes),
            body: Payload::Bytes(bytes.clone()),
            content_type: meta.content_type,
            reader: meta.reader,
            last_modified: meta.last_modified,
            cache: meta.cache,
            filename: None,
            repr_digest: None,
            coding,
        };
        Self { head: representation.describe(), length: HeaderValue::from(bytes.len()), bytes }
    }
}

/// What a document's header says beside what its bytes do.
#[derive(Debug, Clone, Copy)]
pub struct DocumentMeta {
    /// `Content-Type`.
    pub content_type: &'static str,
    /// Who reads it.
    pub reader: Reader,
    /// `Last-Modified`.
    pub last_modified: Option<SystemTime>,
    /// `Cache-Control`.
    pub cache: CacheClass,
}

impl Prepared {
    /// A document that has, or has not, a compressed form just now.
    pub fn varying(bytes: Bytes, gzip: Option<Bytes>, meta: &DocumentMeta) -> Self {
        let gzip = gzip.map(|gzip| Variant::new(gzip, Coding::Gzip, meta));
        Self { plain: Variant::new(bytes, Coding::Identity, meta), gzip }
    }

    /// A document that never has a compressed form.
    pub fn fixed(bytes: Bytes, meta: &DocumentMeta) -> Self {
        Self { plain: Variant::new(bytes, Coding::Fixed, meta), gzip: None }
    }

    /// The document itself.
    pub fn bytes(&self) -> Bytes {
        self.plain.bytes.clone()
    }

    /// How many bytes of memory it takes, about.
    pub fn weight(&self) -> u64 {
        let gzip = self.gzip.as_ref().map_or(0, |form| form.bytes.len());
        (self.plain.bytes.len() + gzip + OVERHEAD) as u64
    }

    /// The answer to a GET or HEAD with these headers: 200, 206 or 304. Ranges
    /// are of the plain form. A tag of either form that a client has is good,
    /// for both were made of one document.
    ///
    /// # Errors
    ///
    /// 416, where no byte of the range exists.
    pub fn answer(&self, method: &Method, request: &HeaderMap) -> Result<Response, Problem> {
        let ranged = request.contains_key(header::RANGE);
        let gzip = self.gzip.as_ref().filter(|_| !ranged && takes_gzip(request));
        let form = gzip.unwrap_or(&self.plain);
        let is_conditional = [header::IF_NONE_MATCH, header::IF_MODIFIED_SINCE, header::IF_RANGE]
            .iter()
            .any(|name| request.contains_key(name));
        if ranged || is_conditional {
            let other = if gzip.is_some() { Some(&self.plain) } else { self.gzip.as_ref() };
            // Only for a 304: the client may not take that form itself.
            let is_known = |other: &&Variant| {
                let etag = &other.head.etag;
                conditions::names(request, etag) && conditions::unchanged(request, etag, None)
            };
            let known = other.filter(is_known);
            let form = known.unwrap_or(form);
            return form.head.clone().answer(Payload::Bytes(form.bytes.clone()), method, request);
        }
        let body = if *method == Method::HEAD { Bytes::new() } else { form.bytes.clone() };
        let mut response = Response::new(body.into());
        *response.headers_mut() = form.head.headers.clone();
        response.headers_mut().insert(header::CONTENT_LENGTH, form.length.clone());
        Ok(response)
    }
}
