//! HTTP for clients of registries: size limits, retries, redirects that are checked one by
//! one, and tokens and credentials that never leave their origin.

mod answer;
mod attempt;
mod body;
mod connections;
mod decoding;
mod early_answer;
mod failure;
mod no_proxy;
mod open;
mod proxies;
mod public_addresses;
mod read_access;
mod redirect;
mod retry;
mod revisions;
mod root_certs;

use std::time::Duration;

use ureq::http::Method;
use url::Url;

use crate::{ClientError, RegistryAddress, Token, notice};

pub use answer::Answer;
pub use connections::{AgentConfig, Connections};
pub use open::OpenAnswer;
pub use public_addresses::{NotPublic, is_public_address};
pub use read_access::ReadAccess;
pub use redirect::{MAX_REDIRECTS, follow as follow_redirect, is_redirect};
pub use root_certs::root_certs_of_environment;

use attempt::Attempt;
use failure::Failure;
use retry::{MAX_ATTEMPTS, Retries};
use revisions::Revisions;

/// The size limit of a JSON document: 16 MiB. The largest ones are lists of all versions and
/// the manifest of the search index.
pub const JSON_LIMIT: u64 = 16 << 20;

/// The number of parallel connections to one host.
pub(crate) const CONNECTIONS: usize = 8;

/// A callback for the progress of a transfer: bytes so far, and in total if known.
pub type Progress<'a> = &'a mut dyn FnMut(u64, Option<u64>);

/// Waits for this time between two attempts.
type Sleep = Box<dyn Fn(Duration) + Send + Sync>;

/// A pool of connections to one registry.
pub struct Http {
    connections: Connections,
    /// What this process has written.
    revisions: Revisions,
    /// What authorizes reads.
    access: ReadAccess,
    sleep: Sleep,
}

/// The purpose of reading a package. Registries count only downloads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// To use it.
    Download,
    /// To compare, show or copy it.
    Inspection,
}

/// The body of a request.
pub(crate) struct Upload<'a> {
    /// The `Content-Type`.
    pub content_type: &'a str,
    /// The whole body.
    pub body: &'a [u8],
}

impl Http {
    /// Connections to one registry, with the proxies and root certificates that the environment names.
    pub fn new(access: ReadAccess) -> Self {
        Self {
            connections: Connections::of_environment(|config| config),
            revisions: Revisions::default(),
            access,
            sleep: Box::new(std::thread::sleep),
        }
    }

    /// Connections to one registry, with what is saved for its reads.
    pub fn to(registry: &RegistryAddress) -> Self {
        Self::new(ReadAccess::saved(registry.clone()))
    }

    /// What authorizes reads.
    pub fn access(&self) -> &ReadAccess {
        &self.access
    }

    /// Reads at most `most` bytes from `url`, with up to four attempts. Any status is an
    /// answer, except those that ask to come back later. A 401 is answered once with the credential for reads, unless
    /// there is a token. Redirects are followed, without token and credential if they change the origin.
    pub fn get(
        &self,
        url: &Url,
        token: Option<&Token>,
        most: u64,
        progress: Progress<'_>,
    ) -> Result<Answer, ClientError> {
        self.get_for(Purpose::Download, url, token, most, progress)
    }

    /// [`Self::get`] for a package that is not read to use it.
    pub(crate) fn get_for(
        &self,
        purpose: Purpose,
        url: &Url,
        token: Option<&Token>,
        most: u64,
        progress: Progress<'_>,
    ) -> Result<Answer, ClientError> {
        let attempt = Attempt { token, purpose, most, ..Attempt::get(self, url) };
        self.retry(|| attempt.run(progress))
    }

    /// Posts a body that the host may get twice, such as a package, with up to four attempts. Redirects
    /// are followed only if they keep the method and the origin.
    pub(crate) fn upload(
        &self,
        url: &Url,
        token: &Token,
        upload: &Upload<'_>,
        progress: Progress<'_>,
    ) -> Result<Answer, ClientError> {
        let upload = Some(upload);
        let attempt = Attempt { token: Some(token), method: Method::POST, upload, ..Attempt::get(self, url) };
        self.retry(|| attempt.run(progress))
    }

    /// Posts a form without a token, once.
    pub(crate) fn post_form(&self, url: &Url, form: &str) -> Result<Answer, ClientError> {
        let upload = Upload { content_type: "application/x-www-form-urlencoded", body: form.as_bytes() };
        let attempt = Attempt { method: Method::POST, upload: Some(&upload), ..Attempt::get(self, url) };
        Ok(attempt.run(&mut |_, _| {})?)
    }

    /// Asks to delete what `url` names, with up to four attempts. Follows no redirect.
    pub(crate) fn delete(&self, url: &Url, token: &Token) -> Result<Answer, ClientError> {
        self.send(Method::DELETE, url, token, None)
    }

    /// Sends a request of any method, with up to four attempts. A `POST` whose answer may be lost is not
    /// sent again, because it could be done twice. Redirects are followed only if they keep the method and
    /// the origin, and not for `DELETE`.
    pub(crate) fn send(
        &self,
        method: Method,
        url: &Url,
        token: &Token,
        upload: Option<&Upload<'_>>,
    ) -> Result<Answer, ClientError> {
        self.send_as(Some(token), method, url, upload)
    }

    /// Posts what is a credential itself, so without a token.
    pub(crate) fn post_unauthorized(&self, url: &Url, upload: &Upload<'_>) -> Result<Answer, ClientError> {
        self.send_as(None, Method::POST, url, Some(upload))
    }

    fn send_as(
        &self,
        token: Option<&Token>,
        method: Method,
        url: &Url,
        upload: Option<&Upload<'_>>,
    ) -> Result<Answer, ClientError> {
        let is_repeatable = method != Method::POST;
        let attempt = Attempt { token, method, upload, ..Attempt::get(self, url) };
        self.retry(|| match attempt.run(&mut |_, _| {}) {
            Err(Failure::Transient { why, may_be_done: true, .. }) if !is_repeatable => {
                Err(ClientError::AnswerLost { url: url.to_string(), why: why.to_string() }.into())
            }
            done => done,
        })
    }

    fn retry(&self, mut attempt: impl FnMut() -> Result<Answer, Failure>) -> Result<Answer, ClientError> {
        let mut retries = Retries::default();
        loop {
            match attempt() {
                Ok(answer) => return Ok(answer),
                Err(Failure::Permanent(why)) => return Err(why),
                Err(Failure::Transient { why, retry_after, .. }) => match retries.next(retry_after) {
                    Some(pause) => {
                        let (next, seconds) = (retries.next_attempt(), pause.as_secs());
                        if seconds > 0 {
                            notice::show(&format!(
                                "{why}: trying again in {seconds} s ({next} of {MAX_ATTEMPTS})"
                            ));
                        }
                        (self.sleep)(pause);
                    }
                    None => return Err(why),
                },
            }
        }
    }
}

#[cfg(test)]
mod tests;
