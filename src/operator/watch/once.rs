//! `skillmirror watch --once`: brings the tree up to date and ends, for a timer.

use std::process::ExitCode;

use generator::tree::{Claimant, Tree};
use server::tree_updates::claimant;

use super::Arguments;
use crate::Failure;
use crate::config::Config;
use crate::engines::{check_bucket, upload_tree};
use crate::operator::generate::TreeAt;
use crate::output::Printer;
use crate::storage::new_folders::NewFolders;
use crate::storage::open_registry::open_existing;
use crate::tree::output_tree::{check_tree, lock_tree, tree_publisher};

/// Brings the tree and its bucket up to date. Fails if that is not possible now.
pub fn run(config: &Config, arguments: &Arguments, printer: Printer) -> Result<ExitCode, Failure> {
    let take_over = arguments.take_over;
    let claimant = match &arguments.feed {
        Some(feed) => {
            let source = feed.follow(config, &config.public, "--public")?;
            let _new = NewFolders::of_tree(&config.public);
            let locked = lock_tree(&config.public, "--public", &Claimant::Mirror, take_over)?;
            let mut follower = arguments.follow.open(config, source, locked, take_over)?;
            follower.catch_up()?;
            follower.expire()?;
            follower.persist()?;
            Claimant::Mirror
        }
        None => {
            let registry = open_existing(config)?.registry;
            check_tree(config, &registry, &Tree::at(&config.public), take_over, arguments.unsigned)?;
            check_bucket(config, &registry, take_over, arguments.unsigned)?;
            let claimant = claimant(&registry);
            let locked = lock_tree(&config.public, "--public", &claimant, take_over)?;
            let mut publisher = tree_publisher(config, &registry, locked, true)?;
            publisher.catch_up()?;
            publisher.expire()?;
            publisher.persist()?;
            claimant
        }
    };
    upload_tree(config, &config.public, claimant, take_over)?;
    let revision = Tree::at(&config.public).head().map_or(0, |head| head.revision);
    let folder = config.public.display().to_string();
    printer.report(format!("{folder} is at revision {revision}\n"), &TreeAt { folder, revision })?;
    Ok(ExitCode::SUCCESS)
}
