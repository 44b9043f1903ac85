//! What a registry has answered.

use url::Url;

use crate::ClientError;

use super::Problem;

/// An answer, whole.
#[derive(Debug)]
pub struct Answer {
    /// Where it came from: the last address of any redirects.
    pub url: Url,
    /// Its status.
    pub status: u16,
    /// Its `Content-Type`, empty where there is none.
    pub content_type: String,
    /// Whether a token was not sent there, because a redirect led to another origin.
    pub token_left_behind: bool,
    /// Its body.
    pub body: Vec<u8>,
}

impl Answer {
    /// This, where it is what was asked for; None where the registry says that it is
    /// not there. The error says why it is neither.
    pub fn found(self) -> Result<Option<Self>, ClientError> {
        match self.status {
            200..=299 => Ok(Some(self)),
            404 | 410 => Ok(None),
            _ => Err(self.refusal()),
        }
    }

    /// The same of a document that everybody may read. Stores of files answer 403 for what is
    /// not there, unless the list of all files is public too; who does mean it says why.
    pub(crate) fn found_publicly(self) -> Result<Option<Self>, ClientError> {
        match self.status {
            403 if Problem::read(&self.body).is_none() => Ok(None),
            _ => self.found(),
        }
    }

    /// What it says against the request.
    pub(crate) fn refusal(self) -> ClientError {
        if let Some(problem) = Problem::read(&self.body) {
            return ClientError::Problem(problem.with_advice(&self));
        }
        let advice = match self.status {
            401 if self.token_left_behind => format!(
                "the token was not sent there, because it is another place than the one it was saved for: if {} \
                 is the registry, log in there",
                self.url.origin().ascii_serialization()
            ),
            401 => "it wants a login that it knows: log in again with `skillmirror login`".to_owned(),
            403 => "it does not let everybody read, or does not let you".to_owned(),
            407 => "the proxy wants a name and a password: put them into the address of the proxy".to_owned(),
            400..=499 => "is it the address of a registry?".to_owned(),
            500..=599 => "something is wrong there: try again later".to_owned(),
            _ => "nothing can be made of that: is it the address of a registry?".to_owned(),
        };
        ClientError::Status { url: self.url.to_string(), status: self.status, advice }
    }
}
