//! HTTP as a client of registries needs it: limits, retries, redirects that are
//! looked at one by one, and a token that goes to its own origin only.

mod agents;
mod answer;
mod authorities;
mod body;
mod exchange;
mod failure;
mod problem;
mod proxies;
mod redirect;
mod retry;

use url::Url;

use crate::{ClientError, Token};

pub use answer::Answer;
pub use problem::Problem;
pub(crate) use retry::come_back;
pub use retry::{Clock, Pause};

use agents::Agents;
use exchange::Exchange;
use failure::Failure;
use retry::Retries;

/// No JSON document is longer: 16 MiB. The largest that registries have are lists
/// of all versions and the manifest of the search index.
pub const JSON_LIMIT: u64 = 16 << 20;

/// As many as are asked side by side.
pub(crate) const CONNECTIONS: usize = 8;

/// What is told of a transfer: bytes so far, and how many there are where that is
/// known.
pub type Progress<'a> = &'a mut dyn FnMut(u64, Option<u64>);

/// Connections to registries.
pub struct Http {
    agents: Agents,
    pause: Box<dyn Pause>,
}

/// What is sent with a request.
pub(crate) struct Upload<'a> {
    /// Its type.
    pub content_type: &'a str,
    /// All of it.
    pub body: &'a [u8],
}

impl Http {
    /// Through the proxies and with the authorities that the environment names, if any,
    /// waiting by the clock.
    pub fn new() -> Self {
        Self::pausing(Box::new(Clock))
    }

    /// The same, waiting in another way between attempts.
    pub fn pausing(pause: Box<dyn Pause>) -> Self {
        Self { agents: Agents::new(&|name| std::env::var_os(name)), pause }
    }

    /// Reads what is at `url`, at most `most` bytes of it, with up to four attempts.
    /// Whatever the status is, it is an answer, but for those that ask to come back.
    /// Redirects are followed, without the token where the origin is another one.
    pub fn get(
        &self,
        url: &Url,
        token: Option<&Token>,
        most: u64,
        progress: Progress<'_>,
    ) -> Result<Answer, ClientError> {
        let exchange = Exchange { agents: &self.agents, url, token, upload: None, most };
        self.attempts(|| exchange.run(progress))
    }

    /// Sends something that may be sent again, with up to four attempts. A redirect
    /// is followed only where method and origin stay.
    pub(crate) fn post(
        &self,
        url: &Url,
        token: &Token,
        upload: &Upload<'_>,
        progress: Progress<'_>,
    ) -> Result<Answer, ClientError> {
        let upload = Some(upload);
        let exchange = Exchange { agents: &self.agents, url, token: Some(token), upload, most: JSON_LIMIT };
        self.attempts(|| exchange.run(progress))
    }

    fn attempts(&self, mut attempt: impl FnMut() -> Result<Answer, Failure>) -> Result<Answer, ClientError> {
        let mut retries = Retries::default();
        loop {
            match attempt() {
                Ok(answer) => return Ok(answer),
                Err(Failure::Final(why)) => return Err(why),
                Err(Failure::Passing { why, after }) => match retries.next(after) {
                    Some(time) => self.pause.pause(time),
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
