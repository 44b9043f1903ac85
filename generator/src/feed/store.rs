//! A feed in the place of a journal: rows from the pages that are kept.

use std::collections::HashMap;
use std::io;
use std::sync::Arc;

use parking_lot::RwLock;
use registry::journal::{BlobReader, Epoch, JournalError, PublicRow, PublicStore, Revision};
use registry::names::Digest;
use registry::public::{DecodedRow, PublicChange};

use super::kept::{Kept, Place};
use super::packages::Wanted;
use super::source::Source;
use crate::tree::Tree;

/// The rows of one history.
pub(super) struct FeedStore {
    epoch: Epoch,
    source: Arc<dyn Source>,
    kept: Arc<Kept>,
    /// The tree that is made from it.
    tree: Tree,
    index: RwLock<Index>,
}

#[derive(Default)]
struct Index {
    /// In the order of the revisions.
    rows: Vec<(Revision, Place)>,
    /// The rows that name each package.
    packages: HashMap<Digest, Vec<usize>>,
}

impl FeedStore {
    pub fn new(epoch: Epoch, source: Arc<dyn Source>, kept: Arc<Kept>, tree: Tree) -> Self {
        Self { epoch, source, kept, tree, index: RwLock::default() }
    }

    /// Takes in the next row.
    pub fn push(&self, row: &DecodedRow, place: Place) {
        let mut index = self.index.write();
        let number = index.rows.len();
        index.rows.push((row.revision, place));
        if let PublicChange::Published(published) = &row.change {
            index.packages.entry(published.sha256).or_default().push(number);
        }
    }

    fn read(&self, (revision, place): (Revision, Place)) -> Result<PublicRow, JournalError> {
        Ok(PublicRow { revision, json: self.kept.row(&self.epoch, place)? })
    }

    /// The packages of that digest, as the rows that name it say: the source
    /// has one of them as long as one of their skills is there.
    fn wanted(&self, digest: Digest) -> Result<Vec<Wanted>, JournalError> {
        let rows: Vec<_> = {
            let index = self.index.read();
            let numbers = index.packages.get(&digest).into_iter().flatten();
            numbers.map(|number| index.rows[*number]).collect()
        };
        let mut wanted = Vec::with_capacity(rows.len());
        for row in rows {
            match DecodedRow::decode(&self.read(row)?) {
                Ok(DecodedRow { change: PublicChange::Published(published), .. }) => {
                    wanted.push(Wanted::by(&published));
                }
                Ok(_) => {}
                Err(why) => return Err(JournalError::Damaged(why.to_string())),
            }
        }
        Ok(wanted)
    }
}

impl PublicStore for FeedStore {
    fn epoch(&self) -> Result<Epoch, JournalError> {
        Ok(self.epoch.clone())
    }

    fn public_since(&self, after: Revision, limit: usize) -> Result<Vec<PublicRow>, JournalError> {
        let rows: Vec<_> = {
            let index = self.index.read();
            let start = index.rows.partition_point(|(revision, _)| *revision <= after);
            index.rows[start..].iter().take(limit).copied().collect()
        };
        rows.into_iter().map(|row| self.read(row)).collect()
    }

    fn public_row(&self, revision: Revision) -> Result<Option<PublicRow>, JournalError> {
        let found = {
            let index = self.index.read();
            let found = index.rows.binary_search_by_key(&revision, |(revision, _)| *revision);
            found.ok().map(|number| index.rows[number])
        };
        found.map(|row| self.read(row)).transpose()
    }

    /// New packages are kept before their rows are here, and those that are not
    /// kept are in the tree. One that is in neither is fetched again.
    fn open_blob(&self, digest: Digest) -> Result<Option<Box<dyn BlobReader>>, JournalError> {
        if self.kept.package(digest)?.is_none() {
            let wanted = self.wanted(digest)?;
            if let Some(package) = wanted.iter().find_map(|wanted| wanted.in_tree(&self.tree)) {
                return Ok(Some(Box::new(package)));
            }
            let mut fetched = Ok(());
            for wanted in wanted {
                fetched = wanted.fetch(&*self.source, &self.kept);
                if fetched.is_ok() {
                    break;
                }
            }
            fetched.map_err(io::Error::other)?;
        }
        Ok(self.kept.package(digest)?.map(|package| Box::new(package) as Box<dyn BlobReader>))
    }
}
