//! Signs the transparency log of a tree that another process may keep.
//!
//! Nothing is signed that was not read: all leaves, which must contain those that were signed
//! before.

mod last_signed;
mod output;

use generator::address::Document;
use generator::follower::FollowError;
use generator::render::record::Head;
use generator::{LogReader, SignedCheckpoint};
use registry::transparency_log::{Checkpoint, LogName, SigningKey, VerifierKey};

use crate::Failure;

pub use self::last_signed::{LastSigned, Signed};
pub use self::output::Output;

/// How often a tree is read again that changes while it is read.
const MAX_ATTEMPTS: usize = 5;

/// Signs one tree.
pub struct Signer {
    /// The tree's log.
    pub reader: LogReader,
    /// The keys that sign. There is at least one.
    pub keys: Vec<SigningKey>,
    /// Where signed notes go.
    pub output: Output,
    /// What was signed last.
    pub record: LastSigned,
    /// Whether the tree may have another history than what was signed last, once.
    pub accepts_new_history: bool,
    /// The statement about the epoch, as far as it was looked for.
    pub statement: Option<KnownStatement>,
}

/// The signed statement about an epoch. It never changes.
pub struct KnownStatement {
    epoch: String,
    /// None if no backup was restored.
    text: Option<String>,
}

/// The outcome of a round.
pub struct Round {
    /// The checkpoint of the tree.
    pub checkpoint: Checkpoint,
    /// Whether readers of the tree have it.
    pub is_shown: bool,
}

impl Signer {
    /// Signs the log as it is now. Does nothing if that was done.
    pub fn run(&mut self) -> Result<Round, Failure> {
        let head = self.read()?;
        self.check_settings(&head)?;
        let log = self.reader.log();
        let checkpoint = Checkpoint { origin: self.name().clone(), size: log.size(), root: log.root() };
        let last = self.last()?;
        if let Some(last) = &last {
            self.check_history(&head, last)?;
        }
        let statement = self.statement(&head)?;
        let known = last.filter(|last| last.epoch == head.epoch && self.is_signed(last, &checkpoint));
        let signed = match known {
            Some(known) => known,
            None => {
                let text = checkpoint.sign(&self.keys)?;
                let checkpoint = SignedCheckpoint { checkpoint: checkpoint.clone(), text };
                Signed { epoch: head.epoch, checkpoint }
            }
        };
        // First, so that nothing is shown that is not recorded.
        self.record.write(&signed)?;
        self.accepts_new_history = false;
        let mut is_shown = true;
        if let Some(statement) = &statement {
            is_shown &= self.output.put(&Document::EpochStatement, statement)?;
        }
        is_shown &= self.output.put(&Document::Checkpoint, &signed.checkpoint.text)?;
        Ok(Round { checkpoint, is_shown })
    }

    /// The signed statement about the epoch, if a backup was restored.
    fn statement(&mut self, head: &Head) -> Result<Option<String>, Failure> {
        if let Some(known) = self.statement.as_ref().filter(|known| known.epoch == head.epoch) {
            return Ok(known.text.clone());
        }
        let statement = self.reader.epoch_statement(head, self.name())?;
        let text = statement.map(|statement| statement.sign(&self.keys)).transpose()?;
        self.statement = Some(KnownStatement { epoch: head.epoch.clone(), text: text.clone() });
        Ok(text)
    }

    /// The name of the log.
    pub fn name(&self) -> &LogName {
        self.keys[0].verifier().name()
    }

    fn verifiers(&self) -> impl Iterator<Item = &VerifierKey> {
        self.keys.iter().map(SigningKey::verifier)
    }

    /// Reads the log up to its head. Tiles may be replaced meanwhile: then the head is newer.
    fn read(&mut self) -> Result<Head, FollowError> {
        let mut attempt = 1;
        loop {
            let head = self.reader.head()?;
            match self.reader.catch_up(&head) {
                Err(_) if attempt < MAX_ATTEMPTS && self.reader.head()? != head => attempt += 1,
                read => return read.map(|()| head),
            }
        }
    }

    /// The tree lists the keys that sign it. Otherwise nobody would trust the signature.
    fn check_settings(&self, head: &Head) -> Result<(), Failure> {
        let settings = self.reader.settings(head)?;
        for key in self.verifiers() {
            match settings.keys.iter().find(|listed| listed.key == *key) {
                Some(listed) if listed.retired.is_some() => {
                    return Err(format!(
                        "the tree lists {} as retired: sign with its successor",
                        key.short()
                    )
                    .into());
                }
                Some(_) => {}
                None => {
                    let why = format!(
                        "the tree does not list {}: add the key to `signing.verifiers` of the registry, and start it again",
                        key.short()
                    );
                    return Err(why.into());
                }
            }
        }
        Ok(())
    }

    /// What was signed last: as recorded here, or else as the tree shows it.
    fn last(&self) -> Result<Option<Signed>, Failure> {
        if let Some(last) = self.record.read()? {
            let (origin, name) = (&last.checkpoint.checkpoint.origin, self.name());
            if origin != name {
                return Err(format!("{origin} was signed last, but the keys here are of {name}").into());
            }
            return Ok(Some(last));
        }
        let Some(text) = self.reader.note(&Document::Checkpoint)? else { return Ok(None) };
        let keys: Vec<_> = self.verifiers().cloned().collect();
        // One of a key that is not here says nothing.
        let Ok(checkpoint) = Checkpoint::verify(text.as_bytes(), &keys) else { return Ok(None) };
        let epoch = self.reader.head()?.epoch;
        Ok(Some(Signed { epoch, checkpoint: SignedCheckpoint { checkpoint, text } }))
    }

    /// Refuses a log that takes back what was signed.
    fn check_history(&self, head: &Head, last: &Signed) -> Result<(), Failure> {
        if self.accepts_new_history {
            return Ok(());
        }
        let refused = |document: &Document, why: String| Err(self.reader.refused(document, why).into());
        if last.epoch != head.epoch {
            let why = format!(
                "has another history (epoch {}) than was signed last (epoch {}): if you have restored a backup, add \
                 --accept-new-history",
                head.epoch, last.epoch
            );
            return refused(&Document::Head, why);
        }
        let (known, log) = (&last.checkpoint.checkpoint, self.reader.log());
        if log.size() < known.size {
            let why =
                format!("has {} rows, but {} were signed before: it was rolled back", log.size(), known.size);
            return refused(&Document::Head, why);
        }
        if log.root_at(known.size) != Some(known.root) {
            let why = format!("has other rows than the {} that were signed before", known.size);
            return refused(&Document::Head, why);
        }
        Ok(())
    }

    /// Whether this is the checkpoint, signed with all keys.
    fn is_signed(&self, signed: &Signed, checkpoint: &Checkpoint) -> bool {
        let text = signed.checkpoint.text.as_bytes();
        signed.checkpoint.checkpoint == *checkpoint
            && self.verifiers().all(|key| Checkpoint::verify(text, std::slice::from_ref(key)).is_ok())
    }
}
