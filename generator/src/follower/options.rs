//! How a source is followed.

use registry::names::PublicUrl;
use registry::time::Timestamp;
use registry::transparency_log::{Policy, VerifierKey};

use super::SourceLimits;
use crate::Retention;
use crate::pages::Site;
use crate::selection::Selection;

/// How a source is followed.
#[derive(Debug, Clone)]
pub struct FollowOptions {
    /// How long expired pieces of the search index stay.
    pub retention: Retention,
    /// The address of this tree. None: the source's settings decide.
    pub public_url: Option<PublicUrl>,
    /// The look of this tree's pages.
    pub site: Site,
    /// Whether the settings of this tree name the look of the source anyway, so that the documents without a look
    /// are those of the source.
    pub names_source_look: bool,
    /// How much the source may make this machine store.
    pub limits: SourceLimits,
    /// Whether the source may have another history than the tree, once.
    pub accepts_new_history: bool,
    /// One of these keys must have signed what the source has. Empty: nobody needs to.
    pub keys: Vec<VerifierKey>,
    /// The witnesses that must have cosigned it.
    pub policy: Option<Policy>,
    /// What the tree shows of the source.
    pub selection: Selection,
    /// The clock.
    pub now: fn() -> Timestamp,
}
