//! The last write of this process to each registry, so that another server behind the same address
//! answers with it.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use ureq::http::HeaderMap;
use url::{Origin, Url};

/// Says which revision a response must include.
pub(super) const MIN_REVISION: &str = "X-Min-Revision";
/// Says which revision a write has made.
const REVISION: &str = "X-Revision";

/// The highest revision that each origin has named.
#[derive(Default)]
pub(super) struct Revisions(Mutex<HashMap<Origin, u64>>);

impl Revisions {
    /// The revision that a response to a request for `url` must include.
    pub(super) fn of(&self, url: &Url) -> Option<u64> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get(&url.origin()).copied()
    }

    /// Notes the revision in the response to a request for `url`, if it has one.
    pub(super) fn note(&self, url: &Url, response: &HeaderMap) {
        let made = response.get(REVISION).and_then(|value| value.to_str().ok()?.parse().ok());
        let Some(made) = made else { return };
        let mut revisions = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let known = revisions.entry(url.origin()).or_insert(made);
        *known = made.max(*known);
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn highest_revision_of_an_origin_is_kept() {
        let revisions = Revisions::default();
        let [ours, page, theirs] = ["https://a.example/x", "https://a.example/y", "https://b.example/x"]
            .map(|url| Url::parse(url).unwrap());
        for value in ["5", "3", "soon"] {
            let mut headers = HeaderMap::new();
            headers.insert("x-revision", value.parse().unwrap());
            revisions.note(&ours, &headers);
        }
        revisions.note(&ours, &HeaderMap::new());
        assert_eq!((revisions.of(&page), revisions.of(&theirs)), (Some(5), None));
    }
}
