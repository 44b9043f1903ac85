//! HTTP for clients of registries: size limits, retries, redirects that are checked one by
//! one, and tokens that never leave their origin.

mod agents;
mod answer;
mod body;
mod exchange;
mod failure;
mod proxies;
mod redirect;
mod retry;
mod root_certs;

use url::Url;

use crate::{ClientError, Token};

pub use answer::Answer;

use agents::Agents;
use exchange::Exchange;
use failure::Failure;
use retry::Retries;

/// The size limit of a JSON document: 16 MiB. The largest ones are lists of all versions and
/// the manifest of the search index.
pub const JSON_LIMIT: u64 = 16 << 20;

/// The number of parallel connections to one host.
pub(crate) const CONNECTIONS: usize = 8;

/// A callback for the progress of a transfer: bytes so far, and in total if known.
pub type Progress<'a> = &'a mut dyn FnMut(u64, Option<u64>);

/// Waits for this time between two attempts.
type Sleep = Box<dyn Fn(std::time::Duration) + Send + Sync>;

/// A pool of connections to registries.
pub struct Http {
    agents: Agents,
    sleep: Sleep,
}

/// The body of a request.
pub(crate) struct Upload<'a> {
    /// The `Content-Type`.
    pub content_type: &'a str,
    /// The whole body.
    pub body: &'a [u8],
}

impl Http {
    /// Uses the proxies and root certificates that the environment names.
    pub fn new() -> Self {
        Self::with_sleep(Box::new(std::thread::sleep))
    }

    fn with_sleep(sleep: Sleep) -> Self {
        Self { agents: Agents::new(&|name| std::env::var_os(name)), sleep }
    }

    /// Reads at most `most` bytes from `url`, with up to four attempts. Any status is an
    /// answer, except those that ask to come back later. Redirects are followed, without the
    /// token if they change the origin.
    pub fn get(
        &self,
        url: &Url,
        token: Option<&Token>,
        most: u64,
        progress: Progress<'_>,
    ) -> Result<Answer, ClientError> {
        let exchange = Exchange { agents: &self.agents, url, token, upload: None, most };
        self.retry(|| exchange.run(progress))
    }

    /// Sends a body, with up to four attempts. Redirects are followed only if they keep the
    /// method and the origin.
    pub(crate) fn post(
        &self,
        url: &Url,
        token: &Token,
        upload: &Upload<'_>,
        progress: Progress<'_>,
    ) -> Result<Answer, ClientError> {
        let upload = Some(upload);
        let exchange = Exchange { agents: &self.agents, url, token: Some(token), upload, most: JSON_LIMIT };
        self.retry(|| exchange.run(progress))
    }

    fn retry(&self, mut attempt: impl FnMut() -> Result<Answer, Failure>) -> Result<Answer, ClientError> {
        let mut retries = Retries::default();
        loop {
            match attempt() {
                Ok(answer) => return Ok(answer),
                Err(Failure::Permanent(why)) => return Err(why),
                Err(Failure::Transient { why, retry_after }) => match retries.next(retry_after) {
                    Some(pause) => (self.sleep)(pause),
                    None => return Err(why),
                },
            }
        }
    }
}

impl Default for Http {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests;
