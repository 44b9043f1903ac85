//! What goes wrong between a client and a registry.

use std::path::PathBuf;

use registry::package::Refusal;

use crate::http::Problem;

/// Why the client could not do what it was asked. Each text says what was found
/// and what to do.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ClientError {
    /// A text is no address of a registry.
    #[error(
        "`{text}` is not the address of a registry: {why}. Write it like https://skills.example.org, \
         or a folder like file:///srv/skills"
    )]
    Address {
        /// What was given, without any password.
        text: String,
        /// What is wrong with it.
        why: String,
    },
    /// A text names no skill.
    #[error(
        "`{text}` names no skill: {why}. Write hello, @namespace/hello or namespace--hello, with @1.2.0 or \
         @tag behind it for one version"
    )]
    Reference {
        /// What was given.
        text: String,
        /// What is wrong with it.
        why: String,
    },
    /// Nothing says which registry is meant.
    #[error(
        "no registry is known: name one with --registry or --site, set CLI_REGISTRY or CLI_SITE, or log in \
         with `skillmirror login --registry URL`"
    )]
    NoRegistry,
    /// The same as another, with where the address came from.
    #[error("{why} (the address comes from {origin})")]
    From {
        /// A flag, a variable or the saved login.
        origin: String,
        /// What is wrong.
        why: Box<ClientError>,
    },
    /// Nobody answers, or not to the end of the headers.
    #[error("{url} cannot be reached: {why}. Check the address and the network, or try again later")]
    Unreachable {
        /// What was asked for.
        url: String,
        /// What the system says.
        why: String,
    },
    /// A setting of the environment cannot be used; the text says which, and why.
    #[error("{0}. Correct it, or unset it")]
    Environment(String),
    /// A host does not show that it is the one that was asked for.
    #[error("{url} cannot be trusted: {why}")]
    Certificate {
        /// What was asked for.
        url: String,
        /// What is wrong with its certificate, and what to do.
        why: String,
    },
    /// A web page is there where a document belongs.
    #[error(
        "{url} answered with a web page where a JSON document belongs: is {registry} the address of a \
         registry?"
    )]
    WebPage {
        /// What was asked for.
        url: String,
        /// The registry's address.
        registry: String,
    },
    /// Something is not there, nor anything else of a registry.
    #[error("{what}, nor anything else of a registry: is it the address of one?")]
    NothingThere {
        /// What is missing, and where.
        what: String,
    },
    /// What is there is no such document.
    #[error(
        "{url} answered with something that is not the JSON document that belongs there ({why}): is \
         {registry} the address of a registry, and of one that this program knows?"
    )]
    NotTheDocument {
        /// What was asked for.
        url: String,
        /// The registry's address.
        registry: String,
        /// What the reader says.
        why: String,
    },
    /// An answer ended before its end.
    #[error("{url}: the download ended after {received} of {} bytes, again and again: try again later",
        .expected.map_or("more".to_owned(), |expected| expected.to_string()))]
    Truncated {
        /// What was asked for.
        url: String,
        /// How many bytes came.
        received: u64,
        /// How many were announced, where that was said.
        expected: Option<u64>,
    },
    /// An answer has more bytes than it may have.
    #[error(
        "{url} answered with more than {most} bytes, which is more than belongs there: nothing of it was used"
    )]
    TooLarge {
        /// What was asked for.
        url: String,
        /// How many there may be.
        most: u64,
    },
    /// A redirect that is not followed; the text says where it leads and what to do.
    #[error("{0}")]
    Redirect(String),
    /// The registry wants to be left alone for a while.
    #[error("{url} answered with status {status}: {}", crate::http::come_back(.after))]
    Busy {
        /// What was asked for.
        url: String,
        /// 429, 502, 503 or 504.
        status: u16,
        /// In how many seconds it asks to come back, where it says.
        after: Option<u64>,
    },
    /// An answer that nothing can be made of.
    #[error("{url} answered with status {status}: {advice}")]
    Status {
        /// What was asked for.
        url: String,
        /// What came.
        status: u16,
        /// What to do.
        advice: String,
    },
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
    Credentials {
        /// The file or its folder.
        path: PathBuf,
        /// What is wrong with it and what to do.
        why: String,
    },
    /// A registry's tree in a folder cannot be read.
    #[error("{}: {why}", .path.display())]
    Tree {
        /// Which file or folder.
        path: PathBuf,
        /// What is wrong with it and what to do.
        why: String,
    },
    /// A file or folder of whoever runs this cannot be used.
    #[error("{}: {why}", .path.display())]
    File {
        /// Which one.
        path: PathBuf,
        /// What is wrong with it and what to do.
        why: String,
    },
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
    Index {
        /// The registry's address.
        registry: String,
        /// What is wrong.
        why: String,
    },
}

impl ClientError {
    /// A word for programs. A problem's is the registry's own (`forbidden`,
    /// `invalid_package`, …).
    pub fn code(&self) -> &str {
        match self {
            Self::Address { .. } => "invalid_address",
            Self::Reference { .. } => "invalid_reference",
            Self::NoRegistry => "no_registry",
            Self::From { why, .. } => why.code(),
            Self::Unreachable { .. } => "unreachable",
            Self::Environment(_) => "environment",
            Self::Certificate { .. } => "certificate",
            Self::WebPage { .. } | Self::NothingThere { .. } | Self::NotTheDocument { .. } => {
                "not_a_registry"
            }
            Self::Truncated { .. } => "truncated",
            Self::TooLarge { .. } => "too_large",
            Self::Redirect(_) => "redirect",
            Self::Busy { status: 429, .. } => "rate_limited",
            Self::Busy { .. } => "unavailable",
            Self::Status { .. } => "unexpected_answer",
            Self::Problem(problem) => problem.code(),
            Self::NoLogin(_) => "no_login",
            Self::NoTerminal => "no_token",
            Self::Token => "invalid_token",
            Self::Credentials { .. } => "credentials",
            Self::Tree { .. } | Self::File { .. } => "unreadable",
            Self::NotFound(_) => "not_found",
            Self::Yanked(_) => "yanked",
            Self::Unsupported(_) => "unsupported",
            Self::Package(_) => "invalid_package",
            Self::Index { .. } => "index_damaged",
        }
    }

    /// Whether the address itself may be the wrong one, so that it helps to say
    /// where it came from.
    pub fn may_be_the_address(&self) -> bool {
        matches!(
            self,
            Self::Address { .. }
                | Self::Unreachable { .. }
                | Self::Certificate { .. }
                | Self::WebPage { .. }
                | Self::NothingThere { .. }
                | Self::NotTheDocument { .. }
                | Self::Redirect(_)
                | Self::Status { .. }
                | Self::Unsupported(_)
                | Self::Tree { .. }
        )
    }

    /// This, with where the address came from, where that helps.
    #[must_use]
    pub fn of_address_from(self, origin: &str) -> Self {
        if !self.may_be_the_address() {
            return self;
        }
        Self::From { origin: origin.to_owned(), why: Box::new(self) }
    }
}

/// A line for each finding.
fn listed(refusal: &Refusal) -> String {
    refusal.findings.iter().map(|finding| format!("\n  {finding}")).collect()
}
