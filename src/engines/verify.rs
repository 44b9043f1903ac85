//! Compares the bucket of the settings with the tree.

use std::process::ExitCode;
use std::time::Duration;

use bucket::{ObjectDifference, compare};
use generator::tree::Tree;

use super::target::target;
use crate::Failure;
use crate::config::Config;
use crate::output::{print, print_error};

/// How often a bucket that differs is compared again, and the pause between.
const MAX_ROUNDS: usize = 10;
const INTERVAL: Duration = Duration::from_secs(2);

/// Compares the bucket of the settings with the tree. While another process writes both, a difference
/// counts that stays.
pub fn verify_bucket(config: &Config) -> Result<ExitCode, Failure> {
    let (Some(target), tree) = (target(config)?, Tree::at(&config.public)) else {
        return Ok(ExitCode::SUCCESS);
    };
    let mut differences = compare(&target, &tree)?;
    for _ in 0..MAX_ROUNDS {
        if differences.is_empty() || tree.lock()?.is_some() {
            break;
        }
        std::thread::sleep(INTERVAL);
        let now = compare(&target, &tree)?;
        differences.retain(|difference| now.contains(difference));
    }
    let name = target.name();
    if differences.is_empty() {
        print(&format!("{name} matches the tree\n"))?;
        return Ok(ExitCode::SUCCESS);
    }
    let line = |it: &ObjectDifference| format!("{:10} {name}/{}\n", it.fault, it.key);
    print(&differences.iter().map(line).collect::<String>())?;
    print_error(format_args!(
        "{} objects in {name} differ from the tree: to repair the bucket, run `skillmirror generate`, or send SIGHUP to \
         the process that keeps the tree",
        differences.len()
    ));
    Ok(ExitCode::FAILURE)
}
