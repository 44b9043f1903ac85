//! `skillmirror`: one program that runs a registry and manages it.

mod audit;
mod chosen_registry;
mod client_command;
mod config;
mod count_downloads;
mod download_bar;
mod downloads;
mod feed;
mod folders;
mod gc;
mod generate;
mod http_source;
mod import;
mod info;
mod install;
mod journal;
mod list;
mod logging;
mod login;
mod logout;
mod moment;
mod one_by_one;
mod output;
mod publish;
mod resolve;
mod search;
mod serve;
mod settle;
mod skills_folder;
mod store;
mod terminal;
mod token;
mod uninstall;
mod user;
mod verify;
mod watch;
mod whoami;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, Parser, Subcommand};

use client_command::ClientCommand;
use config::Config;

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
    /// Run the write server, which also keeps the static tree and answers reads
    Serve(serve::Arguments),
    /// Add, list and disable accounts
    #[command(subcommand)]
    User(user::Command),
    /// Issue tokens
    #[command(subcommand)]
    Token(token::Command),
    /// Publish skill folders, folders of skill folders, or zips
    Import(import::Arguments),
    /// Make the static tree anew, from the journal or from another tree's feed
    Generate(generate::Arguments),
    /// Keep the static tree while this runs, from the journal or another tree's feed
    Watch(watch::Arguments),
    /// Compare the static tree with the journal and name every difference
    Verify,
    /// Check, back up and restore the journal and all packages
    #[command(subcommand)]
    Journal(journal::Command),
    /// List who did what and when
    Audit(audit::Arguments),
    /// Remove packages that no version names any more
    Gc(gc::Arguments),
    /// Count the downloads in access logs of hosts that serve the static tree
    CountDownloads(count_downloads::Arguments),
    /// Show how often skills were downloaded
    Downloads(downloads::Arguments),
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
            output::complain(&why.to_string());
            ExitCode::FAILURE
        }
    }
}

fn run(cli: Cli) -> Result<ExitCode, Failure> {
    // Whoever asks a registry has none of their own, and may be in any folder.
    if let Command::Client(command) = &cli.command {
        return Ok(command.run());
    }
    let mut config = Config::load(cli.place.config.as_deref())?;
    config.data = cli.place.data.unwrap_or(config.data);
    config.public = cli.place.public.unwrap_or(config.public);
    if let Some(url) = cli.place.public_url {
        config.public_url = Some(url.parse().map_err(|why| format!("public_url: {why}"))?);
    }
    config.check()?;
    // Before anything is opened, whatever the command.
    config.public = folders::keep_apart(&config.data, &config.public, "--public")?;
    match cli.command {
        Command::Serve(arguments) => serve::run(config, arguments),
        Command::User(command) => user::run(&config, command),
        Command::Token(command) => token::run(&config, command),
        Command::Import(arguments) => import::run(&config, &arguments),
        Command::Generate(arguments) => generate::run(&config, &arguments),
        Command::Watch(arguments) => watch::run(&config, &arguments),
        Command::Verify => verify::run(&config),
        Command::Journal(command) => journal::run(&config, command),
        Command::Audit(arguments) => audit::run(&config, arguments),
        Command::Gc(arguments) => gc::run(&config, &arguments),
        Command::CountDownloads(arguments) => count_downloads::run(&config, &arguments),
        Command::Downloads(arguments) => downloads::run(&config, &arguments),
        Command::Client(command) => Ok(command.run()),
    }
}
