//! The pieces of the search index in the tree. They stay for a while after the manifest stops
//! naming them.
//!
//! A piece's name is the digest of its bytes, so no validator needs its modification time. The time
//! tells something else: it stands for a state while the manifest names the piece, and is the time
//! of day at which that ended afterwards.

use std::fs::{self, File};
use std::io;
use std::path::Path;
use std::time::SystemTime;

use super::remove::remove_any;
use super::state_time::modified;
use super::verify::regular;
use super::{LockedTree, Siblings, StateTime, Tree, entries, is_missing};
use crate::address::Document;
use crate::search::PieceName;

/// How an existing file is compared with its expected bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verify {
    /// Its length must match: only this process writes to the tree.
    Size,
    /// Its bytes must match.
    Content,
}

/// A piece in the tree.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PieceFile {
    pub name: PieceName,
    pub bytes: u64,
    /// When the manifest stopped naming it; `None` if it still does.
    pub expired: Option<SystemTime>,
}

impl Tree {
    /// The pieces in the tree.
    pub(crate) fn pieces(&self) -> io::Result<Vec<PieceFile>> {
        let manifest = self.place(&Document::SearchManifest)?;
        let mut pieces = Vec::new();
        for entry in entries(manifest.parent().unwrap_or(self.root()))? {
            let path = entry.path();
            if let (Some(name), Some(file)) = (name(&path), regular(&path)) {
                let expired = match file.modified() {
                    Ok(time) if StateTime::is_state_time(time) => None,
                    time => Some(time.unwrap_or(SystemTime::UNIX_EPOCH)),
                };
                pieces.push(PieceFile { name, bytes: file.len(), expired });
            }
        }
        Ok(pieces)
    }

    /// Whether a piece's bytes match its name. `None` if it does not exist.
    pub(crate) fn piece_fits(&self, name: PieceName) -> io::Result<Option<bool>> {
        match fs::read(self.place(&Document::SearchPiece(name))?) {
            Ok(bytes) => Ok(Some(PieceName::of(&bytes) == name)),
            Err(why) if is_missing(&why) => Ok(None),
            Err(why) => Err(why),
        }
    }
}

/// The name of the piece in a file.
fn name(path: &Path) -> Option<PieceName> {
    path.file_name()?.to_str()?.strip_suffix(".bin")?.parse().ok()
}

impl LockedTree {
    /// Writes a piece for the next manifest, unless it exists. Returns whether it was written.
    pub(crate) fn put_piece(
        &self,
        name: PieceName,
        bytes: &[u8],
        at: StateTime,
        verify: Verify,
    ) -> io::Result<bool> {
        let document = Document::SearchPiece(name);
        let path = self.tree.place(&document)?;
        let Some(file) = regular(&path).filter(|file| file.len() == bytes.len() as u64) else {
            return self.put_bytes(&document, bytes, at, Siblings::None);
        };
        if verify == Verify::Content && fs::read(&path)? != bytes {
            return self.put_bytes(&document, bytes, at, Siblings::None);
        }
        if !modified(Some(&file)).is_some_and(StateTime::is_state_time) {
            File::open(&path)?.set_modified(at.time())?;
        }
        Ok(false)
    }

    /// Marks a piece as expired now. Returns the time and the piece's size, or `None` if it does
    /// not exist.
    pub(crate) fn expire_piece(&self, name: PieceName) -> io::Result<Option<(SystemTime, u64)>> {
        match File::open(self.tree.place(&Document::SearchPiece(name))?) {
            Ok(file) => {
                let now = SystemTime::now();
                file.set_modified(now)?;
                Ok(Some((now, file.metadata()?.len())))
            }
            Err(why) if why.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(why) => Err(why),
        }
    }

    /// Removes a piece. The folder stays, because it holds the manifest.
    pub(crate) fn remove_piece(&self, name: PieceName) -> io::Result<()> {
        let piece = Document::SearchPiece(name);
        let removed = remove_any(&self.tree.place(&piece)?);
        self.removed(&piece);
        removed.map(drop)
    }
}
