//! Why a request is not answered, and how the protocol says it.

use registry::sanitize::escape_line;
use rmcp::ErrorData;

use crate::source::SourceError;

/// The most characters of a sentence.
const MAX_SENTENCE: usize = 1_000;

/// Why a request is not answered: one sentence.
#[derive(Debug, Clone)]
pub(crate) enum Failure {
    /// The registry does not serve what was asked for.
    NotFound(String),
    /// A parameter is invalid.
    Invalid(String),
    /// The registry cannot be read, or contradicts itself.
    Unavailable(String),
}

impl Failure {
    /// The sentence, as one line. It may quote a host, so its length is limited.
    pub(crate) fn sentence(&self) -> String {
        let (Self::NotFound(why) | Self::Invalid(why) | Self::Unavailable(why)) = self;
        escape_line(why.chars().take(MAX_SENTENCE).collect::<String>())
    }
}

impl From<SourceError> for Failure {
    fn from(why: SourceError) -> Self {
        Self::Unavailable(why.0)
    }
}

impl From<Failure> for ErrorData {
    fn from(why: Failure) -> Self {
        let sentence = why.sentence();
        match why {
            // -32602 in the extension, and for resources since revision 2026-07-28.
            Failure::NotFound(_) | Failure::Invalid(_) => Self::invalid_params(sentence, None),
            Failure::Unavailable(_) => Self::internal_error(sentence, None),
        }
    }
}
