//! The checkpoint of a source's transparency log, and the keys that must have signed it.

use std::io::{self, Read};

use registry::journal::{Epoch, PublicRow};
use registry::transparency_log::{
    Checkpoint, Continuation, Hash, Leaf, LogEdge, LogIndex, MAX_SIGNED_NOTE, Policy, VerifierKey,
    continuation,
};

use super::cache::CheckpointFolder;
use super::error::FollowError;
use super::source::FeedReader;
use crate::address::Document;
use crate::settings::RegistryKey;
use crate::{SignedCheckpoint, SignedNotes, SignedStatement};
use registry::api::public::Head;

/// The keys that a follower trusts, and the last checkpoint that it has accepted.
pub(super) struct Trust {
    /// One of them must have signed. Empty: everything is taken, signed or not.
    pub keys: Vec<VerifierKey>,
    /// The witnesses that must have cosigned.
    pub policy: Option<Policy>,
    /// The accepted and refused checkpoints.
    pub folder: CheckpointFolder,
}

impl Trust {
    /// Reads the statement of the source about its epoch. None if it does not have one. With keys,
    /// one of those must have signed it that `published` does not list as retired.
    pub fn read_statement(
        &self,
        feed: &FeedReader,
        published: &[RegistryKey],
    ) -> Result<Option<SignedStatement>, FollowError> {
        let document = Document::EpochStatement;
        let Some(text) = read_text(feed, &document)? else { return Ok(None) };
        let valid = self.valid_keys(published);
        if valid.is_empty() && !self.keys.is_empty() {
            return Err(feed.refused(&document, "is refused: all trusted keys are retired"));
        }
        let signed = SignedStatement::read(text, &valid);
        signed.map(Some).map_err(|why| feed.refused(&document, format!("is refused: {why}")))
    }

    /// The trusted keys without retired ones.
    fn valid_keys(&self, published: &[RegistryKey]) -> Vec<VerifierKey> {
        let is_retired =
            |key: &VerifierKey| published.iter().any(|it| it.key == *key && it.retired.is_some());
        self.keys.iter().filter(|key| !is_retired(key)).cloned().collect()
    }

    /// Reads the checkpoint of the source, and checks it as far as possible without its rows.
    pub fn read(&self, feed: &FeedReader, head: &Head) -> Result<Option<SignedCheckpoint>, FollowError> {
        let refused = |why: String| feed.refused(&Document::Checkpoint, why);
        let Some(text) = read_text(feed, &Document::Checkpoint)? else {
            let why = "does not exist: the source does not sign, but --vkey needs a signature";
            return if self.keys.is_empty() { Ok(None) } else { Err(refused(why.into())) };
        };
        let checkpoint = if self.keys.is_empty() {
            Checkpoint::read_unverified(text.as_bytes())
        } else {
            Checkpoint::verify(text.as_bytes(), &self.keys)
        };
        let checkpoint = checkpoint.map_err(|why| refused(format!("is refused: {why}")))?;
        if let Some(policy) = &self.policy {
            let checked = match policy.logs() {
                [] => policy.check_quorum(&text),
                _ => policy.verify(&text).map(drop),
            };
            checked.map_err(|why| refused(format!("is not taken yet: {why}")))?;
        }
        let signed = SignedCheckpoint { checkpoint, text };
        self.check_progress(feed, head, &signed, None)?;
        if signed.checkpoint.size > head.log.size {
            let name = feed.source.name();
            return Err(FollowError::Unfinished {
                name,
                signed: signed.checkpoint.size,
                size: head.log.size,
            });
        }
        if !self.keys.is_empty() && signed.checkpoint.size < head.log.size {
            let (size, all) = (signed.checkpoint.size, head.log.size);
            return Err(refused(format!("covers {size} of {all} rows: waiting until the others are signed")));
        }
        Ok(Some(signed))
    }

    /// Refuses a checkpoint that takes back what an accepted one of the same epoch has said. `roots` are those of
    /// the rows, once they are read.
    fn check_progress(
        &self,
        feed: &FeedReader,
        head: &Head,
        signed: &SignedCheckpoint,
        roots: Option<&Roots>,
    ) -> Result<(), FollowError> {
        let Some(before) = self.accepted(&head.epoch)? else { return Ok(()) };
        let (size, known) = (signed.checkpoint.size, before.checkpoint.size);
        if roots.is_none() && size > known {
            return Ok(());
        }
        let root = roots.and_then(|roots| roots.at(known));
        let why = match continuation(&before.checkpoint, &signed.checkpoint, root, None) {
            Continuation::Continues | Continuation::Restored => return Ok(()),
            Continuation::RolledBack => {
                format!("covers {size} rows, but covered {known} before: the source was rolled back")
            }
            Continuation::Forked if size == known => {
                format!("has another root for {size} rows than before: the source shows two histories")
            }
            Continuation::Forked => {
                "does not contain the rows that were signed before: the source shows two histories".into()
            }
        };
        Err(self.refuse(feed, head, signed, &why)?)
    }

    /// Checks that the rows up to `head` give its root and that of its checkpoint, and continue what
    /// was accepted before.
    pub fn check_rows(
        &self,
        feed: &FeedReader,
        head: &Head,
        notes: &SignedNotes,
        roots: &Roots,
    ) -> Result<(), FollowError> {
        if roots.at(head.log.size).map(|root| data_encoding::BASE64.encode(&root.0)).as_ref()
            != Some(&head.log.root)
            || roots.size != head.log.size
        {
            return Err(
                feed.refused(&Document::Head, "names another size or root of the log than its rows have")
            );
        }
        if let Some(SignedStatement { statement, .. }) = &notes.statement
            && roots.at(statement.size) != Some(statement.root)
        {
            let why = "is about other rows than the source has";
            return Err(feed.refused(&Document::EpochStatement, why));
        }
        let Some(signed) = &notes.checkpoint else { return Ok(()) };
        if roots.at(signed.checkpoint.size) != Some(signed.checkpoint.root) {
            let why = "does not match the rows: a row was changed, added or left out, or another history was signed";
            return Err(feed.refused(&Document::Checkpoint, why));
        }
        self.check_progress(feed, head, signed, Some(roots))
    }

    /// Refuses a checkpoint that only retired keys have signed.
    pub fn check_retired(
        &self,
        feed: &FeedReader,
        signed: Option<&SignedCheckpoint>,
        published: &[RegistryKey],
    ) -> Result<(), FollowError> {
        let Some(signed) = signed.filter(|_| !self.keys.is_empty()) else { return Ok(()) };
        let valid = self.valid_keys(published);
        let is_valid = !valid.is_empty() && Checkpoint::verify(signed.text.as_bytes(), &valid).is_ok();
        if is_valid {
            return Ok(());
        }
        let names: Vec<_> =
            self.keys.iter().filter(|key| !valid.contains(key)).map(VerifierKey::short).collect();
        let names = names.join(", ");
        let why =
            format!("is signed with a retired key only ({names}): give the key that replaces it with --vkey");
        Err(feed.refused(&Document::Checkpoint, why))
    }

    /// The last accepted checkpoint of an epoch, if one of the trusted keys has signed it.
    pub fn accepted(&self, epoch: &Epoch) -> Result<Option<SignedCheckpoint>, FollowError> {
        if self.keys.is_empty() {
            return Ok(None);
        }
        let Some(text) = self.folder.read(epoch, "accepted")? else { return Ok(None) };
        // One of a key that is no longer trusted says nothing.
        let checkpoint = Checkpoint::verify(text.as_bytes(), &self.keys).ok();
        Ok(checkpoint.map(|checkpoint| SignedCheckpoint { checkpoint, text }))
    }

    /// Keeps an accepted checkpoint.
    pub fn accept(&self, epoch: &Epoch, signed: &SignedCheckpoint) -> io::Result<()> {
        if self.keys.is_empty() { Ok(()) } else { self.folder.write(epoch, "accepted", &signed.text) }
    }

    /// Keeps a refused checkpoint beside the accepted one, as evidence. Returns the error.
    fn refuse(
        &self,
        feed: &FeedReader,
        head: &Head,
        signed: &SignedCheckpoint,
        why: &str,
    ) -> Result<FollowError, FollowError> {
        self.folder.write(&head.epoch, "refused", &signed.text)?;
        let kept = self.folder.root.display();
        Ok(feed.refused(&Document::Checkpoint, format!("{why}; both checkpoints are kept in {kept}")))
    }
}

/// Reads a signed note. None if the source does not have it.
fn read_text(feed: &FeedReader, document: &Document) -> Result<Option<String>, FollowError> {
    let unread = |why: io::Error| feed.refused(document, format!("cannot be read: {why}"));
    let Some(reader) = feed.source.open(document).map_err(unread)? else { return Ok(None) };
    let mut text = String::new();
    reader.take(MAX_SIGNED_NOTE as u64 + 1).read_to_string(&mut text).map_err(unread)?;
    Ok(Some(text))
}

/// The roots of a log of which new rows are not applied yet.
pub(super) struct Roots {
    edge: LogEdge,
    /// The sizes whose roots are needed, and the roots as far as they are known.
    needed: Vec<(u64, Option<Hash>)>,
    /// The number of leaves.
    pub size: u64,
}

impl Roots {
    /// The roots of `log` and of the rows after it, for these sizes only.
    pub fn after(log: &LogIndex, sizes: impl IntoIterator<Item = u64>) -> Self {
        let needed = sizes.into_iter().map(|size| (size, log.root_at(size))).collect();
        Self { edge: log.edge(), needed, size: log.size() }
    }

    /// Adds the next row.
    pub fn push(&mut self, row: &PublicRow) {
        self.edge.push(&Leaf::from(row));
        self.size = self.edge.size();
        for (_, root) in self.needed.iter_mut().filter(|(size, _)| *size == self.edge.size()) {
            *root = Some(self.edge.root());
        }
    }

    /// The root of the first `size` leaves.
    pub fn at(&self, size: u64) -> Option<Hash> {
        self.needed.iter().find(|(needed, _)| *needed == size).and_then(|(_, root)| *root)
    }
}
