//! Logging and signals of long-running commands.

use std::io::{self, IsTerminal};

use tokio::signal::unix::{Signal, SignalKind, signal};
use tracing::Level;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::layer::{Layer, SubscriberExt};
use tracing_subscriber::util::SubscriberInitExt;

/// Logs to standard error: level `info` and above, or as `RUST_LOG` says (`debug`, or
/// `warn,server=debug` to choose by crate).
pub fn log_to_standard_error() {
    let directives = std::env::var("RUST_LOG").ok().filter(|directives| !directives.is_empty());
    let from_environment = directives.and_then(|directives| directives.parse().ok());
    let filter = from_environment.unwrap_or_else(|| Targets::new().with_default(Level::INFO));
    let lines = tracing_subscriber::fmt::layer()
        .with_writer(io::stderr)
        .with_ansi(io::stderr().is_terminal())
        // Reporting a failed write would write to standard error again, and panic there. With
        // a full disk that would abort requests.
        .log_internal_errors(false);
    tracing_subscriber::registry().with(lines.with_filter(filter)).init();
}

/// Every SIGHUP from now on. Call it first: without it the signal ends the process, and `verify`
/// tells people to send it, also during a long start.
pub fn hangups() -> io::Result<Signal> {
    signal(SignalKind::hangup())
}

/// Calls `repair` for each SIGHUP. Never returns.
pub async fn at_hangup(mut hangups: Signal, mut repair: impl FnMut()) {
    loop {
        hangups.recv().await;
        repair();
    }
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
