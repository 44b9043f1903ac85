//! What browsers allow a page of the registry to do.

use generator::pages::BROWSER_POLICY;
use hyper::header::{self, HeaderMap, HeaderValue, InvalidHeaderValue};

/// Sets the headers that restrict a page with a form for passwords: it runs no script. After the form
/// the browser may go to `target`, a source of a policy, too.
pub fn set_form_policy(headers: &mut HeaderMap, target: Option<&str>) -> Result<(), InvalidHeaderValue> {
    set_browser_policy(headers);
    let to = target.map(|target| format!(" {target}")).unwrap_or_default();
    let policy = format!(
        "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'{to}; base-uri 'none'; \
         frame-ancestors 'none'"
    );
    headers.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::try_from(policy)?);
    Ok(())
}

/// Sets the headers that restrict a page.
pub fn set_browser_policy(headers: &mut HeaderMap) {
    headers.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(BROWSER_POLICY));
    headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("same-origin"));
}
