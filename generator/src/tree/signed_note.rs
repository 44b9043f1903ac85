//! Signed notes in a tree.

use std::io::{self, Read};

use registry::transparency_log::{Checkpoint, MAX_SIGNED_NOTE};

use super::Tree;
use crate::address::Document;
use crate::signing::Signing;

impl Tree {
    /// The signed note that the tree shows.
    pub fn note(&self, document: &Document) -> io::Result<Option<String>> {
        let Some(file) = self.open(document)? else { return Ok(None) };
        let mut text = String::new();
        file.take(MAX_SIGNED_NOTE as u64 + 1).read_to_string(&mut text)?;
        Ok(Some(text))
    }

    /// Hands its checkpoint and its statement to those who sign it. What cannot be read is signed again.
    pub fn show_notes(&self, signing: &Signing) {
        let read = |document| self.note(&document).ok().flatten();
        signing.load(read(Document::Checkpoint), read(Document::EpochStatement));
    }

    /// The size that the checkpoint of the tree names. `None` without one.
    pub(crate) fn signed_size(&self) -> io::Result<Option<u64>> {
        let note = self.note(&Document::Checkpoint)?;
        let checkpoint = note.and_then(|note| Checkpoint::read_unverified(note.as_bytes()).ok());
        Ok(checkpoint.map(|checkpoint| checkpoint.size))
    }
}
