//! The first and the last file of a snapshot.

use registry::journal::{Epoch, Revision};
use registry::names::{Digest, DigestBuilder};
use serde::{Deserialize, Serialize};

use super::entry::{Body, Entry};
use crate::tree::State;

/// The version of the format. It rises when an older release cannot read a snapshot any more.
pub const FORMAT: u32 = 1;

/// The first file.
pub const MANIFEST: &str = "snapshot.json";

/// The last file.
pub const END: &str = "snapshot-end.json";

/// What a snapshot has. It is in the first file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// The version of the snapshot's format.
    pub format: u32,
    /// The version of the documents' form, as in the head.
    #[serde(rename = "treeFormat")]
    pub tree_format: u32,
    /// The history.
    pub epoch: Epoch,
    /// The last public revision.
    pub revision: Revision,
    /// The generation of the counters.
    pub counters: u64,
    /// The sha256 of `head.json`.
    pub head: Digest,
    /// The state that it continues. `None` if it has everything.
    pub base: Option<Base>,
    /// The number of files between the first and the last one.
    pub files: u64,
    /// The bytes of these files. A link has none.
    pub bytes: u64,
}

impl Manifest {
    /// The state of its tree.
    pub fn state(&self) -> State {
        State { revision: self.revision, counters: self.counters }
    }
}

/// The state that a delta continues.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Base {
    /// Its last public revision.
    pub revision: Revision,
    /// The sha256 of its last feed page.
    pub sha256: Digest,
}

/// What closes a snapshot. It is in the last file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct End {
    /// As in the manifest.
    pub files: u64,
    /// As in the manifest.
    pub bytes: u64,
    /// The sha256 over a line for each file.
    pub sha256: Digest,
}

/// The digest over all files, in their order.
#[derive(Clone, Default)]
pub struct RunningDigest(DigestBuilder);

impl RunningDigest {
    /// Adds a file. `digest` is that of its content.
    pub fn add(&mut self, entry: &Entry, digest: Option<Digest>) {
        let line = match (&entry.body, digest) {
            (Body::Link { target }, _) => format!("link {target}  {}\n", entry.path),
            (Body::Bytes { .. }, Some(digest)) => format!("{digest}  {}\n", entry.path),
            (Body::Bytes { .. }, None) => String::new(),
        };
        self.0.update(line.as_bytes());
    }

    pub fn finish(self) -> Digest {
        self.0.finish()
    }
}

/// A file's text: JSON and a line feed.
pub fn to_text(value: &impl Serialize) -> serde_json::Result<String> {
    Ok(serde_json::to_string(value)? + "\n")
}
