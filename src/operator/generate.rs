//! `skillmirror generate`: regenerates the whole tree.

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use clap::Args;
use generator::follower::FeedSource;
use generator::tree::{Claimant, Tree};
use registry::Registry;
use registry::journal::Revision;
use serde::Serialize;
use server::tree_updates::claimant;

use crate::Failure;
use crate::config::Config;
use crate::config::folder_overlap::keep_apart;
use crate::engines::{check_bucket, upload_tree};
use crate::output::Printer;
use crate::process::interrupt::explain_interrupt;
use crate::signing::signed_tree::Unsigned;
use crate::storage::new_folders::NewFolders;
use crate::storage::open_registry::open_existing;
use crate::tree::mirror_source::{FollowArguments, MirrorSource};
use crate::tree::output_tree::{TakeOver, check_tree, lock_tree, tree_publisher};

/// Write the whole static tree again
///
/// Writes it from the journal, or with `--feed` from the feed of another tree.
#[derive(Args)]
#[command(after_help = "
    generate                                                    # Write the tree again from the journal
    generate --out /srv/preview                                 # Into another folder
    generate --feed https://skills.example.org --public mirror  # A mirror of another registry, once
")]
pub struct Arguments {
    /// Generate into this folder instead of the output folder
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Generate from another tree's feed instead of the journal: its folder or URL
    #[arg(long, value_name = "DIR|URL")]
    feed: Option<MirrorSource>,
    #[command(flatten)]
    follow: FollowArguments,
    #[command(flatten)]
    take_over: TakeOver,
    #[command(flatten)]
    unsigned: Unsigned,
}

/// A tree, for programs.
#[derive(Serialize)]
pub struct TreeAt {
    pub folder: String,
    /// The last public revision in it.
    pub revision: Revision,
}

/// What the tree is generated from.
enum Origin {
    Feed(Arc<dyn FeedSource>),
    Journal(Arc<Registry>),
}

/// Runs the command.
pub fn run(config: &Config, arguments: &Arguments, printer: Printer) -> Result<ExitCode, Failure> {
    let (folder, option) = match &arguments.out {
        Some(out) => (keep_apart(&config.data, out, "--out")?, "--out"),
        None => (config.public.clone(), "--public"),
    };
    // Comes before the lock, which creates the folder.
    let origin = match &arguments.feed {
        Some(feed) => Origin::Feed(feed.follow(config, &folder, option)?),
        None => Origin::Journal(open_existing(config)?.registry),
    };
    let claimant = match &origin {
        Origin::Feed(_) => Claimant::Mirror,
        Origin::Journal(registry) => {
            let Arguments { take_over, unsigned, .. } = *arguments;
            check_tree(config, registry, &Tree::at(&folder), take_over, unsigned)?;
            if folder == config.public {
                check_bucket(config, registry, take_over, unsigned)?;
            }
            claimant(registry)
        }
    };
    let _new = NewFolders::of_tree(&folder);
    explain_interrupt(format!(
        "the tree in {} is not complete: run the command again to go on",
        folder.display()
    ));
    let locked = lock_tree(&folder, "--out", &claimant, arguments.take_over)?;
    let revision = match origin {
        Origin::Feed(source) => {
            let mut follower = arguments.follow.open(config, source, locked, arguments.take_over)?;
            let revision = follower.generate()?;
            follower.persist()?;
            revision
        }
        Origin::Journal(registry) => {
            let mut publisher = tree_publisher(config, &registry, locked, true)?;
            let revision = publisher.generate()?;
            publisher.persist()?;
            revision
        }
    };
    upload_tree(config, &folder, claimant, arguments.take_over)?;
    let folder = folder.display().to_string();
    printer
        .report(format!("generated {folder} up to revision {revision}\n"), &TreeAt { folder, revision })?;
    Ok(ExitCode::SUCCESS)
}
