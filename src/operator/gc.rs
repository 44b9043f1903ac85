//! `skillmirror gc`: removes packages that no version uses.

use std::process::ExitCode;
use std::time::Duration;

use clap::Args;

use crate::Failure;
use crate::arguments::duration_arg::duration;
use crate::config::Config;
use crate::output::Printer;
use crate::storage::open_registry::open_existing;

/// Remove packages that no version uses any more
#[derive(Args)]
#[command(after_help = "
    gc                              # Remove packages that no version uses
    gc --data /var/lib/skillmirror  # Of another data folder
    gc --config registry.toml       # With the settings of a file
")]
pub struct Arguments {
    /// Only packages stored this long ago. Less than the time of an upload removes the packages of
    /// publications under way
    #[arg(long, value_name = "TIME", value_parser = age, default_value = "1d", hide = true)]
    older_than: Duration,
}

/// Parses a duration, which may be 0.
fn age(text: &str) -> Result<Duration, String> {
    if text == "0" { Ok(Duration::ZERO) } else { duration(text) }
}

/// Runs the command.
pub fn run(config: &Config, arguments: &Arguments, printer: Printer) -> Result<ExitCode, Failure> {
    let registry = open_existing(config)?.registry;
    let collected = registry.collect_garbage(arguments.older_than)?;
    let removed = &collected.removed;
    let mut text: String =
        removed.iter().map(|blob| format!("removed {} ({} bytes)\n", blob.digest, blob.size)).collect();
    let bytes: u64 = removed.iter().map(|blob| blob.size).sum();
    if collected.is_complete {
        text += &match removed.len() {
            0 => "nothing to remove: every package is used by a version, or was stored recently\n".to_owned(),
            1 => format!("removed 1 unused package ({bytes} bytes)\n"),
            many => format!("removed {many} unused packages ({bytes} bytes)\n"),
        };
    }
    printer.report(text, &collected)?;
    if !collected.is_complete {
        return Err("another process is reading or removing packages: try again when it has finished".into());
    }
    Ok(ExitCode::SUCCESS)
}
