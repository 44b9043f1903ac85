//! What a query costs who reads the index file by file.

/// A sentence for the page.
pub(super) fn described() -> &'static str {
    "Requests and bytes of a cold query: not measured."
}
