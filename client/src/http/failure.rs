//! Failures of an attempt, and whether to retry.

use std::io::ErrorKind;
use std::time::Duration;

use url::Url;

use super::connections::ProxyFailure;
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
        if let Some(why) = certificate_problem(why) {
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

/// The cause of a proxy's failure, which continues a sentence that begins with its name.
pub(super) fn of_proxy(failed: &ProxyFailure) -> String {
    let ProxyFailure { proxy, why } = failed;
    match (why, connect_status(why)) {
        (_, Some(407)) if proxy.has_login => "refuses the user name and password of its address".to_owned(),
        (_, Some(407)) => {
            "needs a user name and password: put them into its address, as in http://NAME:PASSWORD@…"
                .to_owned()
        }
        (_, Some(status)) => format!(
            "answers the request for a connection with status {status}: it does not lead there, or it is not a proxy"
        ),
        (ureq::Error::ConnectProxyFailed(_), None) => {
            "closed the connection without an answer: perhaps it is not a proxy".to_owned()
        }
        (ureq::Error::Protocol(_) | ureq::Error::LargeResponseHeader(..), _) => {
            "does not answer in HTTP: it is not a proxy".to_owned()
        }
        _ => match certificate_problem(why) {
            Some(why) => format!("cannot be trusted: {why}"),
            None => format!("cannot be reached: {}", describe(why)),
        },
    }
}

/// The status with which a proxy has refused a connection. ureq has it in a text only.
fn connect_status(why: &ureq::Error) -> Option<u16> {
    let ureq::Error::ConnectProxyFailed(text) = why else { return None };
    text.rsplit('/').next()?.parse().ok()
}

/// The problem with a certificate and its remedy. None if the error is another one. rustls
/// reports it only as text: "invalid peer certificate: " and a word.
fn certificate_problem(why: &ureq::Error) -> Option<String> {
    let why = why.to_string();
    let (_, found) = why.split_once("invalid peer certificate: ")?;
    let (_, remedy) = CERTIFICATE_PROBLEMS.iter().find(|(word, _)| found.contains(word))?;
    Some((*remedy).to_owned())
}

/// Words of rustls, and what they mean for a person. The first match counts; the last entry matches
/// every text.
const CERTIFICATE_PROBLEMS: &[(&str, &str)] = &[
    (
        "CaUsedAsEndEntity",
        "its certificate is one for authorities (CA:TRUE), as `openssl req -x509` makes them, and this program \
         takes no such certificate from a host, even if SSL_CERT_FILE has it. Tell the operator of the host to make \
         one with `-addext basicConstraints=critical,CA:FALSE`, and name that in SSL_CERT_FILE",
    ),
    (
        "UnsupportedCertVersion",
        "its certificate has an old form (X.509 version 1). Tell the operator of the host to make one with the \
         extension subjectAltName, for example with `openssl req -x509 -addext subjectAltName=DNS:…`",
    ),
    // `BadSignature`: another authority of the same name has signed it.
    ("UnknownIssuer", UNKNOWN_AUTHORITY),
    ("BadSignature", UNKNOWN_AUTHORITY),
    (
        "not valid for any names",
        "its certificate names no host in its subjectAltName, and its subject (CN) does not count. Tell the operator \
         of the host to make one with `-addext subjectAltName=DNS:…`",
    ),
    ("not valid for name", OTHER_NAME),
    ("NotValidForName", OTHER_NAME),
    (
        "xpired",
        "its certificate has expired. Check the clock of this machine, or tell the operator of the host",
    ),
    ("NotValidYet", NOT_YET),
    ("not valid yet", NOT_YET),
    ("evoked", "its certificate was revoked. Tell the operator of the host"),
    (
        "extended key usage",
        "its certificate is not for servers (extendedKeyUsage). Tell the operator of the host",
    ),
    (
        "UnsupportedSignatureAlgorithm",
        "its certificate is signed in a way that is not secure or not known (such as SHA-1). Tell the operator of \
         the host",
    ),
    ("", "its certificate is invalid. Tell the operator of the host"),
];

const UNKNOWN_AUTHORITY: &str = "its certificate is from an unknown authority. If that is the authority of your \
                                 network or company, set SSL_CERT_FILE to the file with its certificate";
const OTHER_NAME: &str = "its certificate is for another name. Check the address";
const NOT_YET: &str =
    "its certificate is not valid yet. Check the clock of this machine, or tell the operator of the host";

fn describe(why: &ureq::Error) -> String {
    match why {
        ureq::Error::Io(why) => describe_io(why.kind(), &why.to_string()),
        ureq::Error::HostNotFound => "no such host".to_owned(),
        ureq::Error::Timeout(what) => format!("it timed out ({what})"),
        ureq::Error::Protocol(_) => "its answer is not HTTP".to_owned(),
        ureq::Error::LargeResponseHeader(..) => "the header of its answer is too long".to_owned(),
        ureq::Error::Tls(_) => "its name cannot be in a certificate".to_owned(),
        other => describe_io(ErrorKind::Other, &other.to_string()),
    }
}

/// The texts of rustls are for programmers. Those of the operating system stay as they are.
fn describe_io(kind: ErrorKind, why: &str) -> String {
    if why.contains("close_notify") || kind == ErrorKind::UnexpectedEof {
        "the host closed the connection before its answer was complete".to_owned()
    } else if why.contains("received corrupt message") {
        "the host does not speak TLS on this port. Perhaps its address begins with http:// instead of https://"
            .to_owned()
    } else if let Some((_, alert)) = why.split_once("received fatal alert: ") {
        format!("the host refused the TLS connection ({})", words(alert))
    } else if why.contains("peer is incompatible") {
        "the host speaks no version of TLS that this program knows (1.2 and 1.3)".to_owned()
    } else if kind == ErrorKind::InvalidData {
        "the TLS connection failed".to_owned()
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
        let of_tls = |why: &str| describe_io(ErrorKind::InvalidData, why);
        let alert = of_tls("received fatal alert: HandshakeFailure");
        assert_eq!(alert, "the host refused the TLS connection (handshake failure)");
        assert!(of_tls("received corrupt message of type InvalidContentType").contains("http://"));
        assert_eq!(of_tls("peer misbehaved: WrongGroupForKeyShare"), "the TLS connection failed");
        let closed = "peer closed connection without sending TLS close_notify: https://docs.rs/…";
        assert!(!describe_io(ErrorKind::UnexpectedEof, closed).contains("rustls"));
        let reset = "Connection reset by peer";
        assert_eq!(describe_io(ErrorKind::ConnectionReset, reset), reset);
    }

    #[test]
    fn certificate_problem_names_cause_and_remedy() {
        for (found, expected) in [
            ("UnknownIssuer", "SSL_CERT_FILE"),
            ("BadSignature", "unknown authority"),
            (
                "certificate expired: verification time 2 (UNIX), but certificate is not valid after 1",
                "clock",
            ),
            ("certificate not valid yet: verification time 1 (UNIX)", "not valid yet"),
            (
                "certificate not valid for name \"x\"; certificate is only valid for DnsName(\"y\")",
                "another name",
            ),
            (
                "certificate not valid for name \"x\"; certificate is not valid for any names (…)",
                "subjectAltName",
            ),
            ("Other(OtherError(CaUsedAsEndEntity))", "CA:FALSE"),
            ("Other(OtherError(UnsupportedCertVersion))", "version 1"),
            ("BadEncoding", "is invalid"),
        ] {
            let why =
                std::io::Error::new(ErrorKind::InvalidData, format!("invalid peer certificate: {found}"));
            let shown = certificate_problem(&ureq::Error::Io(why)).unwrap_or_default();
            assert!(shown.contains(expected) && !shown.contains("OtherError"), "{found}: {shown}");
        }
    }
}
