//! A feed in place of a journal: rows from cached pages, and packages.

use std::collections::HashMap;
use std::io;
use std::sync::Arc;

use parking_lot::RwLock;
use registry::journal::{BlobReader, BlobSource, Epoch, JournalError, PublicRow, PublicRows, Revision};
use registry::names::Digest;
use registry::public::{DecodedRow, PublicChange};

use super::cache::RowPosition;
use super::packages::NeededPackage;
use super::source::FeedReader;

/// The rows of one epoch.
pub(super) struct FeedStore {
    epoch: Epoch,
    feed: Arc<FeedReader>,
    index: RwLock<RowIndex>,
}

#[derive(Default)]
struct RowIndex {
    /// By revision.
    rows: Vec<(Revision, RowPosition)>,
    /// Numbers of the rows that name each package.
    packages: HashMap<Digest, Vec<usize>>,
}

impl FeedStore {
    pub fn new(epoch: Epoch, feed: Arc<FeedReader>) -> Self {
        Self { epoch, feed, index: RwLock::default() }
    }

    /// Adds the next row.
    pub fn push(&self, row: &DecodedRow, position: RowPosition) {
        let mut index = self.index.write();
        let number = index.rows.len();
        index.rows.push((row.revision, position));
        if let PublicChange::Published(published) = &row.change {
            index.packages.entry(published.sha256).or_default().push(number);
        }
    }

    fn read(&self, (revision, position): (Revision, RowPosition)) -> Result<PublicRow, JournalError> {
        Ok(PublicRow::new(revision, self.feed.cache.row(&self.epoch, position)?))
    }

    /// The packages with a digest, from all rows that name it. The source has one of them
    /// while one of their skills exists.
    fn packages_with(&self, digest: Digest) -> Result<Vec<NeededPackage>, JournalError> {
        let rows: Vec<_> = {
            let index = self.index.read();
            let numbers = index.packages.get(&digest).into_iter().flatten();
            numbers.map(|number| index.rows[*number]).collect()
        };
        let mut packages = Vec::with_capacity(rows.len());
        for row in rows {
            let row = DecodedRow::decode(&self.read(row)?);
            if let PublicChange::Published(published) =
                row.map_err(|why| JournalError::Damaged(why.into()))?.change
            {
                packages.push(NeededPackage::of_version(&published));
            }
        }
        Ok(packages)
    }
}

impl PublicRows for FeedStore {
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
}

impl BlobSource for FeedStore {
    /// Opens a package in the cache or in the tree. If both have lost it, it is downloaded
    /// again.
    fn open_blob(&self, digest: Digest) -> Result<Option<Box<dyn BlobReader>>, JournalError> {
        if self.feed.cache.package(digest)?.is_none() {
            let packages = self.packages_with(digest)?;
            if let Some(package) = packages.iter().find_map(|package| package.in_tree(&self.feed.tree)) {
                return Ok(Some(Box::new(package)));
            }
            let mut downloaded = Ok(());
            for package in packages {
                downloaded = package.download(&self.feed);
                if downloaded.is_ok() {
                    break;
                }
            }
            downloaded.map_err(io::Error::other)?;
        }
        Ok(self.feed.cache.package(digest)?.map(|package| Box::new(package) as Box<dyn BlobReader>))
    }
}
