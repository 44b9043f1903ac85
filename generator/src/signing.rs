//! Who signs a tree's transparency log.

use std::error::Error;
use std::fmt;
use std::sync::Arc;

use parking_lot::RwLock;
use registry::public::PublicCatalog;
use registry::transparency_log::{
    Checkpoint, EpochStatement, LogIndex, LogName, SigningKey, StatementError, VerifierKey,
};

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

/// A statement about an epoch that somebody else has signed.
#[derive(Debug, Clone)]
pub struct SignedStatement {
    /// What it says.
    pub statement: EpochStatement,
    /// The signed note.
    pub text: String,
}

/// What somebody else has signed.
#[derive(Debug, Clone, Default)]
pub struct SignedNotes {
    /// The checkpoint of the log.
    pub checkpoint: Option<SignedCheckpoint>,
    /// The statement about the epoch.
    pub statement: Option<SignedStatement>,
}

/// Who signs the log of a tree.
#[derive(Clone, Default)]
pub enum Signing {
    /// Nobody: the tree has no checkpoint.
    #[default]
    Unsigned,
    /// The registry whose tree this is, here or in another process.
    Own(Arc<OwnSigning>),
    /// The source of a mirror. The tree has its last notes.
    Source(Arc<RwLock<SignedNotes>>),
}

/// How a registry signs its own tree.
pub struct OwnSigning {
    /// The keys that sign here. They have one name.
    keys: Vec<SigningKey>,
    /// The keys that sign in other processes, which hand their notes in.
    elsewhere: Vec<VerifierKey>,
    handed_in: RwLock<HandedIn>,
}

/// What other processes have handed in.
#[derive(Default)]
struct HandedIn {
    /// The last texts of checkpoint and statement, valid or not.
    texts: [Option<String>; 2],
    notes: SignedNotes,
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
            Self::Own(own) => own.handed_in.read().notes.of(log).map(|it| it.checkpoint.size),
            Self::Source(notes) => notes.read().of(log).map(|it| it.checkpoint.size),
        }
    }

    /// The signed checkpoint for a log.
    pub fn checkpoint(&self, log: &LogIndex) -> Option<String> {
        match self {
            Self::Unsigned => None,
            Self::Own(own) => own.checkpoint(log),
            Self::Source(notes) => notes.read().of(log).map(|it| it.text.clone()),
        }
    }

    /// Whether the tree of this catalog has a statement about its epoch.
    pub fn has_statement(&self, catalog: &PublicCatalog) -> bool {
        match self {
            Self::Own(own) if !own.keys.is_empty() => catalog.is_restored(),
            _ => self.statement(catalog).is_some(),
        }
    }

    /// The signed statement about the epoch of a catalog.
    pub fn statement(&self, catalog: &PublicCatalog) -> Option<String> {
        match self {
            Self::Unsigned => None,
            Self::Own(own) if own.keys.is_empty() => own.handed_in.read().notes.about(catalog),
            // Only a text with control characters cannot be signed.
            Self::Own(own) => catalog.epoch_statement(own.name()?)?.sign(&own.keys).ok(),
            Self::Source(notes) => notes.read().about(catalog),
        }
    }

    /// Reads what other processes have handed in to a tree. Returns whether there is anything new.
    pub fn pick_up(&self, tree: &Tree) -> bool {
        let Self::Own(own) = self else { return false };
        let texts =
            [Document::Checkpoint, Document::EpochStatement].map(|document| tree.handed_in(&document));
        if own.handed_in.read().texts == texts {
            return false;
        }
        let notes = own.verify(&texts);
        *own.handed_in.write() = HandedIn { texts, notes };
        true
    }
}

impl OwnSigning {
    fn name(&self) -> Option<&LogName> {
        self.keys.first().map(|key| key.verifier().name())
    }

    fn checkpoint(&self, log: &LogIndex) -> Option<String> {
        let handed_in = self.handed_in.read();
        let signed = handed_in.notes.of(log);
        let Some(name) = self.name() else { return signed.map(|signed| signed.text.clone()) };
        // It has more signatures.
        if let Some(signed) = signed.filter(|signed| signed.checkpoint.size == log.size()) {
            return Some(signed.text.clone());
        }
        // Only a text with control characters cannot be signed.
        Checkpoint::of(name.clone(), log).sign(&self.keys).ok()
    }

    /// Checks what was handed in.
    fn verify(&self, [checkpoint, statement]: &[Option<String>; 2]) -> SignedNotes {
        let checkpoint = checkpoint.as_ref().and_then(|text| {
            let checkpoint =
                self.signed(&Document::Checkpoint, |keys| Checkpoint::verify(text.as_bytes(), keys))?;
            Some(SignedCheckpoint { checkpoint, text: text.clone() })
        });
        let statement = statement.as_ref().and_then(|text| {
            let check = |keys: &[VerifierKey]| EpochStatement::verify(text.as_bytes(), keys);
            let statement = self.signed(&Document::EpochStatement, check)?;
            Some(SignedStatement { statement, text: text.clone() })
        });
        SignedNotes { checkpoint, statement }
    }

    /// Checks a note. With keys here, all of them must have signed it; otherwise one is enough.
    fn signed<T, E: Error>(
        &self,
        document: &Document,
        check: impl Fn(&[VerifierKey]) -> Result<T, E>,
    ) -> Option<T> {
        let own = self.keys.iter().map(|key| check(std::slice::from_ref(key.verifier())));
        let checked = own.reduce(|one, other| one.and(other)).unwrap_or_else(|| check(&self.elsewhere));
        let refused = |why: &E| {
            tracing::warn!(%why, "another process has handed in {}, which is not used", document.name());
        };
        checked.inspect_err(refused).ok()
    }
}

impl SignedNotes {
    /// The sizes of the log whose roots they name.
    pub(crate) fn sizes(&self) -> Vec<u64> {
        let checkpoint = self.checkpoint.iter().map(|signed| signed.checkpoint.size);
        checkpoint.chain(self.statement.iter().map(|signed| signed.statement.size)).collect()
    }

    /// The texts of checkpoint and statement.
    pub(crate) fn texts(&self) -> [Option<&str>; 2] {
        let checkpoint = self.checkpoint.as_ref().map(|signed| &*signed.text);
        [checkpoint, self.statement.as_ref().map(|signed| &*signed.text)]
    }

    /// The checkpoint, if its tree is the beginning of this log.
    fn of(&self, log: &LogIndex) -> Option<&SignedCheckpoint> {
        let covers = |it: &&SignedCheckpoint| log.root_at(it.checkpoint.size) == Some(it.checkpoint.root);
        self.checkpoint.as_ref().filter(covers)
    }

    /// The text of the statement, if it is about the epoch of this catalog.
    fn about(&self, catalog: &PublicCatalog) -> Option<String> {
        let signed = self.statement.as_ref()?;
        let expected = catalog.epoch_statement(&signed.statement.name);
        (expected.as_ref() == Some(&signed.statement)).then(|| signed.text.clone())
    }
}

impl SignedStatement {
    /// Reads a signed statement. One of `keys` must have signed it, if there are any.
    pub fn read(text: String, keys: &[VerifierKey]) -> Result<Self, StatementError> {
        let statement = match keys {
            [] => EpochStatement::read_unverified(text.as_bytes())?,
            keys => EpochStatement::verify(text.as_bytes(), keys)?,
        };
        Ok(Self { statement, text })
    }
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
