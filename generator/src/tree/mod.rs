//! The static tree: the only code that opens the output folder.
//!
//! Reading needs a [`Tree`]; writing needs its lock, a [`LockedTree`]. Everything that is not a
//! public document (lock, cursor, temporary files) is in `<output>.state/` beside the output
//! folder.

mod answers;
mod changes;
mod cursor;
mod files;
mod incoming;
mod index_pieces;
mod list_pages;
mod lock;
mod observer;
mod owner;
mod prune;
mod read_keys;
mod remove;
mod signed_note;
mod state;
mod state_time;
mod target;
mod verify;
mod write;

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use registry::journal::Epoch;
use registry::names::Digest;
use registry::public::CounterShards;

pub use cursor::Cursor;
pub(crate) use cursor::boot_id;
pub use files::{FileIdentity, TreeFile};
pub use incoming::IncomingTree;
pub use index_pieces::Verify;
pub use lock::LockedTree;
pub use observer::{TreeObserver, Written};
pub use owner::{Claimant, ForeignTree, Owner};
pub use read_keys::ReadKeyRecord;
pub use state::State;
pub use state_time::StateTime;
pub use target::{TargetFailure, TargetProgress, TargetWriter, TreeTarget};
pub use verify::{Difference, Fault, VerifyError, verify, verify_file};
pub use write::{Failures, Siblings};

use crate::address::Document;
use crate::settings::TreeSettings;
use registry::api::public::Head;

/// The folder for temporary files if the tree is a file system of its own. It is the only folder in
/// the tree without documents.
const TEMPORARY: &str = ".tmp";

/// An output folder.
#[derive(Debug, Clone)]
pub struct Tree {
    root: PathBuf,
}

/// The folder `<output>.state` of a tree in the folder `output`.
pub fn state_folder(output: &Path) -> PathBuf {
    let mut name = output.file_name().unwrap_or("public".as_ref()).to_owned();
    name.push(".state");
    output.with_file_name(name)
}

impl Tree {
    /// The tree in a folder, which may not exist yet.
    pub fn at(root: impl Into<PathBuf>) -> Self {
        // `.state` is appended to the folder's name, and `.` has none.
        let root = root.into();
        Self { root: std::path::absolute(&root).unwrap_or(root) }
    }

    /// The output folder.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The path of a document's file. `None` if no tree has it.
    fn path(&self, document: &Document) -> Option<PathBuf> {
        document.file().map(|file| self.root.join(file))
    }

    /// The path of a document's file. Errors: no tree has it.
    fn place(&self, document: &Document) -> io::Result<PathBuf> {
        let none = || io::Error::other(format!("{} has no file", document.name()));
        self.path(document).ok_or_else(none)
    }

    /// The path of a document's gzip sibling. `None` if it never has one.
    fn gzip_path(&self, document: &Document) -> Option<PathBuf> {
        document.gzip_file().map(|file| self.root.join(file))
    }

    /// The folder `<output>.state`, for records about the tree that are no part of it.
    pub fn state_folder(&self) -> PathBuf {
        self.state()
    }

    /// Whether no rebuild of the tree has begun that is not complete.
    pub fn is_complete(&self) -> bool {
        Cursor::load(&self.state()).is_some_and(|cursor| cursor.is_complete)
    }

    /// `<output>.state`.
    fn state(&self) -> PathBuf {
        state_folder(&self.root)
    }

    /// Opens a document's file. Returns `None` if the tree does not have it.
    pub fn open(&self, document: &Document) -> io::Result<Option<File>> {
        self.path(document).map_or(Ok(None), |path| open(&path))
    }

    /// The text of a document that the tree has.
    pub fn text(&self, document: &Document) -> io::Result<String> {
        std::fs::read_to_string(self.place(document)?)
    }

    /// Opens a document's gzip sibling. Returns `None` if the tree does not have it.
    pub fn open_gzip(&self, document: &Document) -> io::Result<Option<File>> {
        self.gzip_path(document).map_or(Ok(None), |path| open(&path))
    }

    /// Whether a document's file has this size and digest.
    pub(crate) fn has(&self, document: &Document, size: u64, sha256: Digest) -> io::Result<bool> {
        match self.open(document)? {
            Some(file) if file.metadata()?.len() == size => {
                Ok(verify::digest(&self.place(document)?)? == sha256)
            }
            _ => Ok(false),
        }
    }

    /// Whether all documents exist that no change ever rewrites. If one is missing, somebody has
    /// removed a part of the tree. (A tree of another release or look has other assets.)
    pub fn is_whole(&self, settings: &TreeSettings) -> bool {
        let assets = settings.site.assets().paths().map(Document::Asset);
        [Document::Discovery, Document::OpenApi, Document::Settings]
            .into_iter()
            .chain(assets)
            .all(|document| self.path(&document).is_some_and(|path| path.exists()))
    }

    /// The settings that the tree was made with. `None` if they cannot be read.
    pub fn settings(&self) -> Option<TreeSettings> {
        let bytes = std::fs::read(self.path(&Document::Settings)?).ok()?;
        serde_json::from_slice(&bytes).ok()
    }

    /// The state that the tree holds of a history: the empty state if it holds another history.
    pub fn holds(&self, epoch: &Epoch) -> State {
        self.head().filter(|head| head.epoch == *epoch).map_or_else(State::default, |head| State::from(&head))
    }

    /// The counters in the tree. `None` if they cannot be read.
    pub fn counters(&self) -> Option<CounterShards> {
        let text = |shard| std::fs::read_to_string(self.place(&Document::Counters(shard))?);
        let texts: Vec<_> = (0..=u8::MAX).map(text).collect::<Result<_, _>>().ok()?;
        CounterShards::read(&texts.try_into().ok()?).ok()
    }

    /// The tree's head. `None` if it cannot be read.
    pub fn head(&self) -> Option<Head> {
        let bytes = std::fs::read(self.path(&Document::Head)?).ok()?;
        serde_json::from_slice(&bytes).ok()
    }
}

/// The entries of a folder: none if it does not exist.
fn entries(folder: &Path) -> io::Result<Vec<std::fs::DirEntry>> {
    match std::fs::read_dir(folder) {
        Ok(entries) => entries.collect(),
        Err(why) if is_missing(&why) => Ok(Vec::new()),
        Err(why) => Err(why),
    }
}

fn open(path: &Path) -> io::Result<Option<File>> {
    match File::open(path) {
        Ok(file) if file.metadata()?.is_file() => Ok(Some(file)),
        Ok(_) => Ok(None),
        Err(why) if is_missing(&why) => Ok(None),
        Err(why) => Err(why),
    }
}

/// Whether an error means that the path does not exist.
fn is_missing(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
}
