//! The time that a command takes.

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::Failure;

/// Runs a command to its end, without input, and without showing what it prints.
///
/// Errors: it cannot be started, or it fails.
pub fn timed(command: &mut Command) -> Result<Duration, Failure> {
    command.stdin(Stdio::null()).stdout(Stdio::null());
    let start = Instant::now();
    let status = command.status().map_err(|why| format!("{command:?}: {why}: use benches/run"))?;
    let took = start.elapsed();
    if status.success() { Ok(took) } else { Err(format!("{command:?} ended with {status}").into()) }
}
