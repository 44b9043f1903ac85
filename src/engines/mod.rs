//! PostgreSQL and object stores: what the feature `engines` adds to a registry in a folder.
//!
//! Without the feature, `absent` has the same functions, and `absent_address` the same types.

use generator::tree::Fault;
use serde::Serialize;

#[cfg(not(feature = "engines"))]
mod absent;
// Its messages are tested in every build.
#[cfg(any(test, not(feature = "engines")))]
#[cfg_attr(feature = "engines", allow(dead_code))]
mod absent_address;
#[cfg(feature = "engines")]
mod database;
#[cfg(feature = "engines")]
mod packages;
#[cfg(feature = "engines")]
mod target;
#[cfg(feature = "engines")]
mod verify;

#[cfg(not(feature = "engines"))]
pub use self::{
    absent::{
        bucket_packages, bucket_source, check_bucket, claimed_packages, compare_bucket, has_database_journal,
        mirror_target, open_database, registry_target, upload_tree,
    },
    absent_address::{Address, KeyStyle, TargetUrl},
};
#[cfg(feature = "engines")]
pub use self::{
    database::{has_database_journal, open_database},
    packages::{bucket_packages, claimed_packages},
    target::{bucket_source, check_bucket, mirror_target, registry_target, upload_tree},
    verify::compare_bucket,
};
#[cfg(feature = "engines")]
pub use bucket::{KeyStyle, TargetUrl};
#[cfg(feature = "engines")]
pub use postgres_store::Address;

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
