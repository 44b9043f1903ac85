//! The log of long-running commands.

use std::io::{self, IsTerminal};

use serde::Deserialize;
use tracing::Level;
use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::layer::{Layer, SubscriberExt};
use tracing_subscriber::util::SubscriberInitExt;

/// How lines of the log are written.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LogFormat {
    /// For people.
    #[default]
    Text,
    /// A JSON object in each line, for programs that collect logs.
    Json,
}

/// Logs to standard error: level `info` and above, or as `RUST_LOG` says (`debug`, or
/// `warn,server=debug` to choose by crate).
pub fn log_to_standard_error(format: LogFormat) {
    let directives = std::env::var("RUST_LOG").ok().filter(|directives| !directives.is_empty());
    let from_environment = directives.and_then(|directives| directives.parse().ok());
    let filter = from_environment.unwrap_or_else(|| {
        // Below `error`, rmcp notes each message and each refusal. What the client of a store notes is told
        // in our own words when it fails.
        let default = Targets::new().with_default(Level::INFO).with_target("rmcp", Level::ERROR);
        default.with_target("object_store", LevelFilter::OFF)
    });
    let lines = tracing_subscriber::fmt::layer()
        .with_writer(io::stderr)
        // Reporting a failed write would write to standard error again, and panic there. With
        // a full disk that would abort requests.
        .log_internal_errors(false);
    let lines = match format {
        LogFormat::Text => lines.with_ansi(io::stderr().is_terminal()).boxed(),
        LogFormat::Json => {
            lines.json().flatten_event(true).with_current_span(true).with_span_list(false).boxed()
        }
    };
    tracing_subscriber::registry().with(lines.with_filter(filter)).init();
}
