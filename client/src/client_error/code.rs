//! The error codes for programs.

use super::ClientError;

impl ClientError {
    /// The error code for programs. For a [`Problem`](super::Problem) it is the registry's
    /// own: `forbidden`, `invalid_package`, …
    pub fn code(&self) -> &str {
        match self {
            Self::Address { .. } => "invalid_address",
            Self::Reference { .. } => "invalid_reference",
            Self::NoRegistry => "no_registry",
            Self::From { why, .. } => why.code(),
            Self::Unreachable { .. } | Self::Proxy { .. } => "unreachable",
            Self::AnswerLost { .. } => "answer_lost",
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
            Self::Status { status: 401, .. } => "unauthenticated",
            Self::Status { .. } | Self::Encoding { .. } => "unexpected_answer",
            Self::Problem(problem) => problem.code(),
            Self::NoLogin(_) => "no_login",
            Self::NoTerminal => "no_token",
            Self::Token => "invalid_token",
            Self::Credentials { .. } | Self::ReadCredential { .. } => "credentials",
            Self::Policy { .. } => "policy_unreadable",
            Self::Tree { .. } | Self::File { .. } => "unreadable",
            Self::NotFound(_) => "not_found",
            Self::Yanked(_) => "yanked",
            Self::NotConfirmed(_) => "not_confirmed",
            Self::Unsupported(_) => "unsupported",
            Self::Package { .. } => "invalid_package",
            Self::NotThePackage { .. } => "not_the_package",
            Self::History(_) => "not_proved",
            Self::Index { .. } => "index_damaged",
        }
    }

    /// Adds the setting that named the address, if a wrong address may be the cause.
    #[must_use]
    pub fn of_address_from(self, setting: &str) -> Self {
        match self {
            Self::Address { .. }
            | Self::Unreachable { .. }
            | Self::Certificate { .. }
            | Self::WebPage { .. }
            | Self::NothingThere { .. }
            | Self::NotTheDocument { .. }
            | Self::Redirect(_)
            | Self::Status { .. }
            | Self::Unsupported(_)
            | Self::Tree { .. } => Self::From { setting: setting.to_owned(), why: Box::new(self) },
            other => other,
        }
    }
}
