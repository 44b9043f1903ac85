//! What is wrong with a file of a project.

use registry::data_fault::toml_fault;

/// Why `skills.lock` or `skills.toml` cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs, reason = "the messages explain the fields")]
pub enum Fault {
    /// Git has marked a conflict in it that a person has to decide.
    #[error(
        "line {line} marks a merge conflict: {why}. Keep the entries of both sides, each below a `[[skill]]`, but only \
         one of two with the same path; delete the marks, then run `skillmirror install`"
    )]
    Conflict { line: usize, why: String },
    /// A newer program has written it.
    #[error("it has the format version {version}: upgrade skillmirror to read it")]
    Unknown { version: u64 },
    /// The file is damaged: no version of the program writes such a text.
    #[error("{why}. Restore it from version control, or delete it and run `skillmirror install` again")]
    Damaged { why: String },
    /// A person has saved the file while a command worked.
    #[error("it was changed while the command was running, and stays so: run the command again")]
    Changed,
    /// A person has to correct it.
    #[error("{why}")]
    Invalid { why: String },
}

impl Fault {
    /// The error code for programs.
    pub(crate) fn code(&self) -> &'static str {
        match self {
            Self::Conflict { .. } => "lock_conflict",
            Self::Unknown { .. } => "lock_unknown",
            Self::Damaged { .. } => "lock_damaged",
            Self::Changed => "manifest_changed",
            Self::Invalid { .. } => "manifest_invalid",
        }
    }

    /// A damaged file.
    pub(super) fn damaged(why: String) -> Self {
        Self::Damaged { why }
    }

    /// A file that is not TOML, or has other fields than expected.
    pub(super) fn of_toml(text: &str, why: &toml::de::Error) -> Self {
        Self::Damaged { why: toml_message(text, why) }
    }
}

/// The line and the message of an error, without the text around it.
pub(super) fn toml_message(text: &str, why: &toml::de::Error) -> String {
    let before = why.span().and_then(|span| text.get(..span.start));
    let message = match why.span().and_then(|span| text.get(span)) {
        Some(key) if why.message() == "duplicate key" => {
            let key: String = key.trim().chars().take(80).collect();
            format!("the key `{}` appears twice: remove one", key.escape_debug())
        }
        _ => toml_fault(&why.message().replace('\n', " ")),
    };
    match before {
        Some(before) => format!("line {}: {message}", before.matches('\n').count() + 1),
        None => message,
    }
}
