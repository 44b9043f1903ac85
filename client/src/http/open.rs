//! Answers that are read piece by piece.

use std::io::Read;

use ureq::http::header;
use url::Url;

use super::attempt::Attempt;
use super::decoding::decode;
use super::{Http, Purpose};
use crate::ClientError;

/// An answer whose body is still to be read.
pub struct OpenAnswer {
    /// The status code.
    pub status: u16,
    /// The `ETag`, if the host sends one.
    pub etag: Option<String>,
    /// The body, without limit of its size.
    pub body: Box<dyn Read + Send>,
}

impl Http {
    /// Opens `url` with one attempt, as [`get`](Self::get) reads it. `etag` is that of the content that
    /// the caller already has: if the host still has the same, it answers 304.
    ///
    /// Errors: the host cannot be reached, wants another credential, or sends an encoding that the program does not know.
    pub fn open(&self, url: &Url, etag: Option<&str>) -> Result<OpenAnswer, ClientError> {
        // A mirror reads packages to copy them.
        let purpose = Purpose::Inspection;
        let attempt = Attempt { etag, purpose, ..Attempt::get(self, url) };
        let response = attempt.response(&mut |_, _| {})?;
        let login_advice = attempt.login_advice(&response);
        let (url, answer) = (response.url, response.answer);
        let etag = answer.headers().get(header::ETAG).and_then(|etag| etag.to_str().ok()).map(str::to_owned);
        let status = answer.status().as_u16();
        if let Some(advice) = login_advice {
            return Err(ClientError::Status { url: url.to_string(), status, advice });
        }
        let body: Box<dyn Read + Send> = match status {
            200..=299 => decode(&url, answer, u64::MAX)?.reader,
            _ => Box::new(std::io::empty()),
        };
        Ok(OpenAnswer { status, etag, body })
    }
}
