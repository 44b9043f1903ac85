//! The checkpoints of a tree's transparency log.

use std::fmt;
use std::sync::Arc;

use parking_lot::RwLock;
use registry::transparency_log::{Checkpoint, LogIndex, SigningKey};

/// A checkpoint that somebody else has signed.
#[derive(Debug, Clone)]
pub struct SignedCheckpoint {
    /// What it says.
    pub checkpoint: Checkpoint,
    /// The signed note.
    pub text: String,
}

/// Who signs the checkpoints of a tree.
#[derive(Clone, Default)]
pub enum Signing {
    /// Nobody: the tree has no checkpoint.
    #[default]
    Unsigned,
    /// This process, with these keys. They have one name.
    Keys(Arc<[SigningKey]>),
    /// Another process, or the source of a mirror. The tree has its last checkpoint.
    Elsewhere(Arc<RwLock<Option<SignedCheckpoint>>>),
}

impl Signing {
    /// Whether the tree of this log has a checkpoint.
    pub fn has_checkpoint(&self, log: &LogIndex) -> bool {
        match self {
            Self::Unsigned => false,
            Self::Keys(keys) => !keys.is_empty(),
            Self::Elsewhere(signed) => signed.read().as_ref().is_some_and(|signed| signed.covers(log)),
        }
    }

    /// The signed checkpoint for a log. One that was signed elsewhere may be of an earlier size.
    pub fn checkpoint(&self, log: &LogIndex) -> Option<String> {
        match self {
            Self::Unsigned => None,
            Self::Keys(keys) => {
                let name = keys.first()?.verifier().name().clone();
                // Only a text with control characters cannot be signed.
                Checkpoint::of(name, log).sign(keys).ok()
            }
            Self::Elsewhere(signed) => {
                signed.read().as_ref().filter(|signed| signed.covers(log)).map(|signed| signed.text.clone())
            }
        }
    }
}

impl SignedCheckpoint {
    /// Whether its tree is the beginning of this log.
    fn covers(&self, log: &LogIndex) -> bool {
        log.root_at(self.checkpoint.size) == Some(self.checkpoint.root)
    }
}

impl fmt::Debug for Signing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Unsigned => "Unsigned",
            Self::Keys(_) => "Keys",
            Self::Elsewhere(_) => "Elsewhere",
        })
    }
}
