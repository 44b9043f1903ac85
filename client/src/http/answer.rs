//! The answer to a request.

use url::Url;

use crate::{ClientError, Problem};

/// A complete answer.
#[derive(Debug)]
pub struct Answer {
    /// The address it came from, after any redirects.
    pub url: Url,
    /// The status code.
    pub status: u16,
    /// The `Content-Type`, or an empty text.
    pub content_type: String,
    /// Whether a redirect led to another origin, which gets no token and no credential.
    pub left_origin: bool,
    /// The remedy, if the answer refuses a token or a credential, or wants one.
    pub login_advice: Option<String>,
    /// The body.
    pub body: Vec<u8>,
}

impl Answer {
    /// The answer if it succeeded, None if it says that there is no such thing. Any other
    /// status is an error.
    pub fn found(self) -> Result<Option<Self>, ClientError> {
        match self.status {
            200..=299 => Ok(Some(self)),
            404 | 410 => Ok(None),
            _ => Err(self.refusal()),
        }
    }

    /// Like [`found`](Self::found), for public documents. A 403 without a problem document means
    /// that the document does not exist: object stores send it unless their list of files is public.
    pub(crate) fn found_publicly(self) -> Result<Option<Self>, ClientError> {
        match self.status {
            403 if Problem::read(&self.body).is_none() => Ok(None),
            _ => self.found(),
        }
    }

    /// The error of an answer that refuses the request.
    pub(crate) fn refusal(self) -> ClientError {
        if let Some(problem) = Problem::read(&self.body) {
            return ClientError::Problem(problem.with_advice(self.login_advice));
        }
        let advice = match self.status {
            403 => "access is denied: check the permissions of the host",
            407 => "the proxy needs a user name and password: add them to its address",
            500..=599 => "the host has a problem: try again later",
            _ => "is it the address of a registry?",
        };
        let advice = self.login_advice.unwrap_or_else(|| advice.to_owned());
        ClientError::Status { url: self.url.to_string(), status: self.status, advice }
    }
}
