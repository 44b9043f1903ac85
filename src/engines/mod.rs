//! PostgreSQL, object stores and CDNs: what the feature `engines` adds to a registry in a folder.
//!
//! Without the feature, `absent` has the same types and functions. Its addresses have no values, because
//! parsing them fails with the command that builds the rest.

use std::sync::Arc;

use generator::tree::{TreeObserver, TreeTarget};

#[cfg(not(feature = "engines"))]
mod absent;
#[cfg(feature = "engines")]
mod purge;
#[cfg(feature = "engines")]
mod stores;
#[cfg(feature = "engines")]
mod target;
#[cfg(feature = "engines")]
mod verify;

#[cfg(not(feature = "engines"))]
pub use self::absent::*;
#[cfg(feature = "engines")]
pub use self::{
    purge::{PurgeKind, check_purge},
    stores::{
        bucket_journal, bucket_packages, claimed_packages, has_bucket_journal, has_database_journal,
        open_database,
    },
    target::{bucket_source, check_bucket, mirror_followers, registry_followers, upload_tree},
    verify::verify_bucket,
};
#[cfg(feature = "engines")]
pub use bucket::{KeyStyle, TargetUrl, purge::PurgeBy};
#[cfg(feature = "engines")]
pub use postgres_store::Address;

/// What follows the output folder elsewhere.
#[derive(Debug, Default)]
pub struct Followers {
    /// The bucket.
    pub target: Option<Arc<dyn TreeTarget>>,
    /// What tells a CDN in front of the folder which documents have changed. With a bucket, that does it.
    pub purger: Option<Arc<dyn TreeObserver>>,
}
