//! Why an attempt has no answer, and whether another one may have.

use std::io::ErrorKind;
use std::time::Duration;

use url::Url;

use crate::ClientError;

/// Why an attempt has no answer.
pub(super) enum Failure {
    /// It would be the same again.
    Final(ClientError),
    /// It may pass.
    Passing {
        /// What is said when it does not.
        why: ClientError,
        /// How long the other side asks to be left alone.
        after: Option<Duration>,
    },
}

impl From<ClientError> for Failure {
    fn from(why: ClientError) -> Self {
        Self::Final(why)
    }
}

impl Failure {
    /// What the connection says before there is an answer.
    pub(super) fn before_the_answer(url: &Url, why: &ureq::Error) -> Self {
        if let Some(why) = certificate(&sentence(why)) {
            return Self::Final(ClientError::Certificate { url: url.to_string(), why });
        }
        let passes = match why {
            // A certificate that is wrong stays so, and is told as this kind.
            ureq::Error::Io(why) => why.kind() != ErrorKind::InvalidData,
            ureq::Error::ConnectionFailed => true,
            ureq::Error::Timeout(what) => matches!(what, ureq::Timeout::Connect | ureq::Timeout::Resolve),
            _ => false,
        };
        let why = ClientError::Unreachable { url: url.to_string(), why: sentence(why) };
        if passes { Self::Passing { why, after: None } } else { Self::Final(why) }
    }
}

/// What is wrong with a certificate, where that is it. rustls says it in a text only:
/// "invalid peer certificate: " and a word.
fn certificate(why: &str) -> Option<String> {
    let (_, found) = why.split_once("invalid peer certificate: ")?;
    Some(if found.starts_with("UnknownIssuer") {
        "its certificate is of an authority that is not known here. If it is that of your network or company, name \
         the file with its certificate with SSL_CERT_FILE"
            .to_owned()
    } else if found.contains("not valid for name") || found.starts_with("NotValidForName") {
        "its certificate is that of another name. Check the address".to_owned()
    } else if found.starts_with("certificate expired") || found.starts_with("Expired") {
        "its certificate has expired. Tell those who run it, unless the clock of this machine is wrong"
            .to_owned()
    } else {
        format!("its certificate is refused ({found}). Tell those who run it")
    })
}

fn sentence(why: &ureq::Error) -> String {
    match why {
        ureq::Error::Io(why) => why.to_string(),
        ureq::Error::HostNotFound => "there is no such host".to_owned(),
        ureq::Error::Timeout(what) => format!("it took too long ({what})"),
        other => other.to_string(),
    }
}
