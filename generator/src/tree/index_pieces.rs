//! The pieces of the search index, which outlive the manifest that led to them.
//!
//! A piece's name is the digest of its bytes, so its modification time is no
//! part of any validator and can tell something else: it is one of a state as
//! long as the manifest leads to the piece, and else the time of day at which
//! the manifest ceased to.

use std::fs::{self, File};
use std::io;
use std::path::Path;
use std::time::SystemTime;

use super::files::{is_missing, modified, regular, remove_any};
use super::{LockedTree, Siblings, StateTime, Tree, entries};
use crate::address::Document;
use crate::search::PieceName;

/// How closely a file that is there already is looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verify {
    /// One of the right length is right: nobody but us writes it.
    Size,
    /// One of the right bytes is right.
    Content,
}

/// The file of a piece.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PieceFile {
    pub name: PieceName,
    pub bytes: u64,
    /// When the manifest ceased to lead to it, as far as its time tells; None: it leads
    /// there.
    pub expired: Option<SystemTime>,
}

impl Tree {
    /// The pieces in the folder.
    pub(crate) fn pieces(&self) -> io::Result<Vec<PieceFile>> {
        let manifest = self.place(&Document::SearchManifest)?;
        let mut pieces = Vec::new();
        for entry in entries(manifest.parent().unwrap_or(self.root()))? {
            let path = entry.path();
            if let (Some(name), Some(file)) = (name(&path), regular(&path)) {
                let expired = match file.modified() {
                    Ok(time) if StateTime::is_one(time) => None,
                    time => Some(time.unwrap_or(SystemTime::UNIX_EPOCH)),
                };
                pieces.push(PieceFile { name, bytes: file.len(), expired });
            }
        }
        Ok(pieces)
    }

    /// Whether a piece's bytes are what its name says. None where it is not there.
    pub(crate) fn piece_fits(&self, name: PieceName) -> io::Result<Option<bool>> {
        match fs::read(self.place(&Document::SearchPiece(name))?) {
            Ok(bytes) => Ok(Some(PieceName::of(&bytes) == name)),
            Err(why) if is_missing(&why) => Ok(None),
            Err(why) => Err(why),
        }
    }
}

/// The piece that a file is, by its path.
fn name(path: &Path) -> Option<PieceName> {
    path.file_name()?.to_str()?.strip_suffix(".bin")?.parse().ok()
}

impl LockedTree {
    /// Puts a piece that a manifest is going to lead to, unless it is there.
    /// Returns whether it was not.
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
        if !modified(Some(&file)).is_some_and(StateTime::is_one) {
            File::open(&path)?.set_modified(at.time())?;
        }
        Ok(false)
    }

    /// Notes that no manifest leads to a piece any more, from now on. Returns when that
    /// is, and the size of the piece; None where it is not there.
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

    /// Removes a piece. Its folder stays: the manifest is there.
    pub(crate) fn remove_piece(&self, name: PieceName) -> io::Result<()> {
        let piece = Document::SearchPiece(name);
        let removed = remove_any(&self.tree.place(&piece)?);
        self.removed(&piece);
        removed.map(drop)
    }
}
