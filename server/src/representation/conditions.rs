//! Conditional requests (RFC 9110, section 13).

use headers::{ETag, HeaderMapExt, IfModifiedSince, IfNoneMatch, IfRange, LastModified};
use hyper::HeaderMap;
use hyper::header::IF_NONE_MATCH;

/// Whether what the client holds is what it would get: a 304.
///
/// `If-None-Match` compares weakly, so that a tag which a proxy made weak when
/// it compressed still matches. Where it is present, even unreadable,
/// `If-Modified-Since` is not looked at.
pub(super) fn unchanged(request: &HeaderMap, etag: &str, modified: Option<LastModified>) -> bool {
    if request.contains_key(IF_NONE_MATCH) {
        let theirs: Option<IfNoneMatch> = request.typed_get();
        return theirs
            .zip(etag.parse::<ETag>().ok())
            .is_some_and(|(theirs, ours)| !theirs.precondition_passes(&ours));
    }
    let since: Option<IfModifiedSince> = request.typed_get();
    since.zip(modified).is_some_and(|(since, modified)| !since.is_modified(modified.into()))
}

/// Whether a `Range` counts: there is no `If-Range`, or it names, strongly,
/// what we would send. One that can't be read does not.
pub(super) fn range_applies(request: &HeaderMap, etag: &str, modified: Option<LastModified>) -> bool {
    match request.typed_try_get::<IfRange>() {
        Ok(None) => true,
        Ok(Some(theirs)) => !theirs.is_modified(etag.parse().ok().as_ref(), modified.as_ref()),
        Err(_) => false,
    }
}

/// Whether `If-None-Match` names that tag itself (`*` names none).
pub(super) fn names(request: &HeaderMap, etag: &str) -> bool {
    let values = request.get_all(IF_NONE_MATCH).iter().filter_map(|value| value.to_str().ok());
    values.flat_map(|value| value.split(',')).any(|tag| tag.trim().trim_start_matches("W/") == etag)
}
