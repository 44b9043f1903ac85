//! The commands for those who run a registry. They work on its data folder, its output
//! folder, or both.

pub mod audit;
pub mod count_downloads;
pub mod downloads;
pub mod gc;
pub mod generate;
pub mod hosts;
pub mod import;
pub mod journal;
pub mod key;
mod open_files;
pub mod serve;
pub mod snapshot;
pub mod token;
pub mod upgrade;
pub mod user;
pub mod verify;
pub mod watch;

use std::process::ExitCode;

use client::ClientError;
use registry::with_causes;

use crate::Failure;
use crate::config::{Config, Source};
use crate::folders::Folders;
use crate::output::Printer;

/// Runs a command with the settings of the registry that `folders` names. Prints why it fails.
pub fn run_in(
    folders: Folders,
    command: impl FnOnce(Config, Printer) -> Result<ExitCode, Failure>,
) -> ExitCode {
    let Folders { config: file, data, public, public_url, json } = folders;
    let printer = Printer { as_json: json };
    let config = Config::load(Source { file, data, public, public_url, listen: None });
    config.map_err(Failure::from).and_then(|config| command(config, printer)).unwrap_or_else(|why| {
        let code = why.downcast_ref::<ClientError>().map_or("failed", ClientError::code);
        printer.failure(code, with_causes(&*why));
        ExitCode::FAILURE
    })
}
