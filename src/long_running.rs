//! Logging and signals of long-running commands.

use std::io::{self, IsTerminal};

use tokio::signal::unix::{SignalKind, signal};
use tracing_subscriber::EnvFilter;

/// Logs to standard error, from level `info` or as `RUST_LOG` says.
pub fn log_to_standard_error() {
    let filter = EnvFilter::try_from_default_env().unwrap_or_else(|_| EnvFilter::new("info"));
    let color = io::stderr().is_terminal();
    tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(io::stderr)
        .with_ansi(color)
        // Reporting a failed write would write to standard error again, and panic there. With
        // a full disk that would abort requests.
        .log_internal_errors(false)
        .init();
}

/// Waits for SIGTERM or SIGINT. Call it first, so that no signal during a long start is lost.
pub fn shutdown_signal() -> io::Result<impl Future<Output = ()>> {
    let mut terminate = signal(SignalKind::terminate())?;
    let mut interrupt = signal(SignalKind::interrupt())?;
    Ok(async move {
        tokio::select! {
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
        }
    })
}
