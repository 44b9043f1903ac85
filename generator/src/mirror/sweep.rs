//! Writing every document, part by part.

use registry::journal::Revision;

use super::covered::{Covered, STAGES};
use super::update::Update;
use super::{Mirror, MirrorError};
use crate::address::{Document, Stage, exists, of_unit, units};
use crate::tree::{Failures, Siblings};

/// How many parts are rendered under one lock.
const PARTS: usize = 16;

impl Mirror {
    /// Writes all documents but the head, and removes what does not belong.
    /// Returns the revision since which some of them may be stale already.
    pub(super) fn sweep(&mut self) -> Result<Revision, MirrorError> {
        self.tree.make_folders()?;
        // Whatever happens from here on, the tree counts as unfinished.
        self.tree.forget_cursor()?;
        self.cursor = None;
        let (start, parts) = {
            let catalog = self.public.read();
            (catalog.revision(), units(&catalog))
        };
        let siblings = if self.settings.gzip { Siblings::Compared } else { Siblings::None };
        let mut failures = Failures::default();
        let mut newer = Covered::all(start);
        for stage in STAGES {
            if stage == Stage::Feed {
                let belongs = |document: &Document| exists(&self.public.read(), &self.settings, document);
                self.tree.prune(&self.settings, belongs)?;
            }
            for parts in parts.chunks(PARTS) {
                let update = {
                    let catalog = self.public.read();
                    let mut update = Update::new(&catalog, siblings);
                    newer.before(stage, self, &catalog, &mut update, &mut failures)?;
                    for part in parts {
                        let add = &mut |document| {
                            update.add(self.view(&catalog), document, &mut failures);
                            Ok::<_, MirrorError>(())
                        };
                        of_unit(&catalog, &self.settings, stage, part, add)?;
                    }
                    update
                };
                update.write(&self.tree, &*self.store, &mut failures);
            }
        }
        if !failures.0.is_empty() {
            return Err(failures.into());
        }
        self.reached = Some(start);
        Ok(start)
    }
}
