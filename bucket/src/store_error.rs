//! Failures of a store, in our own words. Texts of the client's library name its parts and retries.

use std::error::Error as _;
use std::io::ErrorKind;

use object_store::Error as StoreError;

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
    let text = why.to_string();
    let said = match why {
        ureq::Error::HostNotFound => "its host is not known",
        ureq::Error::Timeout(_) => "it did not answer in time",
        ureq::Error::Io(why) if why.kind() == ErrorKind::ConnectionRefused => {
            "nothing listens at its address"
        }
        _ if text.contains("invalid peer certificate") => {
            return "the certificate of the store is not trusted: if it is from an authority of your own, set \
                    SSL_CERT_FILE to the file with that authority's certificate"
                .into();
        }
        _ if text.contains("corrupt message") => {
            "it does not speak TLS: does its address begin with http://?"
        }
        _ => "the connection broke off",
    };
    format!("the store cannot be reached: {said}. Check its address, and try again later")
}

/// Finds the status and the code in the text of an error. The library has them in no other form, so a test
/// compares its texts. `target::http` keeps only the code of the body of an answer.
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
