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
    /// Whether the token was withheld, because a redirect led to another origin.
    pub token_withheld: bool,
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
        let login_advice = (self.status == 401).then(|| match self.token_withheld {
            true => format!(
                "The token was not sent to {0}, because it was saved for another host. If {0} is the registry, \
                 log in there",
                self.url.origin().ascii_serialization()
            ),
            false => "Log in again with `skillmirror login`".to_owned(),
        });
        if let Some(problem) = Problem::read(&self.body) {
            return ClientError::Problem(problem.with_advice(login_advice));
        }
        let advice = match self.status {
            403 => "access is denied: check the permissions of the host",
            407 => "the proxy needs a user name and password: add them to its address",
            500..=599 => "the host has a problem: try again later",
            _ => "is it the address of a registry?",
        };
        let advice = login_advice.unwrap_or_else(|| advice.to_owned());
        ClientError::Status { url: self.url.to_string(), status: self.status, advice }
    }
}
