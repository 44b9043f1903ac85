//! The files of a tree, in the order of their paths.

use std::collections::BTreeSet;
use std::fs::{self, File, Metadata};
use std::io;
use std::os::unix::fs::MetadataExt;
use std::time::SystemTime;

use registry::names::Coordinate;
use serde::{Deserialize, Serialize};
use walkdir::WalkDir;

use super::{Tree, entries, is_missing};
use crate::address::{Document, of_file};
use crate::search::{Manifest, PieceName};

/// A file of a document, or its gzip sibling.
#[derive(Debug)]
pub struct TreeFile {
    /// The path relative to the tree, with `/`.
    pub path: String,
    /// Its document.
    pub document: Document,
    pub(super) meta: Metadata,
}

impl TreeFile {
    /// The size in bytes.
    pub fn size(&self) -> u64 {
        self.meta.len()
    }

    /// The modification time, which names a state. See [`StateTime`](super::StateTime).
    pub fn modified(&self) -> SystemTime {
        self.meta.modified().unwrap_or(SystemTime::UNIX_EPOCH)
    }

    /// The identity of the file that the path names now.
    pub fn identity(&self) -> FileIdentity {
        FileIdentity::of(&self.meta)
    }

    /// Whether two paths are names of one file.
    pub fn is_same_as(&self, other: &Self) -> bool {
        (self.meta.dev(), self.meta.ino()) == (other.meta.dev(), other.meta.ino())
    }
}

/// Tells whether a path still names the same file. The writer of a tree never changes a file: it puts
/// another one in its place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileIdentity {
    inode: u64,
    /// The modification time in seconds and nanoseconds.
    modified: (i64, i64),
    size: u64,
}

impl FileIdentity {
    fn of(meta: &Metadata) -> Self {
        Self { inode: meta.ino(), modified: (meta.mtime(), meta.mtime_nsec()), size: meta.len() }
    }
}

impl Tree {
    /// Lists the files of documents, sorted by the segments of their paths. Leaves out expired
    /// pieces of the search index, and everything that is no document.
    pub fn files(&self) -> io::Result<impl Iterator<Item = io::Result<TreeFile>>> {
        let current = self.current_pieces()?;
        Ok(self.all_files().filter(move |file| match file {
            Ok(TreeFile { document: Document::SearchPiece(name), .. }) => current.contains(name),
            _ => true,
        }))
    }

    /// Lists the files of documents, expired pieces of the search index too, in the order of
    /// [`files`](Self::files). Leaves out everything that is no document.
    pub fn all_files(&self) -> impl Iterator<Item = io::Result<TreeFile>> {
        let entries = WalkDir::new(self.root()).min_depth(1).sort_by_file_name().into_iter();
        let root = self.root().to_owned();
        entries.filter_map(move |entry| {
            let entry = match entry {
                Ok(entry) => entry,
                // The folder of a removed skill.
                Err(why) if why.io_error().is_some_and(|why| why.kind() == io::ErrorKind::NotFound) => {
                    return None;
                }
                Err(why) => return Some(Err(why.into())),
            };
            if !entry.file_type().is_file() {
                return None;
            }
            let path = entry.path().strip_prefix(&root).ok()?.to_str()?.to_owned();
            let (document, _) = of_file(&path)?;
            match fs::symlink_metadata(entry.path()) {
                Ok(meta) => Some(Ok(TreeFile { path, document, meta })),
                Err(why) if why.kind() == io::ErrorKind::NotFound => None,
                Err(why) => Some(Err(why)),
            }
        })
    }

    /// The pieces that the manifest names. None of them if there is no manifest.
    fn current_pieces(&self) -> io::Result<BTreeSet<PieceName>> {
        let Some(mut file) = self.open(&Document::SearchManifest)? else { return Ok(BTreeSet::new()) };
        let mut bytes = Vec::new();
        io::Read::read_to_end(&mut file, &mut bytes)?;
        let manifest = Manifest::decode(&bytes).map_err(io::Error::other)?;
        let shards = manifest.shards.into_iter().flatten();
        Ok(shards.chain(manifest.pieces.into_iter().map(|(_, name)| name)).collect())
    }

    /// The file of a document at a path. `None` if it does not exist.
    pub fn file(&self, path: &str) -> io::Result<Option<TreeFile>> {
        let Some((document, _)) = of_file(path) else { return Ok(None) };
        match fs::symlink_metadata(self.root().join(path)) {
            Ok(meta) => Ok(meta.is_file().then(|| TreeFile { path: path.to_owned(), document, meta })),
            Err(why) if is_missing(&why) => Ok(None),
            Err(why) => Err(why),
        }
    }

    /// The files of the packages of a skill, sorted by their paths.
    pub fn packages_of(&self, skill: &Coordinate) -> io::Result<Vec<TreeFile>> {
        let versions = self.place(&Document::Versions(skill.clone()))?.with_extension("");
        let mut names: Vec<_> = entries(&versions)?.into_iter().map(|entry| entry.file_name()).collect();
        names.sort();
        let versions = names.iter().filter_map(|name| name.to_str()?.parse().ok());
        let files = versions.filter_map(|version| Document::Package(skill.clone(), version).file());
        files.filter_map(|file| self.file(&file).transpose()).collect()
    }

    /// Opens the file at a path.
    pub fn open_file(&self, path: &str) -> io::Result<File> {
        File::open(self.root().join(path))
    }

    /// Opens a file that [`files`](Self::files) has listed. `None` if the path does not name it any
    /// more.
    pub fn open_listed(&self, path: &str, identity: FileIdentity) -> io::Result<Option<File>> {
        let file = match self.open_file(path) {
            Err(why) if is_missing(&why) => return Ok(None),
            file => file?,
        };
        Ok((FileIdentity::of(&file.metadata()?) == identity).then_some(file))
    }
}
