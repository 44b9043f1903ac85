//! What goes wrong between a client and a registry.

mod code;

use std::path::PathBuf;

use registry::package::Refusal;

use crate::http::Problem;

/// Why the client could not do what it was asked. Each text says what was found
/// and what to do.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs, reason = "the texts say what the fields are")]
#[non_exhaustive]
pub enum ClientError {
    /// A text is no address of a registry.
    #[error(
        "`{text}` is not the address of a registry: {why}. Write it like https://skills.example.org, \
         or a folder like file:///srv/skills"
    )]
    Address { text: String, why: String },
    /// A text names no skill.
    #[error(
        "`{text}` names no skill: {why}. Write hello, @namespace/hello or namespace--hello, with @1.2.0 or \
         @tag behind it for one version"
    )]
    Reference { text: String, why: String },
    /// Nothing says which registry is meant.
    #[error(
        "no registry is known: name one with --registry or --site, set CLI_REGISTRY or CLI_SITE, or log in \
         with `skillmirror login --registry URL`"
    )]
    NoRegistry,
    /// The same as another, with where the address came from.
    #[error("{why} (the address comes from {origin})")]
    From { origin: String, why: Box<ClientError> },
    /// Nobody answers, or not to the end of the headers.
    #[error("{url} cannot be reached: {why}. Check the address and the network, or try again later")]
    Unreachable { url: String, why: String },
    /// A setting of the environment cannot be used; the text says which, and why.
    #[error("{0}. Correct it, or unset it")]
    Environment(String),
    /// A host does not show that it is the one that was asked for.
    #[error("{url} cannot be trusted: {why}")]
    Certificate { url: String, why: String },
    /// A web page is there where a document belongs.
    #[error(
        "{url} answered with a web page where a JSON document belongs: is {registry} the address of a \
         registry?"
    )]
    WebPage { url: String, registry: String },
    /// Something is not there, nor anything else of a registry.
    #[error("{what}, nor anything else of a registry: is it the address of one?")]
    NothingThere { what: String },
    /// What is there is no such document.
    #[error(
        "{url} answered with something that is not the JSON document that belongs there ({why}): is \
         {registry} the address of a registry, and of one that this program knows?"
    )]
    NotTheDocument { url: String, registry: String, why: String },
    /// An answer ended before its end.
    #[error("{url}: the download ended after {received} of {} bytes, again and again: try again later",
        .expected.map_or("more".to_owned(), |expected| expected.to_string()))]
    Truncated { url: String, received: u64, expected: Option<u64> },
    /// An answer has more bytes than it may have.
    #[error(
        "{url} answered with more than {most} bytes, which is more than belongs there: nothing of it was used"
    )]
    TooLarge { url: String, most: u64 },
    /// A redirect that is not followed; the text says where it leads and what to do.
    #[error("{0}")]
    Redirect(String),
    /// The registry wants to be left alone for a while.
    #[error("{url} answered with status {status}: {}", crate::http::come_back(.after))]
    Busy { url: String, status: u16, after: Option<u64> },
    /// An answer that nothing can be made of.
    #[error("{url} answered with status {status}: {advice}")]
    Status { url: String, status: u16, advice: String },
    /// What the registry itself says is wrong.
    #[error("{0}")]
    Problem(Problem),
    /// No login is saved for a registry.
    #[error("no login is saved for {0}: log in with `skillmirror login --registry {0}`")]
    NoLogin(String),
    /// Nobody has said which token.
    #[error("there is no terminal to ask for a token at: give it on standard input, with --token-stdin")]
    NoTerminal,
    /// A token that is none.
    #[error(
        "the token is not one word of visible ASCII characters: give it as it was issued, and nothing else"
    )]
    Token,
    /// The file of logins cannot be used; the text says why and what to do.
    #[error("{}: {why}", .path.display())]
    Credentials { path: PathBuf, why: String },
    /// A registry's tree in a folder cannot be read.
    #[error("{}: {why}", .path.display())]
    Tree { path: PathBuf, why: String },
    /// A file or folder of whoever runs this cannot be used.
    #[error("{}: {why}", .path.display())]
    File { path: PathBuf, why: String },
    /// There is no such skill, version or tag; the text says what there is.
    #[error("{0}")]
    NotFound(String),
    /// All that was asked for is yanked; the text says why.
    #[error("{0}")]
    Yanked(String),
    /// The registry cannot be asked for that; the text says what can.
    #[error("{0}")]
    Unsupported(String),
    /// The package was refused before anything was sent.
    #[error("the package is refused, and nothing was sent:{}", listed(.0))]
    Package(Refusal),
    /// The search index is not what it should be.
    #[error(
        "the search index of {registry} is not what it should be ({why}): try again, and tell those who run \
         it when it stays so"
    )]
    Index { registry: String, why: String },
}

/// A line for each finding.
fn listed(refusal: &Refusal) -> String {
    refusal.findings.iter().map(|finding| format!("\n  {finding}")).collect()
}
