//! Errors between a client and a registry.

mod code;
mod problem;

use std::path::PathBuf;

use registry::package::Refusal;
use registry::sanitize::escape_line;

use crate::history::HistoryError;

pub use problem::Problem;

/// Why the client could not complete a request. Each message says what is wrong and what to
/// do.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs, reason = "the messages explain the fields")]
#[non_exhaustive]
pub enum ClientError {
    /// The text is not the address of a registry.
    #[error(
        "invalid registry address `{text}`: {why}. Use an address like https://skills.example.org, or a folder \
         like file:///srv/skills"
    )]
    Address { text: String, why: String },
    /// The text is not a skill reference.
    #[error(
        "invalid skill name `{text}`: {why}. Use a name like hello, @namespace/hello or namespace--hello, \
         optionally followed by a version (@1.2.0, @1, @^1.2) or a tag (@beta)"
    )]
    Reference { text: String, why: String },
    /// No setting names a registry.
    #[error(
        "no registry given: use --registry or --site, set CLI_REGISTRY or CLI_SITE, or log in with \
         `skillmirror login --registry URL`"
    )]
    NoRegistry,
    /// Another error, with the setting that named the address.
    #[error("{why} (the address comes from {setting})")]
    From { setting: String, why: Box<ClientError> },
    /// The host does not answer, or not completely.
    #[error("cannot reach {url}: {why}. Check the address and the network, or try again later")]
    Unreachable { url: String, why: String },
    /// The proxy that leads to the host fails. `why` begins with its name.
    #[error(
        "cannot reach {url}: {why}. Correct {variable}, or add the host to NO_PROXY if it needs no proxy"
    )]
    Proxy { url: String, why: String, variable: String },
    /// The host sends a document in a form that nobody asked for, or damaged.
    #[error("{url} cannot be read: {why}. Tell the operator of the host to send files as they are")]
    Encoding { url: String, why: String },
    /// A change was sent, and no answer came.
    #[error(
        "{url}: the answer was lost, so the change may be done or not ({why}). Look before you run the command \
         again, for example with `skillmirror me` or `skillmirror token list`"
    )]
    AnswerLost { url: String, why: String },
    /// An environment variable has an unusable value. The text names it.
    #[error("{0}. Correct or unset it")]
    Environment(String),
    /// The TLS certificate of the host is not trusted.
    #[error("cannot trust {url}: {why}")]
    Certificate { url: String, why: String },
    /// The host sent a web page instead of a document.
    #[error("{url} is a web page instead of a JSON document: is {registry} the address of a registry?")]
    WebPage { url: String, registry: String },
    /// Something is missing, and there is no sign of a registry.
    #[error("{what}, and no sign of a registry there: is it the right address?")]
    NothingThere { what: String },
    /// The document has the wrong content.
    #[error(
        "{url} is not the expected JSON document: {why}. Either {registry} is not the address of a registry, \
         or this program is too old for it"
    )]
    NotTheDocument { url: String, registry: String, why: String },
    /// The download broke off in each attempt.
    #[error("{url}: the download broke off after {received} of {} bytes, several times: try again later",
        .expected.map_or("more".to_owned(), |expected| expected.to_string()))]
    Truncated { url: String, received: u64, expected: Option<u64> },
    /// The answer exceeds its size limit.
    #[error("{url} is larger than the limit of {most} bytes: nothing of it was used")]
    TooLarge { url: String, most: u64 },
    /// A redirect that is not followed. The text says where it leads and what to do.
    #[error("{0}")]
    Redirect(String),
    /// The host asks to come back later.
    #[error("{url} answered with status {status}: {}{}", reason(.detail), retry_advice(.after))]
    Busy { url: String, status: u16, detail: Option<String>, after: Option<u64> },
    /// The host answered with an unexpected status.
    #[error("{url} answered with status {status}: {advice}")]
    Status { url: String, status: u16, advice: String },
    /// The registry refused the request with a problem document.
    #[error("{0}")]
    Problem(Problem),
    /// No login is saved for a registry.
    #[error("no login saved for {0}: log in with `skillmirror login --registry {0}`")]
    NoLogin(String),
    /// No token was given, and standard input is not a terminal.
    #[error("no token given and no terminal to ask for one: pass it on standard input with --token-stdin")]
    NoTerminal,
    /// The text is not a token.
    #[error(
        "invalid token: a token is one word of visible ASCII characters. Pass it exactly as it was issued"
    )]
    Token,
    /// The credentials file cannot be used. The text says why and what to do.
    #[error("{}: {why}", .path.display())]
    Credentials { path: PathBuf, why: String },
    /// The credential for reads of a registry cannot be used. The text has no secret.
    #[error("the credential for reads of {registry} cannot be used: {why}")]
    ReadCredential { registry: String, why: String },
    /// A policy file cannot be used, so nothing is installed. The text says what to do.
    #[error("the policy {}: {why}. Nothing is installed until it can be read", .path.display())]
    Policy { path: PathBuf, why: String },
    /// A registry's tree in a folder cannot be read.
    #[error("cannot read {}: {why}", .path.display())]
    Tree { path: PathBuf, why: String },
    /// A file or folder of the user cannot be used.
    #[error("{}: {why}", .path.display())]
    File { path: PathBuf, why: String },
    /// The skill, version or tag does not exist. The text says what does.
    #[error("{0}")]
    NotFound(String),
    /// The requested versions are yanked. The text says why.
    #[error("{0}")]
    Yanked(String),
    /// Nobody has agreed to something that is hard to undo. The text says what to do.
    #[error("{0}")]
    NotConfirmed(String),
    /// The registry does not support the request. The text says what does.
    #[error("{0}")]
    Unsupported(String),
    /// The package failed its checks. `outcome` says what was not done with it.
    #[error("the package is invalid and {outcome}:{}", findings(.refusal))]
    Package { refusal: Refusal, outcome: &'static str },
    /// The registry sent something else than the package, or one that cannot be unpacked.
    #[error("the package of {what} from {registry} cannot be used: {why}")]
    NotThePackage { what: String, registry: String, why: String },
    /// The signed history does not prove what the registry says.
    #[error(transparent)]
    History(#[from] HistoryError),
    /// The search index is damaged, or has another format.
    #[error(
        "a file of the search index of {registry} cannot be used: {why}. Try again, or tell the operator of the registry"
    )]
    Index { registry: String, why: String },
}

/// One line for each finding.
fn findings(refusal: &Refusal) -> String {
    refusal.findings.iter().map(|finding| format!("\n  {}", escape_line(finding))).collect()
}

/// The host's own words, as the beginning of a sentence.
fn reason(detail: &Option<String>) -> String {
    detail.as_ref().map(|detail| format!("{}: ", detail.trim_end().trim_end_matches('.'))).unwrap_or_default()
}

/// The advice to retry after so many seconds.
fn retry_advice(after: &Option<u64>) -> String {
    match *after {
        None | Some(0) => "try again later".to_owned(),
        Some(1) => "try again in a second".to_owned(),
        Some(seconds @ ..=120) => format!("try again in {seconds} seconds"),
        Some(seconds @ ..=7200) => format!("try again in {} minutes", seconds.div_ceil(60)),
        Some(seconds @ ..=172_800) => format!("try again in {} hours", seconds.div_ceil(3600)),
        Some(seconds) => format!("try again in {} days", seconds.div_ceil(86_400)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn retry_advice_uses_readable_units() {
        for (after, expected) in [
            (None, "try again later"),
            (Some(61), "try again in 61 seconds"),
            (Some(3000), "try again in 50 minutes"),
            (Some(7201), "try again in 3 hours"),
            (Some(u64::MAX), "try again in 213503982334602 days"),
        ] {
            assert_eq!(retry_advice(&after), expected);
        }
    }
}
