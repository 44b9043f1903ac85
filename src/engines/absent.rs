//! A build without the feature `engines`. It refuses every setting that needs one.

use std::fmt;
use std::path::Path;
use std::str::FromStr;
use std::sync::Arc;

use generator::follower::FeedSource;
use generator::tree::{Claimant, Tree, TreeTarget};
use registry::Registry;
use registry::journal::{Blobs, Journal};
use registry::local::LocalStore;
use serde::de::{Error as _, IgnoredAny};
use serde::{Deserialize, Deserializer};

use super::ComparedBucket;
use crate::Failure;
use crate::config::Config;
use crate::open_registry::TakeOver;
use crate::purger::Purger;
use crate::signing::signed_tree::Unsigned;

/// Why an address or a setting is refused.
const MISSING: &str = "this program was built without databases and object stores: build it with \
                       `cargo build --release --features engines`";

/// The address of a bucket. It has no value, because this build cannot use one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TargetUrl {}

/// The address of a database. It has no value, because this build cannot use one.
#[derive(Debug, Clone)]
pub enum Address {}

/// Settings without effect, because the setting that needs them is refused.
pub type KeyStyle = IgnoredAny;

impl TargetUrl {
    /// Whether a text has the scheme of a bucket.
    pub fn is_one(text: &str) -> bool {
        ["s3://", "gs://", "az://"].iter().any(|scheme| text.starts_with(scheme))
    }
}

impl FromStr for TargetUrl {
    type Err = String;

    fn from_str(_: &str) -> Result<Self, String> {
        Err(MISSING.to_owned())
    }
}

impl<'de> Deserialize<'de> for TargetUrl {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        IgnoredAny::deserialize(from)?;
        Err(D::Error::custom(MISSING))
    }
}

impl fmt::Display for TargetUrl {
    fn fmt(&self, _: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {}
    }
}

impl Address {
    /// Sets the password.
    #[must_use]
    pub fn with_password(self, _: &str) -> Self {
        self
    }
}

impl FromStr for Address {
    type Err = String;

    fn from_str(_: &str) -> Result<Self, String> {
        Err(MISSING.to_owned())
    }
}

impl fmt::Display for Address {
    fn fmt(&self, _: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {}
    }
}

pub fn registry_target(
    _: &Config,
    _: &Registry,
    _: TakeOver,
    _: Unsigned,
    _: Option<&Purger>,
) -> Result<Option<Arc<dyn TreeTarget>>, Failure> {
    Ok(None)
}

pub fn mirror_target(
    _: &Config,
    _: &Tree,
    _: TakeOver,
    _: Option<&Purger>,
) -> Result<Option<Arc<dyn TreeTarget>>, Failure> {
    Ok(None)
}

pub fn check_bucket(_: &Config, _: &Registry, _: TakeOver, _: Unsigned) -> Result<(), Failure> {
    Ok(())
}

pub fn upload_tree(_: &Config, _: &Path, _: Claimant, _: TakeOver) -> Result<(), Failure> {
    Ok(())
}

pub fn compare_bucket(_: &Config) -> Result<Option<ComparedBucket>, Failure> {
    Ok(None)
}

pub fn bucket_source(url: &TargetUrl) -> Result<Arc<dyn FeedSource>, String> {
    match *url {}
}

pub fn open_database(address: Address) -> Result<(Arc<dyn Journal>, LocalStore), Failure> {
    match address {}
}

pub fn has_database_journal(address: Address) -> Result<bool, Failure> {
    match address {}
}

pub fn bucket_packages(
    _: &Config,
    url: &TargetUrl,
    _: &Arc<dyn Journal>,
    _: bool,
) -> Result<Arc<dyn Blobs>, Failure> {
    match *url {}
}

pub fn claimed_packages(
    _: &Config,
    url: &TargetUrl,
    _: &Arc<dyn Journal>,
) -> Result<Arc<dyn Blobs>, Failure> {
    match *url {}
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_refused_with_the_command_that_builds_them() {
        let settings: Result<TargetUrl, _> = serde_json::from_str(r#""s3://skills/tree""#);
        for why in [
            "s3://skills/tree".parse::<TargetUrl>().unwrap_err(),
            "postgres://skills@db/skills".parse::<Address>().unwrap_err(),
            settings.unwrap_err().to_string(),
        ] {
            assert!(why.contains("`cargo build --release --features engines`"), "{why}");
        }
    }
}
