//! HTTP as a client of registries needs it: limits, retries, redirects that are
//! looked at one by one, and a token that goes to its own origin only.

mod answer;
mod body;
mod exchange;
mod failure;
mod problem;
mod redirect;
mod retry;

use std::time::Duration;

use ureq::Agent;
use url::Url;

use crate::{ClientError, Token};

pub use answer::Answer;
pub use problem::Problem;
pub(crate) use retry::come_back;
pub use retry::{Clock, Pause};

use exchange::Exchange;
use failure::Failure;
use retry::Retries;

/// No JSON document is longer: 16 MiB. The largest that registries have are lists
/// of all versions and the manifest of the search index.
pub const JSON_LIMIT: u64 = 16 << 20;

/// How long a connection may take, with the names and the TLS behind it.
const CONNECT: Duration = Duration::from_secs(20);
/// How long nothing may come or go: a registry checks a large package before it
/// answers.
const SILENCE: Duration = Duration::from_secs(60);
/// How long a body may take as a whole: 128 MiB at 1.1 Mbit/s.
const BODY: Duration = Duration::from_secs(1000);
/// As many as are asked side by side.
pub(crate) const CONNECTIONS: usize = 8;

/// What is told of a transfer: bytes so far, and how many there are where that is
/// known.
pub type Progress<'a> = &'a mut dyn FnMut(u64, Option<u64>);

/// Connections to registries.
pub struct Http {
    agent: Agent,
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
    /// Through the proxy that the environment names, if any, waiting by the clock.
    pub fn new() -> Self {
        Self::pausing(Box::new(Clock))
    }

    /// The same, waiting in another way between attempts.
    pub fn pausing(pause: Box<dyn Pause>) -> Self {
        let config = Agent::config_builder()
            .http_status_as_error(false)
            // Each is looked at here before it is followed.
            .max_redirects(0)
            .timeout_connect(Some(CONNECT))
            .timeout_recv_response(Some(SILENCE))
            .timeout_per_read(Some(SILENCE))
            .timeout_send_body(Some(BODY))
            .timeout_recv_body(Some(BODY))
            .timeout_per_write(Some(SILENCE))
            .max_idle_connections_per_host(CONNECTIONS)
            .user_agent(concat!("skillmirror/", env!("CARGO_PKG_VERSION")))
            .build();
        Self { agent: config.into(), pause }
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
        let exchange = Exchange { agent: &self.agent, url, token, upload: None, most };
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
        let exchange = Exchange { agent: &self.agent, url, token: Some(token), upload, most: JSON_LIMIT };
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
