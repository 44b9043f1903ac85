//! Failures of an attempt, and whether to retry.

use std::fmt;
use std::io::{self, ErrorKind};
use std::time::Duration;

use registry::connection_fault::{certificate_fault, io_fault};
use url::Url;

use super::proxies::ProxyName;
use crate::ClientError;

/// Why an attempt failed.
pub(super) enum Failure {
    /// Another attempt would fail too.
    Permanent(ClientError),
    /// Another attempt may succeed.
    Transient {
        /// The error after the last attempt.
        why: ClientError,
        /// The time the host asks to wait.
        retry_after: Option<Duration>,
        /// Whether the host may have done what was asked, and only the answer was lost.
        may_be_done: bool,
    },
}

impl From<ClientError> for Failure {
    fn from(why: ClientError) -> Self {
        Self::Permanent(why)
    }
}

impl From<Failure> for ClientError {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::Permanent(why) | Failure::Transient { why, .. } => why,
        }
    }
}

impl Failure {
    /// The failure of a connection before its answer. `proxy` is the one that it went through.
    pub(super) fn before_answer(url: &Url, why: &ureq::Error, proxy: Option<&ProxyName>) -> Self {
        if let ureq::Error::Other(other) = why
            && let Some(failed) = other.downcast_ref::<ProxyFailure>()
        {
            return Self::before_host(url, failed);
        }
        if let Some(why) = certificate_fault(&why.to_string()) {
            return Self::Permanent(ClientError::Certificate { url: url.to_string(), why });
        }
        // Of the errors that are retried, only these can come after the request.
        let may_be_done = matches!(why, ureq::Error::Io(why) if why.kind() != ErrorKind::ConnectionRefused);
        let is_transient = is_transient(why);
        let through = proxy.map(|proxy| format!(" (through {proxy})")).unwrap_or_default();
        let why = format!("{}{through}", describe(why));
        Self::of(ClientError::Unreachable { url: url.to_string(), why }, is_transient, may_be_done)
    }

    /// The failure of a proxy. The host was not asked.
    fn before_host(url: &Url, failed: &ProxyFailure) -> Self {
        let ProxyFailure { proxy, why } = failed;
        let is_transient = is_transient(why) || matches!(connect_status(why), Some(502..=504));
        let failed = failed.to_string();
        let variable = proxy.variable.clone();
        Self::of(ClientError::Proxy { url: url.to_string(), why: failed, variable }, is_transient, false)
    }

    fn of(why: ClientError, is_transient: bool, may_be_done: bool) -> Self {
        match is_transient {
            true => Self::Transient { why, retry_after: None, may_be_done },
            false => Self::Permanent(why),
        }
    }
}

/// The failure of an answer's body, in words and with its kind. ureq wraps its own errors.
pub(super) fn of_body(why: &io::Error) -> io::Error {
    let inner = why.get_ref().and_then(|inner| inner.downcast_ref());
    io::Error::new(why.kind(), inner.map_or_else(|| io_fault(why), describe))
}

/// Whether another attempt may succeed.
fn is_transient(why: &ureq::Error) -> bool {
    match why {
        // TLS reports an invalid certificate as InvalidData.
        ureq::Error::Io(why) => why.kind() != ErrorKind::InvalidData,
        ureq::Error::ConnectionFailed => true,
        ureq::Error::Timeout(what) => matches!(what, ureq::Timeout::Connect | ureq::Timeout::Resolve),
        _ => false,
    }
}

/// The connection through a proxy failed.
#[derive(Debug)]
pub(super) struct ProxyFailure {
    pub proxy: ProxyName,
    pub why: ureq::Error,
}

impl fmt::Display for ProxyFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { proxy, why } = self;
        let cause = match (why, connect_status(why)) {
            (_, Some(407)) if proxy.has_login => {
                "refuses the user name and password of its address".to_owned()
            }
            (_, Some(407)) => {
                "needs a user name and password: put them into its address, as in http://NAME:PASSWORD@…"
                    .to_owned()
            }
            (_, Some(status)) => format!(
                "answers the request for a connection with status {status}: it does not lead there, or it is not a proxy"
            ),
            (ureq::Error::Io(why), _) if proxy.address.starts_with("socks") => match why.kind() {
                ErrorKind::InvalidData => "does not answer in SOCKS: it is not such a proxy".to_owned(),
                ErrorKind::PermissionDenied => "refuses the user name and password of its address".to_owned(),
                ErrorKind::Other => format!("refuses the connection ({why})"),
                _ => format!("cannot be reached: {}", io_fault(why)),
            },
            (ureq::Error::ConnectProxyFailed(_), None) => {
                "closed the connection without an answer: perhaps it is not a proxy".to_owned()
            }
            (ureq::Error::Protocol(_) | ureq::Error::LargeResponseHeader(..), _) => {
                "does not answer in HTTP: it is not a proxy".to_owned()
            }
            _ => match certificate_fault(&why.to_string()) {
                Some(why) => format!("cannot be trusted: {why}"),
                None => format!("cannot be reached: {}", describe(why)),
            },
        };
        write!(f, "{proxy}, {cause}")
    }
}

impl std::error::Error for ProxyFailure {}

/// The status with which a proxy has refused a connection. ureq has it in a text only.
fn connect_status(why: &ureq::Error) -> Option<u16> {
    let ureq::Error::ConnectProxyFailed(text) = why else { return None };
    text.rsplit('/').next()?.parse().ok()
}

fn describe(why: &ureq::Error) -> String {
    match why {
        ureq::Error::Io(why) => io_fault(why),
        ureq::Error::HostNotFound => "no such host".to_owned(),
        ureq::Error::Timeout(what) => format!("it timed out ({what})"),
        ureq::Error::Protocol(_) => "its answer is not HTTP".to_owned(),
        ureq::Error::LargeResponseHeader(..) => "the header of its answer is too long".to_owned(),
        ureq::Error::Tls(_) => "its name cannot be in a certificate".to_owned(),
        other => other.to_string(),
    }
}
