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

fn sentence(why: &ureq::Error) -> String {
    match why {
        ureq::Error::Io(why) => why.to_string(),
        ureq::Error::HostNotFound => "there is no such host".to_owned(),
        ureq::Error::Timeout(what) => format!("it took too long ({what})"),
        other => other.to_string(),
    }
}
