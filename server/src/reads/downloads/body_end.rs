//! Noticing when a body has been sent.

use futures_util::StreamExt;
use http_body_util::BodyDataStream;
use warp::Reply;

use crate::Response;

/// Calls `done` when hyper has taken the last of the `length` bytes of a response.
/// If the client disconnects before that, hyper does not ask for the rest and
/// `done` is never called.
///
/// Counts bytes instead of waiting for the end of the body, because hyper does not
/// ask for the end after the last byte.
pub(super) fn when_sent(
    response: Response,
    length: u64,
    done: impl FnOnce() + Send + Sync + 'static,
) -> Response {
    let (header, body) = response.into_parts();
    let (mut left, mut done) = (length, Some(done));
    let pieces = BodyDataStream::new(body).map(move |piece| {
        if let Ok(bytes) = &piece {
            left = left.saturating_sub(bytes.len() as u64);
            if left == 0
                && let Some(done) = done.take()
            {
                done();
            }
        }
        piece
    });
    Response::from_parts(header, warp::reply::stream(pieces).into_response().into_body())
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use bytes::Bytes;
    use futures_util::stream;
    use http_body_util::BodyExt;

    use super::*;

    fn watched(length: u64) -> (Response, Arc<AtomicUsize>) {
        let calls = Arc::new(AtomicUsize::new(0));
        let pieces = stream::iter(["one", "two"].map(|piece| Ok::<_, std::io::Error>(Bytes::from(piece))));
        let response = warp::reply::stream(pieces).into_response();
        let counted = Arc::clone(&calls);
        let response = when_sent(response, length, move || {
            counted.fetch_add(1, Ordering::SeqCst);
        });
        (response, calls)
    }

    #[tokio::test]
    async fn last_byte_calls_done() {
        let (response, calls) = watched(6);
        let mut body = response.into_body();
        assert_eq!(calls.load(Ordering::SeqCst), 0);
        body.frame().await.unwrap().unwrap();
        assert_eq!(calls.load(Ordering::SeqCst), 0);
        body.frame().await.unwrap().unwrap();
        assert_eq!(calls.load(Ordering::SeqCst), 1);
        assert!(body.frame().await.is_none());
        assert_eq!(calls.load(Ordering::SeqCst), 1);
    }

    #[tokio::test]
    async fn incomplete_body_does_not_call_done() {
        let (response, calls) = watched(6);
        let mut body = response.into_body();
        body.frame().await.unwrap().unwrap();
        drop(body);
        assert_eq!(calls.load(Ordering::SeqCst), 0);
        let (response, calls) = watched(7);
        assert_eq!(response.into_body().collect().await.unwrap().to_bytes(), "onetwo");
        assert_eq!(calls.load(Ordering::SeqCst), 0, "the body is shorter than promised");
    }
}
