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
        /// Whether the host may have done what was asked, and only the answer was lost.
        may_be_done: bool,
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
        // Of the errors that are retried, only these can come after the request.
        let may_be_done = matches!(why, ureq::Error::Io(why) if why.kind() != ErrorKind::ConnectionRefused);
        let why = ClientError::Unreachable { url: url.to_string(), why: describe(why) };
        if is_transient {
            Self::Transient { why, retry_after: None, may_be_done }
        } else {
            Self::Permanent(why)
        }
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
    } else if found.starts_with("NotValidYet") || found.starts_with("certificate not valid yet") {
        "its certificate is not valid yet. Check the clock of this machine, or tell the operator of the host"
            .to_owned()
    } else if found.starts_with("Revoked") || found.starts_with("certificate revoked") {
        "its certificate was revoked. Tell the operator of the host".to_owned()
    } else {
        "its certificate is invalid. Tell the operator of the host".to_owned()
    })
}

fn describe(why: &ureq::Error) -> String {
    match why {
        ureq::Error::Io(why) => describe_io(&why.to_string()),
        ureq::Error::HostNotFound => "no such host".to_owned(),
        ureq::Error::Timeout(what) => format!("it timed out ({what})"),
        other => describe_io(&other.to_string()),
    }
}

/// The texts of rustls are for programmers. Others stay as they are.
fn describe_io(why: &str) -> String {
    if why.contains("close_notify") {
        "the host closed the connection before its answer was complete".to_owned()
    } else if why.contains("received corrupt message") {
        "the host does not speak TLS on this port. Perhaps its address begins with http:// instead of https://"
            .to_owned()
    } else if let Some((_, alert)) = why.split_once("received fatal alert: ") {
        format!("the host refused the TLS connection ({})", words(alert))
    } else if why.contains("peer is incompatible") {
        "the host speaks no version of TLS that this program knows (1.2 and 1.3)".to_owned()
    } else {
        why.to_owned()
    }
}

/// `HandshakeFailure` as `handshake failure`.
fn words(name: &str) -> String {
    let mut words = String::new();
    for letter in name.chars() {
        if letter.is_ascii_uppercase() && !words.is_empty() {
            words.push(' ');
        }
        words.push(letter.to_ascii_lowercase());
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tls_failure_is_a_sentence() {
        let alert = describe_io("received fatal alert: HandshakeFailure");
        assert_eq!(alert, "the host refused the TLS connection (handshake failure)");
        assert!(describe_io("received corrupt message of type InvalidContentType").contains("http://"));
        assert!(
            !describe_io("peer closed connection without sending TLS close_notify: https://docs.rs/…")
                .contains("rustls")
        );
        assert_eq!(describe_io("Connection reset by peer"), "Connection reset by peer");
        let other = certificate_problem("invalid peer certificate: Other(OtherError(CaUsedAsEndEntity))");
        assert!(other.is_some_and(|why| !why.contains("CaUsed")));
    }
}
