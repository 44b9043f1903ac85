//! A bucket, or another place, that follows the output folder.

use std::fmt::Debug;
use std::io;
use std::sync::Arc;

use registry::journal::Revision;
use registry::time::Timestamp;

use super::{Claimant, Tree, TreeObserver};

/// A place that can follow the output folder.
pub trait TreeTarget: Debug + Send + Sync {
    /// Starts what keeps the place up to date with `tree`, for `claimant`. With `replaces`, it takes over a
    /// place of somebody else.
    ///
    /// Errors: the thread cannot start, or its record beside the tree cannot be opened.
    fn start(&self, tree: &Tree, claimant: Claimant, replaces: bool) -> io::Result<Box<dyn TargetWriter>>;
}

/// Keeps a place up to date. When it is dropped, it tries to do that once more.
pub trait TargetWriter: Send {
    /// Takes the reports of the tree's writer.
    fn observer(&self) -> Arc<dyn TreeObserver>;

    /// Begins the work, because the folder has been brought up to date once.
    fn tree_is_ready(&self);

    /// The address of the place.
    fn name(&self) -> &str;

    /// How far the place is.
    fn progress(&self) -> TargetProgress;
}

/// How far the bucket is, for health checks and metrics.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TargetProgress {
    /// Whether this process writes the bucket. Otherwise another server does.
    pub is_writer: bool,
    /// The last public revision in the bucket. None before the first comparison.
    pub revision: Option<Revision>,
    /// Objects that this process has written.
    pub written: u64,
    /// Objects that this process has deleted.
    pub deleted: u64,
    /// Objects that no document has and no registry seems to have put, since the last comparison. They stay.
    pub left: u64,
    /// Documents that have changed in the folder and are not in the bucket yet.
    pub waiting: u64,
    /// Why the last attempt failed.
    pub failure: Option<TargetFailure>,
}

/// A failure of the bucket.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TargetFailure {
    /// For anyone: names nothing of this machine.
    pub public: String,
    /// When the first of the failures since the last success was.
    pub since: Timestamp,
}
