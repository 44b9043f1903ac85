//! `skillmirror watch`: keeps the static tree while it runs, from the journal of
//! the data folder or from another tree's feed.

mod change_watcher;
mod feed;
mod journal;

use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

use clap::Args;
use tokio::signal::unix::{SignalKind, signal};

use crate::Failure;
use crate::config::Config;
use crate::logging;
use crate::mirror_source::Feed;

/// What to follow.
#[derive(Args)]
pub struct Arguments {
    /// Follow a published tree instead of the journal: its folder, or its address
    #[arg(long, value_name = "DIR|URL")]
    feed: Option<Feed>,
}

/// Runs until SIGTERM or SIGINT.
pub fn run(config: &Config, arguments: &Arguments) -> Result<ExitCode, Failure> {
    logging::to_standard_error();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        // Taken first, so that a signal during a long start is not lost.
        let mut terminate = signal(SignalKind::terminate())?;
        let mut interrupt = signal(SignalKind::interrupt())?;
        let asked_to_end = async move {
            tokio::select! {
                _ = terminate.recv() => {}
                _ = interrupt.recv() => {}
            }
        };
        match &arguments.feed {
            Some(source) => feed::follow(config, source, asked_to_end).await,
            None => journal::follow(config, asked_to_end).await,
        }
    })?;
    Ok(ExitCode::SUCCESS)
}

/// Says that the tree is up to date for the first time.
fn announce(public: &Path) {
    println!("keeping the static tree in {}", public.display());
    // Whoever has closed the pipe does not want to know.
    let _ = std::io::stdout().flush();
}
