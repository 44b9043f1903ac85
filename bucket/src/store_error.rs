//! Failures of a store, in our own words. Texts of the client's library name its parts and retries.

use std::error::Error as _;
use std::io::ErrorKind;

use object_store::Error as StoreError;
use registry::connection_fault::{certificate_fault, io_fault};

/// Whether an object could not be created because it exists.
pub fn is_taken(why: &StoreError) -> bool {
    matches!(why, StoreError::AlreadyExists { .. } | StoreError::Precondition { .. })
}

/// Why a request to a store failed, as one sentence with a remedy where there is one.
pub fn sentence(why: &StoreError) -> String {
    if let Some(why) = connection(why) {
        return connection_sentence(why);
    }
    let (status, code) = answer(&why.to_string());
    let remedy = match code.as_str() {
        "InvalidAccessKeyId" => "the access key in the environment is not known there".into(),
        "SignatureDoesNotMatch" => {
            "the secret key in the environment does not belong to the access key".into()
        }
        "RequestTimeTooSkewed" => "the clock of this machine is wrong".into(),
        "ExpiredToken" => "the credentials in the environment have expired".into(),
        "NoSuchBucket" | "ContainerNotFound" => {
            "there is no such bucket: create it, or correct its name".into()
        }
        "PermanentRedirect" | "AuthorizationHeaderMalformed" | "IllegalLocationConstraintException" => {
            WRONG_REGION.into()
        }
        _ => match (status, why) {
            (Some(301 | 302 | 307 | 308), _) => WRONG_REGION.into(),
            (Some(401 | 403), _)
            | (None, StoreError::PermissionDenied { .. } | StoreError::Unauthenticated { .. }) => {
                "the store refuses the credentials: check those in the environment, and what they may do"
                    .into()
            }
            (Some(404), _) | (None, StoreError::NotFound { .. }) => {
                "there is no such bucket or object: check the name of the bucket".into()
            }
            (Some(status @ (429 | 500..)), _) => {
                format!("the store answers with status {status}: try again later")
            }
            (Some(status), _) => {
                format!("the store refuses the request with status {status}: check its address")
            }
            (None, _) if why.to_string().contains("Received redirect without LOCATION") => {
                WRONG_REGION.into()
            }
            (None, _) => {
                "the store sent no usable answer: check its address, and the credentials in the environment"
                    .into()
            }
        },
    };
    match code.is_empty() {
        true => remedy,
        false => format!("{remedy} ({code})"),
    }
}

const WRONG_REGION: &str =
    "the bucket is in another region, or at another endpoint: correct the region and the endpoint";

/// The failure of a connection among the causes of an error.
fn connection(why: &StoreError) -> Option<&ureq::Error> {
    let mut cause = why.source();
    while let Some(why) = cause {
        if let Some(found) = why.downcast_ref() {
            return Some(found);
        }
        cause = why.source();
    }
    None
}

fn connection_sentence(why: &ureq::Error) -> String {
    if let Some(why) = certificate_fault(&why.to_string()) {
        return format!("the store cannot be reached: {why}");
    }
    let said = match why {
        // The agents of this program put their own words there: about a proxy, or a variable.
        ureq::Error::Other(why) => return format!("the store cannot be reached: {why}"),
        ureq::Error::HostNotFound => "its host is not known".to_owned(),
        ureq::Error::Timeout(_) => "it did not answer in time".to_owned(),
        ureq::Error::Protocol(_) => "its answer is not HTTP".to_owned(),
        ureq::Error::Io(why) if why.kind() == ErrorKind::ConnectionRefused => {
            "nothing listens at its address".to_owned()
        }
        ureq::Error::Io(why) => io_fault(why),
        _ => "the connection broke off".to_owned(),
    };
    format!("the store cannot be reached: {said}. Check its address, and try again later")
}

/// Finds the status and the code in the text of an error. The library has them in no other form, so a test
/// compares its texts. `store::http` keeps only the code of the body of an answer.
fn answer(text: &str) -> (Option<u16>, String) {
    let Some((_, said)) = text.split_once("status code: ") else {
        let code = text.split_once("error response: ").map(|(_, code)| code.trim().to_owned());
        return (None, code.filter(|code| is_code(code)).unwrap_or_default());
    };
    let status = said.get(..3).and_then(|status| status.parse().ok());
    let code = said.rsplit(": ").next().map(str::trim).filter(|code| is_code(code)).unwrap_or_default();
    (status, code.to_owned())
}

fn is_code(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_ascii_alphabetic())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn connection_is_told_by_its_cause() {
        let io = |text: &str| ureq::Error::Io(std::io::Error::new(ErrorKind::InvalidData, text));
        for (why, expected) in [
            (
                io("invalid peer certificate: certificate expired: verification time 2"),
                "its certificate has expired",
            ),
            (io("invalid peer certificate: UnknownIssuer"), "SSL_CERT_FILE"),
            (io("received corrupt message of type InvalidContentType"), "does not speak TLS on this port"),
            (ureq::Error::Other("the proxy x, refuses".into()), "cannot be reached: the proxy x, refuses"),
        ] {
            let source = Box::new(why);
            let said = sentence(&StoreError::Generic { store: "S3", source });
            assert!(said.starts_with("the store cannot be reached: "), "{said}");
            assert!(said.contains(expected), "{expected}: {said}");
            assert_eq!(said.contains("Check its address"), expected.contains("TLS"), "{said}");
        }
    }
}
