//! Failures of an attempt, and whether to retry.

use std::io::ErrorKind;
use std::time::Duration;

use url::Url;

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
    },
}

impl From<ClientError> for Failure {
    fn from(why: ClientError) -> Self {
        Self::Permanent(why)
    }
}

impl Failure {
    /// The failure of a connection before its answer.
    pub(super) fn before_answer(url: &Url, why: &ureq::Error) -> Self {
        if let Some(why) = certificate_problem(&describe(why)) {
            return Self::Permanent(ClientError::Certificate { url: url.to_string(), why });
        }
        let is_transient = match why {
            // TLS reports an invalid certificate as InvalidData.
            ureq::Error::Io(why) => why.kind() != ErrorKind::InvalidData,
            ureq::Error::ConnectionFailed => true,
            ureq::Error::Timeout(what) => matches!(what, ureq::Timeout::Connect | ureq::Timeout::Resolve),
            _ => false,
        };
        let why = ClientError::Unreachable { url: url.to_string(), why: describe(why) };
        if is_transient { Self::Transient { why, retry_after: None } } else { Self::Permanent(why) }
    }
}

/// The problem with a certificate and its remedy. None if the error is another one. rustls
/// reports it only as text: "invalid peer certificate: " and a word.
fn certificate_problem(why: &str) -> Option<String> {
    let (_, found) = why.split_once("invalid peer certificate: ")?;
    Some(if found.starts_with("UnknownIssuer") {
        "its certificate is from an unknown authority. If that is the authority of your network or company, set \
         SSL_CERT_FILE to the file with its certificate"
            .to_owned()
    } else if found.contains("not valid for name") || found.starts_with("NotValidForName") {
        "its certificate is for another name. Check the address".to_owned()
    } else if found.starts_with("certificate expired") || found.starts_with("Expired") {
        "its certificate has expired. Check the clock of this machine, or tell the operator of the host"
            .to_owned()
    } else {
        format!("its certificate is invalid ({found}). Tell the operator of the host")
    })
}

fn describe(why: &ureq::Error) -> String {
    match why {
        ureq::Error::Io(why) => why.to_string(),
        ureq::Error::HostNotFound => "no such host".to_owned(),
        ureq::Error::Timeout(what) => format!("it timed out ({what})"),
        other => other.to_string(),
    }
}
