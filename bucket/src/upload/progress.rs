//! How far the bucket is.

use registry::journal::Revision;
use registry::time::Timestamp;

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
