//! Why a connection failed, in words for people. Used for hosts, object stores and databases.

use std::io::{self, ErrorKind};

/// The problem with a certificate and its remedy, out of the text of an error. None if that is about something
/// else. rustls reports it only as text: "invalid peer certificate: " and a word.
pub fn certificate_fault(text: &str) -> Option<String> {
    let (_, found) = text.split_once("invalid peer certificate: ")?;
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
                                 network or company, add its certificate to those of this system, or set SSL_CERT_FILE \
                                 to the file with it";
const OTHER_NAME: &str = "its certificate is for another name. Check the address";
const NOT_YET: &str =
    "its certificate is not valid yet. Check the clock of this machine, or tell the operator of the host";

/// Says why a connection failed. The texts of rustls are for programmers. Those of the operating system stay as
/// they are.
pub fn io_fault(why: &io::Error) -> String {
    of_kind(why.kind(), &why.to_string())
}

fn of_kind(kind: ErrorKind, why: &str) -> String {
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
        let of_tls = |why: &str| of_kind(ErrorKind::InvalidData, why);
        let alert = of_tls("received fatal alert: HandshakeFailure");
        assert_eq!(alert, "the host refused the TLS connection (handshake failure)");
        assert!(of_tls("received corrupt message of type InvalidContentType").contains("http://"));
        assert_eq!(of_tls("peer misbehaved: WrongGroupForKeyShare"), "the TLS connection failed");
        let closed = "peer closed connection without sending TLS close_notify: https://docs.rs/…";
        assert!(!of_kind(ErrorKind::UnexpectedEof, closed).contains("rustls"));
        let reset = "Connection reset by peer";
        assert_eq!(of_kind(ErrorKind::ConnectionReset, reset), reset);
    }

    #[test]
    fn certificate_fault_names_cause_and_remedy() {
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
            let shown = certificate_fault(&format!("invalid peer certificate: {found}")).unwrap_or_default();
            assert!(shown.contains(expected) && !shown.contains("OtherError"), "{found}: {shown}");
        }
    }
}
