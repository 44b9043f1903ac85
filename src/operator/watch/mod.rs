//! `skillmirror watch`: keeps the static tree up to date, from the journal or from another
//! tree's feed.

mod change_watcher;
mod feed;
mod journal;
mod mirror_state;
mod once;

use std::path::Path;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use clap::Args;
use server::metrics::Reading;

use crate::Failure;
use crate::config::Config;
use crate::operator::serve::listen_on;
use crate::output::{Printer, print};
use crate::process::log::log_to_standard_error;
use crate::process::long_running::shutdown_signal;
use crate::process::readings::of_folders;
use crate::process::supervisor::{self, State};
use crate::signing::signed_tree::Unsigned;
use crate::tree::mirror_source::{FollowArguments, MirrorSource};
use crate::tree::output_tree::TakeOver;

/// Keep the static tree up to date
///
/// Follows the journal, or with `--feed` the feed of another tree, until SIGTERM.
#[derive(Args)]
#[command(after_help = "
    watch                                                    # Write what `serve --no-mirror` publishes
    watch --feed https://skills.example.org --public mirror  # Keep a mirror
    watch --feed https://skills.example.org --min-age 3d     # Only versions that are three days old
")]
pub struct Arguments {
    /// Follow another tree's feed instead of the journal: its folder or URL
    #[arg(long, value_name = "DIR|URL")]
    feed: Option<MirrorSource>,
    /// Bring the tree up to date once, and end. The exit code is 1 if it is not
    #[arg(long)]
    pub once: bool,
    #[command(flatten)]
    follow: FollowArguments,
    #[command(flatten)]
    take_over: TakeOver,
    #[command(flatten)]
    unsigned: Unsigned,
}

/// Runs until SIGTERM or SIGINT.
pub fn run(config: &Config, arguments: &Arguments, printer: Printer) -> Result<ExitCode, Failure> {
    log_to_standard_error(config.log.format);
    if arguments.once {
        return once::run(config, arguments, printer);
    }
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let done = runtime.block_on(async {
        let shutdown = shutdown_signal()?;
        match &arguments.feed {
            Some(source) => feed::follow(config, source, arguments, shutdown).await,
            None => journal::follow(config, arguments.take_over, arguments.unsigned, shutdown).await,
        }
    });
    // Does not wait for an update that was cut short.
    runtime.shutdown_background();
    done.map(|()| ExitCode::SUCCESS)
}

/// Answers requests for metrics, if the settings name a listener, until the program ends.
fn serve_metrics(
    config: &Config,
    readings: impl Fn() -> Vec<Reading> + Send + Sync + 'static,
) -> Result<(), Failure> {
    let Some(address) = config.metrics.listen else { return Ok(()) };
    let listener = listen_on(address, "metrics.listen")?;
    // Without a reader, there is nobody to tell.
    let _ = print(&format!("metrics are at http://{}/metrics\n", listener.local_addr()?));
    let of_folders = of_folders(config);
    let readings = move || [readings(), of_folders()].concat();
    tokio::spawn(server::metrics::serve(listener, readings, std::future::pending()));
    Ok(())
}

/// Reports that the tree is up to date for the first time.
fn announce(public: &Path) {
    supervisor::tell(State::Ready);
    // Without a reader, there is nobody to tell.
    let _ = print(&format!("updating the static tree in {}\n", public.display()));
}

/// The least time between two lines about revisions.
const LINE_INTERVAL: Duration = Duration::from_secs(1);

/// Says at which revision the tree is, once a second at most. Call it again and again: a revision that comes
/// too early is said later.
#[derive(Default)]
struct RevisionLine {
    said: Option<(u64, Instant)>,
}

impl RevisionLine {
    /// Prints a line unless this revision was said already, or another one just now.
    fn show(&mut self, revision: u64) {
        if self.said.is_some_and(|(said, at)| said == revision || at.elapsed() < LINE_INTERVAL) {
            return;
        }
        self.said = Some((revision, Instant::now()));
        // Without a reader, there is nobody to tell.
        let _ = print(&format!("at revision {revision}\n"));
    }
}
