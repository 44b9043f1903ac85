//! Compares the bucket of the settings with the tree.

use std::time::Duration;

use bucket::compare;
use generator::tree::Tree;

use super::target::target;
use super::{ComparedBucket, ObjectDifference};
use crate::Failure;
use crate::config::Config;

/// How often a bucket that differs is compared again, and the pause between.
const MAX_ROUNDS: usize = 10;
const INTERVAL: Duration = Duration::from_secs(2);

/// How the bucket of the settings differs from the tree. While another process writes both, a difference counts
/// that stays. None if the settings name no bucket.
pub fn compare_bucket(config: &Config) -> Result<Option<ComparedBucket>, Failure> {
    let (Some(target), tree) = (target(config)?, Tree::at(&config.public)) else { return Ok(None) };
    let mut differences = compare(&target, &tree)?;
    for _ in 0..MAX_ROUNDS {
        if differences.is_empty() || tree.lock()?.is_some() {
            break;
        }
        std::thread::sleep(INTERVAL);
        let now = compare(&target, &tree)?;
        differences.retain(|difference| now.contains(difference));
    }
    let differences = differences.into_iter().map(|it| ObjectDifference { key: it.key, fault: it.fault });
    Ok(Some(ComparedBucket { name: target.name().to_owned(), differences: differences.collect() }))
}
