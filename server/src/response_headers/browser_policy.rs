//! What browsers allow a page of the registry to do.

use hyper::header::{self, HeaderMap, HeaderValue};

/// A page may load files of its own origin and nothing else, whatever a package
/// contains. The pages also carry this policy themselves, for hosts that send no
/// header, except for `frame-ancestors`, which only a header can set.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; \
                      connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/// Sets the headers that restrict a page.
pub fn set_browser_policy(headers: &mut HeaderMap) {
    headers.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY));
    headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("same-origin"));
}
