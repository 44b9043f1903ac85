//! Taking over a tree and its bucket.

use std::sync::Arc;

use generator::tree::{TargetWriter, Tree, TreeObserver};
use generator::{Sources, TreeError, TreePublisher};
use registry::with_causes;

use super::TreeWriter;
use crate::tree_updates::{PublisherParts, claimant};

impl TreeWriter {
    /// Takes the lock of the tree, unless another process has it.
    pub(super) fn take_over(&mut self) -> Result<(), TreeError> {
        let PublisherParts { registry, local, search, tree, documents, settings } = &self.parts;
        if self.publisher.is_none()
            && let Some(tree) = tree
            && let Some(locked) = tree.lock()?
        {
            if settings.replaces_tree {
                locked.forget_source()?;
            } else {
                tree.check_owner(&claimant(registry))?;
            }
            // The process that had the lock may have published newer counters.
            if let Err(error) = registry.refresh_counters(local) {
                tracing::warn!(error = %with_causes(&error), "cannot read the published counters; the tree may show older ones");
            }
            documents.open();
            let mut locked = locked.with_observer(Arc::clone(documents) as Arc<dyn TreeObserver>);
            if let Some(purger) = &settings.purger {
                locked = locked.with_observer(Arc::clone(purger));
            }
            if let Some(uploader) = self.start_uploader(tree)? {
                locked = locked.with_observer(uploader.observer());
                *self.uploader.lock() = Some(uploader);
            }
            let sources = Sources {
                public: registry.public(),
                search: Arc::clone(search),
                store: registry.store(),
                signing: settings.signing.clone(),
            };
            let publisher =
                TreePublisher::new(sources, settings.tree.clone(), locked, settings.search_retention);
            self.publisher = Some(publisher);
        }
        Ok(())
    }

    /// Starts what keeps the bucket up to date, if there is one.
    fn start_uploader(&self, tree: &Tree) -> std::io::Result<Option<Box<dyn TargetWriter>>> {
        let settings = &self.parts.settings;
        let Some(target) = &settings.target else { return Ok(None) };
        target.start(tree, claimant(&self.parts.registry), settings.replaces_tree).map(Some)
    }
}
