//! What is wrong with a registry's history.

use std::path::PathBuf;

use registry::transparency_log::{SignedNoteError, Unmet};

/// Why a version is not proved. Each message names what was found.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs, reason = "the messages explain the fields")]
pub enum HistoryError {
    /// There is no checkpoint.
    #[error(
        "{registry} does not sign its history, but you trust it by a key: ask its operator, or stop trusting it \
         with `skillmirror trust remove {registry}`"
    )]
    Unsigned { registry: String },
    /// The checkpoint is not signed by a trusted key, or is that of another log.
    #[error(
        "the history of {registry} is refused. If the registry has a new key, get it from its operator and add it \
         with `skillmirror trust add {registry} --vkey KEY`"
    )]
    Checkpoint {
        registry: String,
        #[source]
        why: SignedNoteError,
    },
    /// Too few witnesses have cosigned.
    #[error("the history of {registry} is refused by your policy")]
    Policy {
        registry: String,
        #[source]
        why: Unmet,
    },
    /// The log is smaller than before.
    #[error(
        "{registry} has signed {found} rows of its history now, but {kept} before: it is an old copy, or takes rows \
         back. Both checkpoints are kept in {}. Try again later, or use another registry", .evidence.display()
    )]
    RolledBack { registry: String, found: u64, kept: u64, evidence: PathBuf },
    /// The log has other rows than before.
    #[error(
        "{registry} shows you another history than before: its first {size} rows are not those that the same key has \
         signed earlier. Nothing from it can be trusted. Both checkpoints are kept in {}: tell the operator",
        .evidence.display()
    )]
    Forked { registry: String, size: u64, evidence: PathBuf },
    /// Two sources of a registry have two histories.
    #[error(
        "{one} and {other} show two different histories: one of them is false, or an operator has restored a backup. \
         Name the one that you trust with --registry"
    )]
    TwoHistories { one: String, other: String },
    /// The tiles do not belong to the checkpoint.
    #[error(
        "the files of the log of {registry} do not match its checkpoint: they were changed, or an update is not \
         complete. Try again in a moment"
    )]
    FalseTiles { registry: String },
    /// A file of the log is missing.
    #[error("{registry} lacks {file} of its log: try again in a moment")]
    Missing { registry: String, file: String },
    /// The checkpoint does not cover the row.
    #[error("{skill} is not in the signed history of {registry} yet: try again in a moment")]
    NotSigned { registry: String, skill: String },
    /// The registry names no row for the version, or one of something else.
    #[error(
        "{registry} offers {skill}, but its signed history does not have it: {found}. Nothing was changed"
    )]
    NotInLog { registry: String, skill: String, found: String },
}

impl HistoryError {
    /// How often a check is made before it fails like this: caches may send old files, the log may grow
    /// meanwhile, and a new version is signed a moment later than it is published.
    pub(super) fn attempts(&self) -> usize {
        if matches!(self, Self::NotSigned { .. }) { 10 } else { 3 }
    }

    /// Whether the answer of a cache may be the cause.
    pub(super) fn may_be_old(&self) -> bool {
        !matches!(
            self,
            Self::Unsigned { .. } | Self::Checkpoint { .. } | Self::Forked { .. } | Self::TwoHistories { .. }
        )
    }
}
