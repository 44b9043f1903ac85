//! Writing what changes have made stale.

use std::sync::Arc;

use registry::journal::Revision;

use super::covered::Covered;
use super::update::Update;
use super::{Mirror, MirrorError};
use crate::FORMAT;
use crate::address::Document;
use crate::tree::{Cursor, Failures, Siblings, boot_id};

impl Mirror {
    /// Goes on from `from` to the catalog's last public revision, step by step:
    /// a step renders under the lock, and writes without it. The last one holds
    /// the head, and nothing that it tells of is left for later.
    pub(super) fn walk(&mut self, from: Revision) -> Result<Revision, MirrorError> {
        let public = Arc::clone(&self.public);
        let mut covered = Covered::all(from);
        loop {
            let mut failures = Failures::default();
            let catalog = public.read();
            let target = catalog.revision();
            let is_done = self.cursor.is_some() && self.tree().holds(catalog.feed().epoch()) == target;
            if is_done && covered.least() == target {
                return Ok(target);
            }
            let mut update = Update::new(&catalog, self.siblings());
            let is_last = covered.forward(self, &catalog, &mut update, &mut failures)?;
            if is_last {
                update.add(self.view(&catalog), Document::Head, &mut failures);
            }
            let epoch = catalog.feed().epoch().clone();
            drop(catalog);
            self.tree.make_folders()?;
            update.write(&self.tree, &*self.store, &mut failures);
            if !failures.0.is_empty() {
                return Err(failures.into());
            }
            self.reached = Some(covered.least());
            if is_last {
                return self.finish(epoch, target);
            }
        }
    }

    /// After another boot the times of files say nothing about their bytes.
    fn siblings(&self) -> Siblings {
        match &self.cursor {
            _ if !self.settings.gzip => Siblings::None,
            Some(cursor) if cursor.is_of_this_boot() => Siblings::Timed,
            _ => Siblings::Compared,
        }
    }

    /// The head is written: notes how far the tree has come.
    fn finish(&mut self, epoch: String, target: Revision) -> Result<Revision, MirrorError> {
        let durable = self.cursor.as_ref().map_or(0, |cursor| cursor.durable);
        let (settings, boot) = (self.settings.digest(), boot_id());
        let cursor = Cursor { epoch, revision: target, durable, settings, format: FORMAT, boot };
        self.tree.set_cursor(&cursor)?;
        self.cursor = Some(cursor);
        Ok(target)
    }
}
