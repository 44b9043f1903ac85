//! A build without the feature `engines`: its settings name no store outside of the data folder.

use std::path::Path;
use std::sync::Arc;

use generator::follower::FeedSource;
use generator::tree::{Claimant, Tree, TreeTarget};
use registry::Registry;
use registry::journal::{Blobs, Journal};
use registry::local::LocalStore;

use super::ComparedBucket;
use super::absent_address::{Address, TargetUrl};
use crate::Failure;
use crate::config::Config;
use crate::signing::signed_tree::Unsigned;
use crate::tree::output_tree::TakeOver;
use crate::tree::purger::Purger;

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
