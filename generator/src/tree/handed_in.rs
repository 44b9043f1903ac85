//! Signed notes that another process hands in to the one that keeps the tree.
//!
//! They are in `<output>.state/signed/`, not in the tree, because a tree has one writer. It checks
//! them and puts them into the tree in their turn.

use std::fs;
use std::io::{self, Read};
use std::path::PathBuf;

use registry::transparency_log::{Checkpoint, MAX_SIGNED_NOTE};

use super::{LockedTree, Siblings, StateTime, Tree};
use crate::address::{Document, LogTile};

impl Tree {
    fn handed_in_path(&self, document: &Document) -> Option<PathBuf> {
        let file = document.file()?;
        Some(self.state().join("signed").join(file.rsplit('/').next()?))
    }

    /// The text of a document that was handed in. `None` if there is none, or it cannot be read.
    pub(crate) fn handed_in(&self, document: &Document) -> Option<String> {
        read_note(fs::File::open(self.handed_in_path(document)?).ok()?).ok()
    }

    /// The signed note that the tree shows.
    pub fn note(&self, document: &Document) -> io::Result<Option<String>> {
        self.open(document)?.map(read_note).transpose()
    }

    /// Hands in a signed note. If nobody keeps the tree, writes it to the tree at once. Returns
    /// whether the tree has it.
    pub fn hand_in(&self, document: &Document, text: &str) -> io::Result<bool> {
        let none = || io::Error::other(format!("{} is not handed in", document.name()));
        let path = self.handed_in_path(document).ok_or_else(none)?;
        if self.note(document)?.as_deref() == Some(text) {
            return Ok(true);
        }
        if self.handed_in(document).as_deref() != Some(text) {
            if let Some(folder) = path.parent() {
                fs::create_dir_all(folder)?;
            }
            let temporary = path.with_extension(format!("{}.tmp", std::process::id()));
            fs::write(&temporary, text)?;
            fs::rename(&temporary, &path)?;
        }
        let Some(locked) = self.lock()? else { return Ok(false) };
        locked.put_note(document, text)
    }
}

impl LockedTree {
    /// Writes a signed note of the state that the tree shows. An unfinished tree gets it from its
    /// publisher.
    fn put_note(&self, document: &Document, text: &str) -> io::Result<bool> {
        let (Some(cursor), Some(head)) = (self.cursor(), self.tree.head()) else { return Ok(false) };
        let replaced = self.tree.note(document)?.and_then(|note| size_of(&note));
        let at = StateTime::of(cursor.state, cursor.time_offset);
        // An incomplete change is completed by the publisher.
        let is_changing = self.is_changing();
        self.begin_change()?;
        self.put_bytes(document, text.as_bytes(), at, Siblings::None)?;
        // The replaced checkpoint referred to these.
        let outgrown = LogTile::partial_ones(replaced.unwrap_or(0)).filter(|tile| !tile.is_in(head.log.size));
        for tile in outgrown {
            self.remove(&Document::LogTile(tile))?;
        }
        if !is_changing {
            self.end_change()?;
        }
        Ok(true)
    }
}

/// The size that a checkpoint names. `None` for other notes.
pub(crate) fn size_of(note: &str) -> Option<u64> {
    Checkpoint::read_unverified(note.as_bytes()).ok().map(|checkpoint| checkpoint.size)
}

/// Reads a signed note. A longer text is none.
fn read_note(file: impl Read) -> io::Result<String> {
    let mut text = String::new();
    file.take(MAX_SIGNED_NOTE as u64 + 1).read_to_string(&mut text)?;
    Ok(text)
}
