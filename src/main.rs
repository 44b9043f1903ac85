//! `skillmirror`: runs and manages a registry, and is its client.

mod cli;
mod client_commands;
mod config;
mod folder_overlap;
mod help;
mod long_running;
mod mirror_source;
mod open_registry;
mod operator;
mod output;
mod purge;
mod readings;
mod signer;
mod signing_keys;
mod stores;
mod supervisor;
mod target;
mod time_arg;
mod update_tree;

use std::process::ExitCode;

use registry::with_causes;

use cli::{Command, Folders};
use config::{Config, Source};
use operator::OperatorCommand;

/// With the allocator of glibc 2.36, memory grows by 150 KiB with every published package: the
/// large aligned blocks of the compressor leave holes between long-lived small ones, which
/// glibc does not reuse.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Any error. `main` prints its message and its causes.
type Failure = Box<dyn std::error::Error>;

fn main() -> ExitCode {
    let (folders, command) = cli::parse();
    match run(folders, command) {
        Ok(code) => code,
        Err(why) => {
            output::print_error(with_causes(&*why));
            ExitCode::FAILURE
        }
    }
}

fn run(folders: Folders, command: Command) -> Result<ExitCode, Failure> {
    let command = match command {
        // Client commands work in any folder, without a registry or settings of their own.
        Command::Client(command) => return Ok(command.run()),
        Command::Help(command) => return command.run(),
        Command::Operator(OperatorCommand::Verify(arguments)) if !arguments.paths.is_empty() => {
            return Ok(arguments.run());
        }
        Command::Operator(OperatorCommand::Token(command)) => {
            // These need no settings either.
            if let Some(code) = command.ask_registry(folders.name_a_registry()) {
                return Ok(code);
            }
            OperatorCommand::Token(command)
        }
        Command::Operator(command) => command,
    };
    let Folders { config: file, data, public, public_url } = folders;
    let mut config = Config::load(Source { file, data, public, public_url })?;
    // Checked for every command, before it opens anything.
    config.public = folder_overlap::keep_apart(&config.data, &config.public, "--public")?;
    command.run(config)
}
