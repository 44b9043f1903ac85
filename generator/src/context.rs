//! What documents are rendered from.

use registry::journal::PublicStore;
use registry::public::PublicCatalog;

use crate::search::SharedIndex;
use crate::settings::TreeSettings;
use crate::signing::Signing;

/// Everything that documents are rendered from, at one revision.
#[derive(Clone, Copy)]
pub struct RenderContext<'a> {
    /// The catalog, which the caller has locked.
    pub catalog: &'a PublicCatalog,
    /// The search index of the catalog's live skills. Do not render documents while holding its
    /// lock: that would deadlock.
    pub search: &'a SharedIndex,
    /// The journal's rows, for what is not kept in memory.
    pub store: &'a dyn PublicStore,
    /// The settings that the tree depends on.
    pub settings: &'a TreeSettings,
    /// The signer of the checkpoints of the log.
    pub signing: &'a Signing,
}
