//! How far a history got, according to a tree, a bucket or a signature. An older copy of the journal has fewer
//! rows.

use data_encoding::BASE64;
use registry::journal::Epoch;
use registry::public::PublicCatalog;
use registry::transparency_log::Checkpoint;

use crate::address::Document;
use crate::tree::Tree;
use registry::api::public::Head;

/// The public rows of a history that a place shows, or that a key has signed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KnownLog {
    /// The place, for messages.
    pub place: String,
    /// The name of the history.
    pub epoch: Epoch,
    /// The number of rows.
    pub size: u64,
    /// The root of their Merkle tree, in base64.
    root: String,
}

impl KnownLog {
    /// The rows that a head names.
    pub fn of_head(place: String, head: &Head) -> Self {
        Self { place, epoch: head.epoch.clone(), size: head.log.size, root: head.log.root.clone() }
    }

    /// The rows that a checkpoint of this history covers.
    pub fn of_checkpoint(place: String, epoch: Epoch, checkpoint: &Checkpoint) -> Self {
        Self { place, epoch, size: checkpoint.size, root: BASE64.encode(&checkpoint.root.0) }
    }

    /// Whether a catalog has exactly these rows and perhaps more. True for another history, which says
    /// nothing about these rows.
    pub fn fits(&self, catalog: &PublicCatalog) -> bool {
        let has_rows = || {
            let root = catalog.log().root_at(self.size);
            root.is_some_and(|root| BASE64.encode(&root.0) == self.root)
        };
        self.epoch != *catalog.feed().epoch() || has_rows()
    }
}

impl Tree {
    /// What the head and the checkpoint of a registry's own tree show. Empty for a mirror, which may have only a
    /// part of the rows.
    pub fn known_logs(&self) -> Vec<KnownLog> {
        let Some(head) = self.head().filter(|_| !self.is_of_mirror()) else { return Vec::new() };
        let shown = self.root().display();
        let checkpoint = self.note(&Document::Checkpoint).ok().flatten();
        let checkpoint = checkpoint.and_then(|text| Checkpoint::read_unverified(text.as_bytes()).ok());
        let of_checkpoint = checkpoint.map(|checkpoint| {
            KnownLog::of_checkpoint(format!("the signed tree in {shown}"), head.epoch.clone(), &checkpoint)
        });
        let of_head = KnownLog::of_head(format!("the tree in {shown}"), &head);
        std::iter::once(of_head).chain(of_checkpoint).collect()
    }
}
