//! Requests to a store by asynchronous code.

use std::time::Duration;

use crate::error::UploadError;

/// Requests that are sent at the same time.
pub const REQUESTS_AT_ONCE: usize = 32;

/// Limits the time of an answer.
pub trait AwaitWithin: Future + Sized {
    async fn await_within(self, time: Duration) -> Result<Self::Output, UploadError> {
        let limited = tokio::time::timeout(time, self).await;
        limited.map_err(|_| UploadError::Timeout(time.as_secs()))
    }
}

impl<F: Future> AwaitWithin for F {}

/// An entity tag without its quotes, because some stores list it without them.
pub fn normal_etag(etag: Option<String>) -> String {
    etag.unwrap_or_default().trim_matches('"').to_owned()
}
