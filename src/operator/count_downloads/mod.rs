//! `skillmirror count-downloads`: what hosts have served, from their logs.

mod classify;
mod counter;
mod line;
mod log;
mod report;
mod tally;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};

use crate::Failure;
use crate::config::Config;
use crate::open_registry::open_existing;
use counter::{LogCounter, ReadError};
use report::Report;
use tally::Tally;

/// What to count.
#[derive(Args)]
pub struct Arguments {
    /// Access logs, compressed with gzip or not: common or combined format, or JSON
    /// in lines
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Print one object of JSON
    #[arg(long)]
    json: bool,
}

/// Files from this size on (bytes) have a progress bar.
const LARGE: u64 = 16 << 20;

/// Runs the command. Exit code 1 where a file could not be read to its end.
pub fn run(config: &Config, arguments: &Arguments) -> Result<ExitCode, Failure> {
    let opened = open_existing(config)?;
    let public = opened.registry.public();
    let mut report = Report::default();
    {
        let catalog = public.read();
        for path in &arguments.files {
            let counter = LogCounter { local: &opened.local, catalog: &catalog, bar: bar(path) };
            let mut tally = Tally::default();
            let outcome = counter.count(path, &mut tally);
            counter.bar.finish_and_clear();
            let why = match outcome {
                Ok(()) => None,
                Err(ReadError::File(why)) => Some(why.to_string()),
                // The next file would fare no better.
                Err(ReadError::Store(why)) => return Err(format!("{}: {why}", path.display()).into()),
            };
            report.add(path, tally, why);
        }
        if arguments.json { report.print_json(&catalog) } else { report.print() }
    }
    Ok(if report.is_complete() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// A bar on a terminal where the file is large; nothing elsewhere.
fn bar(path: &Path) -> ProgressBar {
    let size = path.metadata().map_or(0, |found| found.len());
    if size < LARGE {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template("{bar:30} {bytes}/{total_bytes} {wide_msg}");
    let bar = ProgressBar::new(size).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
    bar.with_message(crate::output::escape_line(path.display()))
}
