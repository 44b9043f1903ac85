//! The sections `review` and `scan.NAME`: which findings wait for a person, and the scanners.

use std::time::Duration;

use registry::package::Level;
use serde::Deserialize;

use super::number::seconds;
use super::path::command;

/// The most seconds that a scanner may take.
const HOUR: u64 = 60 * 60;

/// The lowest level of a finding with which a publication waits for a person.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum WaitLevel {
    /// Nothing waits.
    Never,
    /// Notes wait, and what is higher.
    Note,
    /// Warnings and errors wait.
    Warning,
    /// Errors wait.
    #[default]
    Error,
}

/// The section `review`.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ReviewSection {
    wait_level: WaitLevel,
}

impl ReviewSection {
    /// The names of its settings.
    pub const SETTINGS: &[&str] = &["wait_level"];

    /// The lowest level that waits. None: nothing waits.
    pub fn wait_level(&self) -> Option<Level> {
        match self.wait_level {
            WaitLevel::Never => None,
            WaitLevel::Note => Some(Level::Note),
            WaitLevel::Warning => Some(Level::Warning),
            WaitLevel::Error => Some(Level::Error),
        }
    }
}

/// How to learn the version of a scanner: a text, or a command that prints it.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(untagged)]
pub enum ScannerVersion {
    /// The version.
    Text(String),
    /// A program and its arguments.
    Command(Vec<String>),
}

/// One scanner.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ScanSection {
    /// The program and its arguments. `{folder}` is replaced by the folder with the package.
    #[serde(deserialize_with = "command")]
    pub command: Vec<String>,
    /// Its version.
    pub version: ScannerVersion,
    /// Whether it prints SARIF.
    #[serde(default)]
    pub sarif: bool,
    /// How long it may take.
    #[serde(default = "default_timeout", deserialize_with = "seconds::<_, 1, HOUR>")]
    pub timeout: Duration,
}

fn default_timeout() -> Duration {
    Duration::from_secs(60)
}
