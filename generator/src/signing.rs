//! The checkpoints of a tree's transparency log.

use std::fmt;
use std::sync::Arc;

use parking_lot::RwLock;
use registry::transparency_log::{Checkpoint, LogIndex, SigningKey, VerifierKey};

use crate::address::Document;
use crate::tree::Tree;

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
    /// The registry whose tree this is, here or in another process.
    Own(Arc<OwnSigning>),
    /// The source of a mirror. The tree has its last checkpoint.
    Source(Arc<RwLock<Option<SignedCheckpoint>>>),
}

/// How a registry signs its own tree.
pub struct OwnSigning {
    /// The keys that sign here. They have one name.
    keys: Vec<SigningKey>,
    /// The keys that sign in other processes, which hand their checkpoints in.
    elsewhere: Vec<VerifierKey>,
    handed_in: RwLock<HandedIn>,
}

/// The checkpoint that another process has handed in.
#[derive(Default)]
struct HandedIn {
    /// The last text, valid or not.
    text: Option<String>,
    signed: Option<SignedCheckpoint>,
}

impl Signing {
    /// The signing of a registry with keys here, elsewhere, or nowhere.
    pub fn own(keys: Vec<SigningKey>, elsewhere: Vec<VerifierKey>) -> Self {
        if keys.is_empty() && elsewhere.is_empty() {
            return Self::Unsigned;
        }
        Self::Own(Arc::new(OwnSigning { keys, elsewhere, handed_in: RwLock::default() }))
    }

    /// Whether the tree of this log has a checkpoint.
    pub fn has_checkpoint(&self, log: &LogIndex) -> bool {
        self.signed_size(log).is_some()
    }

    /// The size of the tree that the checkpoint for a log is about. One that was signed elsewhere
    /// may be of an earlier size.
    pub fn signed_size(&self, log: &LogIndex) -> Option<u64> {
        match self {
            Self::Unsigned => None,
            Self::Own(own) if !own.keys.is_empty() => Some(log.size()),
            Self::Own(own) => {
                covering(own.handed_in.read().signed.as_ref(), log).map(|it| it.checkpoint.size)
            }
            Self::Source(signed) => covering(signed.read().as_ref(), log).map(|it| it.checkpoint.size),
        }
    }

    /// The signed checkpoint for a log.
    pub fn checkpoint(&self, log: &LogIndex) -> Option<String> {
        match self {
            Self::Unsigned => None,
            Self::Own(own) => own.checkpoint(log),
            Self::Source(signed) => covering(signed.read().as_ref(), log).map(|it| it.text.clone()),
        }
    }

    /// Reads the checkpoint that another process has handed in to a tree. Returns whether there is
    /// a new one.
    pub fn pick_up(&self, tree: &Tree) -> bool {
        let Self::Own(own) = self else { return false };
        let text = tree.handed_in(&Document::Checkpoint);
        if own.handed_in.read().text == text {
            return false;
        }
        let signed = text.as_deref().and_then(|text| own.verify(text));
        *own.handed_in.write() = HandedIn { text, signed };
        true
    }
}

impl OwnSigning {
    fn checkpoint(&self, log: &LogIndex) -> Option<String> {
        let handed_in = self.handed_in.read();
        let signed = covering(handed_in.signed.as_ref(), log);
        let Some(name) = self.keys.first().map(|key| key.verifier().name().clone()) else {
            return signed.map(|signed| signed.text.clone());
        };
        // It has more signatures.
        if let Some(signed) = signed.filter(|signed| signed.checkpoint.size == log.size()) {
            return Some(signed.text.clone());
        }
        // Only a text with control characters cannot be signed.
        Checkpoint::of(name, log).sign(&self.keys).ok()
    }

    /// Checks a checkpoint that was handed in. With keys here, all of them must have signed it.
    fn verify(&self, text: &str) -> Option<SignedCheckpoint> {
        let check = |keys: &[VerifierKey]| Checkpoint::verify(text.as_bytes(), keys);
        let own = self.keys.iter().map(|key| check(std::slice::from_ref(key.verifier())));
        let checked = own.reduce(|one, other| one.and(other)).unwrap_or_else(|| check(&self.elsewhere));
        match checked {
            Ok(checkpoint) => Some(SignedCheckpoint { checkpoint, text: text.to_owned() }),
            Err(why) => {
                tracing::warn!(%why, "another process has handed in a checkpoint that is not used");
                None
            }
        }
    }
}

/// The checkpoint, if its tree is the beginning of this log.
fn covering<'a>(signed: Option<&'a SignedCheckpoint>, log: &LogIndex) -> Option<&'a SignedCheckpoint> {
    signed.filter(|signed| log.root_at(signed.checkpoint.size) == Some(signed.checkpoint.root))
}

impl fmt::Debug for Signing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Unsigned => "Unsigned",
            Self::Own(_) => "Own",
            Self::Source(_) => "Source",
        })
    }
}
