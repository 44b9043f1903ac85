//! Signs the transparency log of a tree that another thread or process keeps.
//!
//! Nothing is signed that was not read: all leaves, which must contain those that were signed
//! before. Witnesses are asked after the checkpoint was written.

mod background;
mod command;
mod keys;
mod last_signed;
mod output;
mod witness;
mod witnesses;

use generator::address::Document;
use generator::follower::FollowError;
use generator::{LogReader, SignedCheckpoint};
use registry::api::public::Head;
use registry::transparency_log::{Checkpoint, LogName, VerifierKey, append_signatures};

use crate::Failure;

pub use self::background::{POLL_INTERVAL, keep_signing, sign_in_background};
pub use self::command::SigningCommand;
pub use self::keys::Keys;
pub use self::last_signed::{LastSigned, Signed};
pub use self::output::Output;
pub use self::witness::{TIMEOUT as WITNESS_TIMEOUT, WitnessAddress};
use self::witnesses::Witnesses;

/// How often a tree is read again that changes while it is read.
const MAX_ATTEMPTS: usize = 5;

/// Signs one tree.
pub struct Signer {
    reader: LogReader,
    keys: Keys,
    verifiers: Vec<VerifierKey>,
    output: Output,
    record: Option<LastSigned>,
    witnesses: Witnesses,
    accepts_new_history: bool,
    /// What was signed last.
    last: Option<Signed>,
    statement: Option<KnownStatement>,
    /// The head whose log is signed.
    done: Option<Head>,
}

/// The signed statement about an epoch. It never changes.
struct KnownStatement {
    epoch: String,
    /// None if no backup was restored.
    text: Option<String>,
}

/// What a signer works with.
pub struct SignerParts {
    /// The tree's log.
    pub reader: LogReader,
    /// The keys that sign. There is at least one.
    pub keys: Keys,
    /// Where signed notes go.
    pub output: Output,
    /// The record of what was signed last. None: the registry that signs decides about its history.
    pub record: Option<LastSigned>,
    /// The witnesses to ask.
    pub witnesses: Vec<WitnessAddress>,
    /// Whether the tree may have another history than what was signed last, once.
    pub accepts_new_history: bool,
}

/// The outcome of a round.
pub struct Round {
    /// The checkpoint of the tree.
    pub checkpoint: Checkpoint,
    /// Whether readers of the tree have it.
    pub is_shown: bool,
    /// Whether a witness has not answered yet.
    pub awaits_witnesses: bool,
}

impl Signer {
    /// A signer that has not signed yet.
    pub fn new(parts: SignerParts) -> Self {
        let SignerParts { reader, keys, output, record, witnesses, accepts_new_history } = parts;
        let witnesses = Witnesses::start(&witnesses, &reader.prover());
        let verifiers = keys.verifiers();
        let (last, statement, done) = (None, None, None);
        Self {
            reader,
            keys,
            verifiers,
            output,
            record,
            witnesses,
            accepts_new_history,
            last,
            statement,
            done,
        }
    }

    /// Signs the log as it is now, and adds the cosignatures that have come. Does nothing if that
    /// was done.
    pub fn run(&mut self) -> Result<Round, Failure> {
        let head = self.read()?;
        if self.done.as_ref() != Some(&head) {
            let signed = self.sign(&head)?;
            self.keep(signed)?;
            self.done = Some(head);
        }
        let mut signed = self.last.clone().ok_or("nothing is signed")?;
        let mut is_shown = self.show(&signed)?;
        let lines = self.witnesses.take(&signed.checkpoint.checkpoint);
        if !lines.is_empty() {
            signed.checkpoint.text = append_signatures(&signed.checkpoint.text, &lines);
            self.keep(signed.clone())?;
            is_shown = self.show(&signed)?;
        }
        let awaits_witnesses = self.witnesses.are_pending();
        Ok(Round { checkpoint: signed.checkpoint.checkpoint, is_shown, awaits_witnesses })
    }

    /// The name of the log.
    pub fn name(&self) -> &LogName {
        self.verifiers[0].name()
    }

    /// Where signed notes go.
    pub fn output(&self) -> &Output {
        &self.output
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

    /// The signed checkpoint of a head whose log was read.
    fn sign(&mut self, head: &Head) -> Result<Signed, Failure> {
        self.check_settings(head)?;
        if self.last.is_none() {
            self.last = self.recorded(head)?;
        }
        if let Some(last) = &self.last {
            self.check_history(head, last)?;
        }
        if self.statement.as_ref().is_none_or(|known| known.epoch != head.epoch) {
            let statement = self.reader.epoch_statement(head, self.name())?;
            let text = statement.map(|statement| self.keys.sign(&statement.to_string())).transpose()?;
            self.statement = Some(KnownStatement { epoch: head.epoch.clone(), text });
        }
        let (size, root) = {
            let log = self.reader.log();
            (log.size(), log.root())
        };
        let checkpoint = Checkpoint { origin: self.name().clone(), size, root };
        let known =
            self.last.as_ref().filter(|last| last.epoch == head.epoch && self.is_signed(last, &checkpoint));
        if let Some(known) = known {
            return Ok(known.clone());
        }
        let text = self.keys.sign(&checkpoint.text())?;
        Ok(Signed { epoch: head.epoch.clone(), checkpoint: SignedCheckpoint { checkpoint, text } })
    }

    /// Records a checkpoint before it is shown, and asks the witnesses that have not cosigned it.
    fn keep(&mut self, signed: Signed) -> Result<(), Failure> {
        if let Some(record) = &self.record {
            record.write(&signed)?;
        }
        self.accepts_new_history = false;
        if self.last.as_ref().is_none_or(|last| last.checkpoint.checkpoint != signed.checkpoint.checkpoint)
            || self.done.is_none()
        {
            self.witnesses.ask(&signed.checkpoint);
        }
        self.last = Some(signed);
        Ok(())
    }

    /// Hands everything to readers. Returns whether they have it.
    fn show(&self, signed: &Signed) -> Result<bool, Failure> {
        let mut is_shown = true;
        if let Some(statement) = self.statement.as_ref().and_then(|known| known.text.as_ref()) {
            is_shown &= self.output.put(&Document::EpochStatement, statement)?;
        }
        Ok(is_shown & self.output.put(&Document::Checkpoint, &signed.checkpoint.text)?)
    }

    /// The tree lists the keys that sign it. Otherwise nobody would trust the signature.
    fn check_settings(&self, head: &Head) -> Result<(), Failure> {
        let settings = self.reader.settings(head)?;
        for key in &self.verifiers {
            let name = key.short();
            match settings.keys.iter().find(|listed| listed.key == *key) {
                Some(listed) if listed.retired.is_some() => {
                    return Err(format!("the tree lists {name} as retired: sign with its successor").into());
                }
                Some(_) => {}
                None => {
                    let remedy = "add the key to `signing.verifiers` of the registry, and start it again";
                    return Err(format!("the tree does not list {name}: {remedy}").into());
                }
            }
        }
        Ok(())
    }

    /// What was signed last: as recorded, or else as the tree shows it.
    fn recorded(&self, head: &Head) -> Result<Option<Signed>, Failure> {
        if let Some(last) = self.record.as_ref().map(LastSigned::read).transpose()?.flatten() {
            let (origin, name) = (&last.checkpoint.checkpoint.origin, self.name());
            if origin != name {
                return Err(format!("{origin} was signed last, but the keys here are of {name}").into());
            }
            return Ok(Some(last));
        }
        let Some(text) = self.reader.note(&Document::Checkpoint)? else { return Ok(None) };
        // One of a key that is not here says nothing.
        let Ok(checkpoint) = Checkpoint::verify(text.as_bytes(), &self.verifiers) else { return Ok(None) };
        let checkpoint = SignedCheckpoint { checkpoint, text };
        Ok(Some(Signed { epoch: head.epoch.clone(), checkpoint }))
    }

    /// Refuses a log that takes back what was signed.
    fn check_history(&self, head: &Head, last: &Signed) -> Result<(), Failure> {
        if self.accepts_new_history || (self.record.is_none() && last.epoch != head.epoch) {
            return Ok(());
        }
        let (known, log) = (&last.checkpoint.checkpoint, self.reader.log());
        let why = if last.epoch != head.epoch {
            format!(
                "has another history (epoch {}) than was signed last (epoch {}): if you have restored a backup, add \
                 --accept-new-history",
                head.epoch, last.epoch
            )
        } else if log.size() < known.size {
            format!("has {} rows, but {} were signed before: it was rolled back", log.size(), known.size)
        } else if log.root_at(known.size) != Some(known.root) {
            format!("has other rows than the {} that were signed before", known.size)
        } else {
            return Ok(());
        };
        Err(self.reader.refused(&Document::Head, why).into())
    }

    /// Whether this is the checkpoint, signed with all keys.
    fn is_signed(&self, signed: &Signed, checkpoint: &Checkpoint) -> bool {
        let is_by = |key: &VerifierKey| {
            Checkpoint::verify(signed.checkpoint.text.as_bytes(), std::slice::from_ref(key)).is_ok()
        };
        signed.checkpoint.checkpoint == *checkpoint && self.verifiers.iter().all(is_by)
    }
}
