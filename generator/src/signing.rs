//! Who signs a tree's transparency log.

mod known_log;
mod own;

use std::fmt;
use std::sync::Arc;

use parking_lot::RwLock;
use registry::public::PublicCatalog;
use registry::transparency_log::{
    Checkpoint, EpochStatement, LogIndex, SignedNoteError, SigningKey, VerifierKey,
};

pub use self::known_log::KnownLog;
pub use self::own::{OwnSigning, ShownLog};

/// A signed checkpoint.
#[derive(Debug, Clone)]
pub struct SignedCheckpoint {
    /// What it says.
    pub checkpoint: Checkpoint,
    /// The signed note.
    pub text: String,
}

/// A signed statement about an epoch.
#[derive(Debug, Clone)]
pub struct SignedStatement {
    /// What it says.
    pub statement: EpochStatement,
    /// The signed note.
    pub text: String,
}

/// What is signed of a tree, but by keys in files.
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
    /// The registry whose tree this is.
    Own(Arc<OwnSigning>),
    /// The source of a mirror. The tree has its last notes.
    Source(Arc<RwLock<SignedNotes>>),
}

impl Signing {
    /// The signing of a registry with keys in files and keys of a command. They have one name.
    pub fn own(keys: Vec<SigningKey>, of_command: Vec<VerifierKey>, has_witnesses: bool) -> Self {
        match keys.is_empty() && of_command.is_empty() {
            true => Self::Unsigned,
            false => Self::Own(Arc::new(OwnSigning::new(keys, of_command, has_witnesses))),
        }
    }

    /// Whether the tree of this log has a checkpoint.
    pub fn has_checkpoint(&self, log: &LogIndex) -> bool {
        self.signed_size(log).is_some()
    }

    /// The size of the tree that the checkpoint for a log is about. One that a command or somebody else has
    /// signed may be of an earlier size.
    pub fn signed_size(&self, log: &LogIndex) -> Option<u64> {
        match self {
            Self::Unsigned => None,
            Self::Own(own) => own.signed_size(log),
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
            Self::Own(own) => own.has_statement(catalog),
            _ => self.statement(catalog).is_some(),
        }
    }

    /// The signed statement about the epoch of a catalog.
    pub fn statement(&self, catalog: &PublicCatalog) -> Option<String> {
        match self {
            Self::Unsigned => None,
            Self::Own(own) => own.statement(catalog),
            Self::Source(notes) => notes.read().about(catalog),
        }
    }

    /// Takes over what a command and witnesses have signed of the registry's own tree: its checkpoint and its
    /// statement.
    pub(crate) fn load(&self, checkpoint: Option<String>, statement: Option<String>) {
        if let Self::Own(own) = self {
            own.load(checkpoint, statement);
        }
    }

    /// Whether a command or a witness has signed something that the tree lacks. It is then taken for written.
    pub(crate) fn take_news(&self) -> bool {
        matches!(self, Self::Own(own) if own.take_news())
    }

    /// What the registry's own tree shows of a catalog.
    pub(crate) fn shown_log(&self, catalog: &PublicCatalog) -> Option<ShownLog> {
        if let Self::Own(own) = self { own.shown_log(catalog) } else { None }
    }

    /// Lets a command and witnesses sign what the tree shows now.
    pub(crate) fn show(&self, shown: ShownLog) {
        if let Self::Own(own) = self {
            own.show(shown);
        }
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
    pub fn read(text: String, keys: &[VerifierKey]) -> Result<Self, SignedNoteError> {
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
