//! `skillmirror`: runs and manages a registry, and is its client.

// Without engines, their addresses have no values, so the code after one never runs.
#![cfg_attr(not(feature = "engines"), allow(dead_code, unreachable_code))]

mod cli;
mod client_commands;
mod commands;
mod confirmation;
mod duration_arg;
mod help;
mod log;
mod output;
mod skill_argument;

// What only the commands need that run a registry.
#[cfg(feature = "operator")]
mod access;
#[cfg(feature = "operator")]
mod config;
#[cfg(feature = "operator")]
mod engines;
#[cfg(feature = "operator")]
mod fed_command;
#[cfg(feature = "operator")]
mod folders;
#[cfg(feature = "operator")]
mod followers;
#[cfg(feature = "operator")]
mod interrupt;
#[cfg(feature = "operator")]
mod long_running;
#[cfg(feature = "operator")]
mod mirror_source;
#[cfg(feature = "operator")]
mod new_folders;
#[cfg(feature = "operator")]
mod open_registry;
#[cfg(feature = "operator")]
mod operator;
#[cfg(feature = "operator")]
mod output_tree;
#[cfg(feature = "operator")]
mod purger;
#[cfg(feature = "operator")]
mod readings;
#[cfg(feature = "operator")]
mod signing;
#[cfg(feature = "operator")]
mod snapshot_file;
#[cfg(feature = "operator")]
mod stores;
#[cfg(feature = "operator")]
mod supervisor;
#[cfg(feature = "operator")]
mod time_arg;
#[cfg(feature = "operator")]
mod tree_progress;
#[cfg(feature = "operator")]
mod update_tree;

use std::process::ExitCode;

use registry::with_causes;

use cli::CommandLine;
use commands::Command;

/// With the allocator of glibc 2.36, memory grows by 150 KiB with every published package: the
/// large aligned blocks of the compressor leave holes between long-lived small ones, which
/// glibc does not reuse.
#[cfg(feature = "operator")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Any error. `main` prints its message and its causes.
type Failure = Box<dyn std::error::Error>;

fn main() -> ExitCode {
    match run(cli::parse()) {
        Ok(code) => code,
        Err(why) => {
            output::print_error(with_causes(&*why));
            ExitCode::FAILURE
        }
    }
}

fn run(line: CommandLine) -> Result<ExitCode, Failure> {
    let CommandLine { command, folders } = line;
    Ok(match command {
        Command::Use(command) => command.run(folders),
        Command::Write(command) => command.run(),
        Command::Team(command) => command.run(folders),
        #[cfg(feature = "operator")]
        Command::Run(command) => command.run(folders),
        #[cfg(feature = "operator")]
        Command::Mirror(command) => command.run(folders),
        Command::Program(command) => command.run(cli::command())?,
    })
}
