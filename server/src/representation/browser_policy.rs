//! Who reads a representation, and what browsers are told of one that they show.

use hyper::header::{self, HeaderMap, HeaderValue};

/// Who reads a representation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reader {
    /// A program, or a page of any origin.
    Program,
    /// Somebody, in a browser.
    Browser,
}

/// What a page may load and do: what is in its own folder of files, and nothing
/// else; whatever a package says. The pages say the same of themselves, for hosts
/// that do not, but for who may have them in a frame.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; \
                      connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/// Says so in a header.
pub fn set_browser_policy(headers: &mut HeaderMap) {
    headers.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY));
    headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("same-origin"));
}
