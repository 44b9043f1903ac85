//! `skillmirror`: runs and manages a registry, and is its client.

mod client_commands;
mod config;
mod folder_overlap;
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

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, Parser, Subcommand};
use registry::with_causes;

use client_commands::ClientCommand;
use config::{Config, Source};
use operator::OperatorCommand;

/// With the allocator of glibc 2.36, memory grows by 150 KiB with every published package: the
/// large aligned blocks of the compressor leave holes between long-lived small ones, which
/// glibc does not reuse.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// A registry for agent skills that publishes them as static files.
#[derive(Parser)]
#[command(version, about, max_term_width = 100)]
struct Cli {
    #[command(flatten)]
    folders: Folders,
    #[command(subcommand)]
    command: Command,
}

/// The settings and folders of the registry.
#[derive(Args)]
struct Folders {
    /// The settings file of operator commands [default: config.toml if it exists]
    #[arg(long, global = true, value_name = "FILE")]
    config: Option<PathBuf>,
    /// The data folder of operator commands [default: data]
    #[arg(long, global = true, value_name = "DIR")]
    data: Option<PathBuf>,
    /// The output folder of operator commands [default: public]
    #[arg(long, global = true, value_name = "DIR")]
    public: Option<PathBuf>,
    /// The public URL of the registry, without a trailing slash. For operator commands
    #[arg(long, global = true, value_name = "URL")]
    public_url: Option<String>,
}

impl Folders {
    /// Whether the command line or the environment names a data folder, a database or a settings file.
    fn name_a_registry(&self) -> bool {
        let is_set = |variable| std::env::var_os(variable).is_some_and(|value| !value.is_empty());
        let is_in_environment = is_set("SKILLMIRROR_DATA") || is_set("SKILLMIRROR_STORAGE_JOURNAL");
        self.data.is_some() || self.config.is_some() || is_in_environment
    }
}

#[derive(Subcommand)]
enum Command {
    #[command(flatten)]
    Operator(OperatorCommand),
    #[command(flatten)]
    Client(ClientCommand),
}

/// Any error. `main` prints its message and its causes.
type Failure = Box<dyn std::error::Error>;

fn main() -> ExitCode {
    let cli = Cli::parse();
    match run(cli) {
        Ok(code) => code,
        Err(why) => {
            output::print_error(with_causes(&*why));
            ExitCode::FAILURE
        }
    }
}

fn run(cli: Cli) -> Result<ExitCode, Failure> {
    let command = match cli.command {
        // Client commands work in any folder, without a registry or settings of their own.
        Command::Client(command) => return Ok(command.run()),
        Command::Operator(OperatorCommand::Verify(arguments)) if !arguments.paths.is_empty() => {
            return Ok(arguments.run());
        }
        Command::Operator(OperatorCommand::Token(command)) => {
            // These need no settings either.
            if let Some(code) = command.ask_registry(cli.folders.name_a_registry()) {
                return Ok(code);
            }
            OperatorCommand::Token(command)
        }
        Command::Operator(command) => command,
    };
    let Folders { config: file, data, public, public_url } = cli.folders;
    let mut config = Config::load(Source { file, data, public, public_url })?;
    // Checked for every command, before it opens anything.
    config.public = folder_overlap::keep_apart(&config.data, &config.public, "--public")?;
    command.run(config)
}
