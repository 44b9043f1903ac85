//! Logging of long-running commands.

use std::io::IsTerminal;

use tracing_subscriber::EnvFilter;

/// Logs to standard error, from level `info` or as `RUST_LOG` says.
pub fn to_standard_error() {
    let filter = EnvFilter::try_from_default_env().unwrap_or_else(|_| EnvFilter::new("info"));
    let color = std::io::stderr().is_terminal();
    tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(std::io::stderr)
        .with_ansi(color)
        // Reporting a failed write would write to standard error again, and panic there. With
        // a full disk that would abort requests.
        .log_internal_errors(false)
        .init();
}
