//! What a long-running command tells while it runs.

use std::io::IsTerminal;

use tracing_subscriber::EnvFilter;

/// Sends events to standard error: those of `info` and above, or what `RUST_LOG`
/// says.
pub fn to_standard_error() {
    let filter = EnvFilter::try_from_default_env().unwrap_or_else(|_| EnvFilter::new("info"));
    let colour = std::io::stderr().is_terminal();
    tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(std::io::stderr)
        .with_ansi(colour)
        // Else a log on a full disk ends the request that has something to log:
        // the failure would be told where telling fails, which is a panic.
        .log_internal_errors(false)
        .init();
}
