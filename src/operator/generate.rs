//! `skillmirror generate`: the whole tree, made anew.

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use clap::Args;
use generator::follower::{FeedSource, Follower};
use generator::tree::Tree;
use generator::{Sources, TreePublisher};
use registry::Registry;

use crate::Failure;
use crate::config::Config;
use crate::folder_overlap::keep_apart;
use crate::mirror_source::Feed;
use crate::open_registry::open_existing;

/// How to generate.
#[derive(Args)]
pub struct Arguments {
    /// Into another folder than the configured output folder
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// From another tree's feed and packages instead of the journal: its folder, or its address
    #[arg(long, value_name = "DIR|URL")]
    feed: Option<Feed>,
}

/// What the tree is made from.
enum From {
    Feed(Arc<dyn FeedSource>),
    Journal(Arc<Registry>),
}

/// Runs the command.
pub fn run(config: &Config, arguments: &Arguments) -> Result<ExitCode, Failure> {
    let (folder, option) = match &arguments.out {
        Some(out) => (keep_apart(&config.data, out, "--out")?, "--out"),
        None => (config.public.clone(), "--public"),
    };
    // Before the lock, which makes the folder.
    let from = match &arguments.feed {
        Some(feed) => From::Feed(feed.open(&folder, option)?),
        None => From::Journal(open_existing(config)?.registry),
    };
    let Some(locked) = Tree::at(&folder).lock()? else {
        let shown = folder.display();
        return Err(format!(
            "another process keeps {shown}: stop it first, or generate into another folder with --out DIR"
        )
        .into());
    };
    let revision = match from {
        From::Feed(source) => {
            let mut follower =
                Follower::open(source, locked, config.search_retention(), config.public_url.clone())?;
            let revision = follower.generate()?;
            while follower.write_answers()? {}
            follower.persist()?;
            revision
        }
        From::Journal(registry) => {
            let settings = config.tree_settings(locked.tree());
            let sources = Sources::new(registry.public(), registry.store(), &settings);
            let mut mirror = TreePublisher::new(sources, settings, locked, config.search_retention());
            let revision = mirror.generate()?;
            mirror.write_all_answers()?;
            mirror.persist()?;
            revision
        }
    };
    println!("{} holds everything up to revision {revision}", folder.display());
    Ok(ExitCode::SUCCESS)
}
