//! The files of a snapshot that no tree has.

use registry::journal::{Epoch, Revision};
use registry::names::Digest;
use serde::{Deserialize, Serialize};

use crate::tree::State;
use registry::api::public::Head;

/// The version of the format. It rises when an older release cannot read a snapshot any more.
pub const FORMAT: u32 = 1;

/// The first file.
pub const MANIFEST: &str = "snapshot.json";

/// The list of removed files in a delta, before its last file.
pub const REMOVED: &str = "snapshot-removed";

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
    /// The state that it continues. `None` if it has everything.
    pub base: Option<Base>,
    /// The number of files of the tree.
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
    /// The generation of its counters.
    pub counters: u64,
    /// The sha256 of its last feed page. `None` if it has no rows.
    pub sha256: Option<Digest>,
}

impl Base {
    /// The state of a head.
    pub fn of(head: &Head) -> Self {
        Self { revision: head.revision, counters: head.counters.generation, sha256: head.sha256 }
    }
}

/// A file's text: JSON and a line feed.
pub fn to_text(value: &impl Serialize) -> serde_json::Result<String> {
    Ok(serde_json::to_string(value)? + "\n")
}
