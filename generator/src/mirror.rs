//! Keeping a tree up with a registry.

use std::collections::BTreeSet;
use std::io;
use std::sync::Arc;

use parking_lot::RwLock;
use registry::journal::{BlobReader, JournalError, PublicRow, PublicStore, Revision};
use registry::names::Digest;
use registry::public::{DecodeError, DecodedRow, PublicCatalog};

use crate::FORMAT;
use crate::address::{Document, Stage, for_each};
use crate::plan::plan;
use crate::render::{RenderError, Rendered, View, render};
use crate::settings::TreeSettings;
use crate::tree::{Cursor, Failures, LockedTree, StateTime, Tree};

/// Further behind than this many public rows, generating the whole tree (one
/// document in memory at a time) is better than collecting what is stale.
const MOST_ROWS: usize = 2000;

/// Why a tree could not be brought up to date.
#[derive(Debug, thiserror::Error)]
pub enum MirrorError {
    /// Some files could not be written; all the others were, but the head.
    #[error(transparent)]
    Files(#[from] Failures),
    /// A document cannot be rendered.
    #[error(transparent)]
    Render(#[from] RenderError),
    /// The journal cannot be read.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// A row cannot be understood.
    #[error(transparent)]
    Row(#[from] DecodeError),
    /// The tree cannot be read or its cursor not be kept.
    #[error("the output folder fails: {0}")]
    Io(#[from] io::Error),
}

/// A tree, the lock on it, and what it is made from.
pub struct Mirror {
    public: Arc<RwLock<PublicCatalog>>,
    store: Arc<dyn PublicStore>,
    settings: TreeSettings,
    tree: LockedTree,
    cursor: Option<Cursor>,
}

impl Mirror {
    /// Takes over a locked tree.
    pub fn new(
        public: Arc<RwLock<PublicCatalog>>,
        store: Arc<dyn PublicStore>,
        settings: TreeSettings,
        tree: LockedTree,
    ) -> Self {
        let cursor = tree.cursor();
        Self { public, store, settings, tree, cursor }
    }

    /// The tree, for reading.
    pub fn tree(&self) -> &Tree {
        self.tree.tree()
    }

    /// Brings the tree up to the catalog's last public revision, which is
    /// returned. After an error nothing is lost: the next call goes on.
    pub fn catch_up(&mut self) -> Result<Revision, MirrorError> {
        let public = Arc::clone(&self.public);
        let catalog = public.read();
        // Someone may have deleted the tree while we kept it.
        let is_there = self.tree().head().is_some();
        let fits = |cursor: &&Cursor| {
            is_there
                && cursor.epoch == *catalog.feed().epoch()
                && cursor.settings == self.settings.digest()
                && cursor.format == FORMAT
                && cursor.revision <= catalog.revision()
        };
        let Some(cursor) = self.cursor.as_ref().filter(fits) else {
            return self.generate_from(&catalog);
        };
        let trusted = cursor.trusted();
        if trusted == catalog.revision() {
            return Ok(trusted);
        }
        let rows = self.store.public_since(trusted, MOST_ROWS + 1)?;
        if rows.len() > MOST_ROWS {
            return self.generate_from(&catalog);
        }
        // The journal may be ahead of the catalog.
        let rows: Vec<_> = rows.into_iter().filter(|row| row.revision <= catalog.revision()).collect();
        let update = self.prepare(&catalog, &rows)?;
        drop(catalog);
        self.write(update)
    }

    /// Generates the whole tree anew: writes what differs, removes what does
    /// not belong there.
    pub fn generate(&mut self) -> Result<Revision, MirrorError> {
        let public = Arc::clone(&self.public);
        let catalog = public.read();
        self.generate_from(&catalog)
    }

    /// Brings all that was written to stable storage.
    pub fn persist(&mut self) -> Result<(), MirrorError> {
        match &mut self.cursor {
            Some(cursor) => Ok(self.tree.persist(cursor)?),
            None => Ok(()),
        }
    }

    fn view<'a>(&'a self, catalog: &'a PublicCatalog) -> View<'a> {
        View { catalog, store: &*self.store, settings: &self.settings }
    }

    /// Renders all that the rows made stale, from one state.
    fn prepare(&self, catalog: &PublicCatalog, rows: &[PublicRow]) -> Result<Update, MirrorError> {
        let mut stale = BTreeSet::new();
        for row in rows {
            plan(catalog, &self.settings, &DecodedRow::decode(row)?, &mut stale);
        }
        let view = self.view(catalog);
        let mut update = Update::new(catalog);
        for document in stale {
            let known = crate::address::exists(catalog, &self.settings, &document);
            let rendered = if known { render(view, &document)? } else { None };
            match rendered {
                Some(rendered) => update.put.push((document, rendered)),
                None => update.remove.push(document),
            }
        }
        update.put.sort_by_key(|(document, _)| document.stage());
        update.remove.sort_by_key(|document| std::cmp::Reverse(document.stage()));
        Ok(update)
    }

    /// Writes in the order of the stages; removes, in the opposite one, before
    /// the feed tells of it; and writes the head when nothing failed.
    fn write(&mut self, update: Update) -> Result<Revision, MirrorError> {
        let mut failures = Failures::default();
        let Update { put, remove, at, target } = update;
        let (documents, rest): (Vec<_>, Vec<_>) = put.into_iter().partition(|(d, _)| d.stage() < Stage::Feed);
        for (document, rendered) in &documents {
            self.put(document, rendered, at, &mut failures);
        }
        for document in &remove {
            if let Err(why) = self.tree.remove(document) {
                failures.0.push((document.file(), why));
            }
        }
        for (document, rendered) in &rest {
            if *document != Document::Head || failures.0.is_empty() {
                self.put(document, rendered, at, &mut failures);
            }
        }
        self.finish(failures, target)
    }

    fn put(&self, document: &Document, rendered: &Rendered, at: StateTime, failures: &mut Failures) {
        let done = match rendered {
            Rendered::Bytes(bytes) => self.tree.put_bytes(document, bytes, at),
            Rendered::Package(package) => {
                let open = || open_blob(&*self.store, package.sha256);
                self.tree.put_package(document, package, open, at)
            }
        };
        if let Err(why) = done {
            failures.0.push((document.file(), why));
        }
    }

    fn generate_from(&mut self, catalog: &PublicCatalog) -> Result<Revision, MirrorError> {
        self.tree.make_folders()?;
        let at = Update::new(catalog).at;
        let mut failures = Failures::default();
        let view = self.view(catalog);
        for stage in Stage::ALL {
            if stage == Stage::Feed {
                self.tree.prune(catalog, &self.settings)?;
            }
            if stage == Stage::Head && !failures.0.is_empty() {
                break;
            }
            for_each(catalog, &self.settings, stage, &mut |document| {
                if let Some(rendered) = render(view, &document)? {
                    self.put(&document, &rendered, at, &mut failures);
                }
                Ok::<_, MirrorError>(())
            })?;
        }
        // A tree that was not finished is generated again.
        self.cursor = failures.0.is_empty().then(|| Cursor {
            epoch: catalog.feed().epoch().clone(),
            revision: 0,
            durable: 0,
            settings: self.settings.digest(),
            format: FORMAT,
            boot: crate::tree::boot_id(),
        });
        self.finish(failures, catalog.revision())
    }

    fn finish(&mut self, failures: Failures, target: Revision) -> Result<Revision, MirrorError> {
        if !failures.0.is_empty() {
            return Err(failures.into());
        }
        if let Some(cursor) = &mut self.cursor {
            cursor.revision = target;
            cursor.boot = crate::tree::boot_id();
            self.tree.set_cursor(cursor)?;
        }
        Ok(target)
    }
}

/// What one state makes of stale documents.
struct Update {
    put: Vec<(Document, Rendered)>,
    remove: Vec<Document>,
    at: StateTime,
    target: Revision,
}

impl Update {
    fn new(catalog: &PublicCatalog) -> Self {
        let target = catalog.revision();
        let at = StateTime::new(target, catalog.counter_generation());
        Self { put: Vec::new(), remove: Vec::new(), at, target }
    }
}

fn open_blob(store: &dyn PublicStore, digest: Digest) -> io::Result<Box<dyn BlobReader>> {
    let missing =
        || io::Error::new(io::ErrorKind::NotFound, format!("the blob {digest} is not in the data folder"));
    store.open_blob(digest).map_err(io::Error::other)?.ok_or_else(missing)
}
