//! `skillmirror`: one program that runs a registry and manages it.

mod await_tree;
mod client_commands;
mod config;
mod folder_overlap;
mod logging;
mod mirror_source;
mod open_registry;
mod operator;
mod output;
mod time_arg;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, Parser, Subcommand};

use client_commands::ClientCommand;
use config::Config;
use operator::OperatorCommand;

/// glibc's allocator loses memory here: the aligned blocks of the compressor,
/// freed and asked for again between names that stay, leave holes that it does
/// not use again (150 KiB for every package published, seen in 2.36).
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// A registry for agent skills whose whole read side is a static tree.
#[derive(Parser)]
#[command(version, about, max_term_width = 100)]
struct Cli {
    #[command(flatten)]
    place: Place,
    #[command(subcommand)]
    command: Command,
}

/// Where the registry is.
#[derive(Args)]
struct Place {
    /// The settings [default: config.toml, else built-in defaults]
    #[arg(long, global = true, value_name = "FILE")]
    config: Option<PathBuf>,
    /// The data folder [default: data]
    #[arg(long, global = true, value_name = "DIR")]
    data: Option<PathBuf>,
    /// The output folder [default: public]
    #[arg(long, global = true, value_name = "DIR")]
    public: Option<PathBuf>,
    /// Where people reach the registry, without a slash at the end
    #[arg(long, global = true, value_name = "URL")]
    public_url: Option<String>,
}

#[derive(Subcommand)]
enum Command {
    #[command(flatten)]
    Operator(OperatorCommand),
    #[command(flatten)]
    Client(ClientCommand),
}

/// What went wrong, as a sentence for the person at the terminal.
type Failure = Box<dyn std::error::Error>;

fn main() -> ExitCode {
    let cli = Cli::parse();
    match run(cli) {
        Ok(code) => code,
        Err(why) => {
            output::print_error(output::with_causes(&*why));
            ExitCode::FAILURE
        }
    }
}

fn run(cli: Cli) -> Result<ExitCode, Failure> {
    let command = match cli.command {
        // Client commands work in any folder, without a registry or settings of their own.
        Command::Client(command) => return Ok(command.run()),
        Command::Operator(command) => command,
    };
    let mut config = Config::load(cli.place.config.as_deref())?;
    config.data = cli.place.data.unwrap_or(config.data);
    config.public = cli.place.public.unwrap_or(config.public);
    if let Some(url) = cli.place.public_url {
        config.public_url = Some(url.parse().map_err(|why| format!("public_url: {why}"))?);
    }
    config.check()?;
    // Before anything is opened, whatever the command.
    config.public = folder_overlap::keep_apart(&config.data, &config.public, "--public")?;
    command.run(config)
}
