//! `skillmirror`: runs and manages a registry, and is its client.

// Without engines, their addresses have no values, so the code after one never runs.
#![cfg_attr(not(feature = "engines"), allow(dead_code, unreachable_code))]

mod arguments;
mod cli;
mod client_commands;
mod commands;
mod help;
mod output;
mod process;

// What only the commands need that run a registry.
#[cfg(feature = "operator")]
mod config;
#[cfg(feature = "operator")]
mod engines;
#[cfg(feature = "operator")]
mod operator;
#[cfg(feature = "operator")]
mod scan;
#[cfg(feature = "operator")]
mod signing;
#[cfg(feature = "operator")]
mod sources;
#[cfg(feature = "operator")]
mod storage;
#[cfg(feature = "operator")]
mod tree;

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
