//! PostgreSQL, object stores and CDNs: what the feature `engines` adds to a registry in a folder.
//!
//! Without the feature, `absent` has the same types and functions. Its addresses have no values, because
//! parsing them fails with the command that builds the rest.

use std::sync::Arc;

use generator::tree::{Fault, TreeObserver, TreeTarget};
use serde::Serialize;

// Its messages are tested in every build.
#[cfg(any(test, not(feature = "engines")))]
#[cfg_attr(feature = "engines", allow(dead_code))]
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
    purge::PurgeKind,
    stores::{
        bucket_journal, bucket_packages, claimed_packages, has_bucket_journal, has_database_journal,
        open_database,
    },
    target::{bucket_source, check_bucket, mirror_followers, registry_followers, upload_tree},
    verify::compare_bucket,
};
#[cfg(feature = "engines")]
pub use bucket::{KeyStyle, TargetUrl, purge::PurgeBy};
#[cfg(feature = "engines")]
pub use postgres_store::Address;

/// The places elsewhere that follow the output folder.
#[derive(Debug, Default)]
pub struct Followers {
    /// The bucket.
    pub target: Option<Arc<dyn TreeTarget>>,
    /// What tells a CDN in front of the folder which documents have changed. With a bucket, that does it.
    pub purger: Option<Arc<dyn TreeObserver>>,
}

/// The bucket of the settings beside the tree.
#[derive(Debug)]
pub struct ComparedBucket {
    /// Its address.
    pub name: String,
    pub differences: Vec<ObjectDifference>,
}

/// An object that differs from its file.
#[derive(Debug, Serialize)]
pub struct ObjectDifference {
    /// The key below the prefix.
    pub key: String,
    pub fault: Fault,
}
