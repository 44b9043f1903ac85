//! Conditional requests (RFC 9110, section 13).

use headers::{ETag, HeaderMapExt, IfModifiedSince, IfNoneMatch, IfRange, LastModified};
use hyper::HeaderMap;
use hyper::header::IF_NONE_MATCH;

/// Whether the client already has this representation, so that it gets a 304.
///
/// `If-None-Match` compares weakly: a proxy that compressed a response made its
/// tag weak. If it is present, even with an invalid value, `If-Modified-Since`
/// is ignored.
pub(super) fn is_unchanged(request: &HeaderMap, etag: &str, modified: Option<LastModified>) -> bool {
    if request.contains_key(IF_NONE_MATCH) {
        let theirs: Option<IfNoneMatch> = request.typed_get();
        return theirs
            .zip(etag.parse::<ETag>().ok())
            .is_some_and(|(theirs, ours)| !theirs.precondition_passes(&ours));
    }
    let since: Option<IfModifiedSince> = request.typed_get();
    since.zip(modified).is_some_and(|(since, modified)| !since.is_modified(modified.into()))
}

/// Whether to honour `Range`: without `If-Range`, or if that is a strong match.
/// An invalid `If-Range` does not match.
pub(super) fn range_applies(request: &HeaderMap, etag: &str, modified: Option<LastModified>) -> bool {
    match request.typed_try_get::<IfRange>() {
        Ok(None) => true,
        Ok(Some(theirs)) => !theirs.is_modified(etag.parse().ok().as_ref(), modified.as_ref()),
        Err(_) => false,
    }
}

/// Whether `If-None-Match` contains this tag, not just `*`.
pub(super) fn names(request: &HeaderMap, etag: &str) -> bool {
    let values = request.get_all(IF_NONE_MATCH).iter().filter_map(|value| value.to_str().ok());
    values.flat_map(|value| value.split(',')).any(|tag| tag.trim().trim_start_matches("W/") == etag)
}
