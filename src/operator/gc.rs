//! `skillmirror gc`: packages that nothing names are removed.

use std::process::ExitCode;
use std::time::Duration;

use clap::Args;

use crate::Failure;
use crate::config::Config;
use crate::open_registry::open_existing;
use crate::time_arg::duration;

/// What to remove.
#[derive(Args)]
pub struct Arguments {
    /// Only what was stored this long ago. Less than an upload takes removes
    /// the packages of publications under way
    #[arg(long, value_name = "TIME", value_parser = age, default_value = "1d", hide = true)]
    older_than: Duration,
}

/// Reads a span of time, which may be none.
fn age(text: &str) -> Result<Duration, String> {
    if text == "0" { Ok(Duration::ZERO) } else { duration(text) }
}

/// Runs the command.
pub fn run(config: &Config, arguments: &Arguments) -> Result<ExitCode, Failure> {
    let registry = open_existing(config)?.registry;
    let collected = registry.collect_garbage(arguments.older_than)?;
    for blob in &collected.removed {
        println!("removed {} ({} bytes)", blob.digest, blob.size);
    }
    let bytes: u64 = collected.removed.iter().map(|blob| blob.size).sum();
    if !collected.is_complete {
        return Err("another process reads or removes packages: try again when it has ended".into());
    }
    match collected.removed.len() {
        0 => {
            println!("every package is named by a version, or was stored a short time ago: nothing to remove")
        }
        1 => println!("removed 1 package that no version names, of {bytes} bytes"),
        many => println!("removed {many} packages that no version names, of {bytes} bytes"),
    }
    Ok(ExitCode::SUCCESS)
}
