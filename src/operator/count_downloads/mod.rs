//! `skillmirror count-downloads`: counts downloads in the access logs of hosts.

mod classify;
mod line;
mod log;
mod log_counter;
mod report;
mod tally;

use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use indicatif::ProgressBar;
use registry::with_causes;

use crate::Failure;
use crate::config::Config;
use crate::output::{Printer, escape_line, progress_bar};
use crate::storage::open_registry::open_existing;
use log_counter::LogCounter;
use report::Report;
use tally::Tally;

/// Count downloads in the access logs of hosts
///
/// Hosts that serve the static tree count nothing themselves. No line is counted twice.
#[derive(Args)]
#[command(after_help = "
    count-downloads /var/log/nginx/access.log   # Count the logs of nginx
    count-downloads access.log access.log.1.gz  # Also rotated ones; none is counted twice
    count-downloads access.log --json           # For programs
")]
pub struct Arguments {
    /// Access logs in common or combined format, or in JSON lines, optionally compressed with gzip
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
}

/// The size from which a file gets a progress bar: 16 MiB.
const LARGE_BYTES: u64 = 16 << 20;

/// Runs the command. The exit code is 1 if a file could not be read to its end.
pub fn run(config: &Config, arguments: &Arguments, printer: Printer) -> Result<ExitCode, Failure> {
    let opened = open_existing(config)?;
    let public = opened.registry.public();
    let mut report = Report::default();
    {
        let catalog = public.read();
        let base_path =
            config.private_namespace.as_ref().map_or(String::new(), |namespace| format!("/-/{namespace}"));
        for path in &arguments.files {
            let counter = LogCounter {
                local: &opened.local,
                catalog: &catalog,
                base_path: base_path.clone(),
                bar: bar(path),
            };
            let mut tally = Tally::default();
            let outcome = counter.count(path, &mut tally);
            counter.bar.finish_and_clear();
            let error = match outcome.map_err(|why| why.downcast::<io::Error>()) {
                Ok(()) => None,
                Err(Ok(why)) => Some(why.to_string()),
                // The counts cannot be saved, so the next file would fail too.
                Err(Err(why)) => return Err(format!("{}: {}", path.display(), with_causes(&*why)).into()),
            };
            report.add(path, tally, error);
        }
        printer.report(report.text(), &report.record(&catalog))?;
    }
    Ok(if report.is_complete() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// A progress bar for a large file, hidden for others.
fn bar(path: &Path) -> ProgressBar {
    let size = path.metadata().map_or(0, |found| found.len());
    if size < LARGE_BYTES {
        return ProgressBar::hidden();
    }
    let bar = progress_bar(size, "{bar:30} {bytes}/{total_bytes} {wide_msg}");
    bar.with_message(escape_line(path.display()))
}
