//! The command line: how it is read, and why it is refused.

use std::any::TypeId;
use std::path::PathBuf;

use clap::builder::{PathBufValueParser, TypedValueParser as _};
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{CommandFactory, FromArgMatches, Parser};
use client::user_path;

#[cfg(feature = "operator")]
use crate::arguments::folders::{self, Folders};
#[cfg(not(feature = "operator"))]
use crate::client_commands::client_only::Folders;
use crate::commands::{self, Command};
use crate::help;
#[cfg(feature = "operator")]
use crate::operator::RunCommand;

/// The version, the commit of a release build, and the features.
const LONG_VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), " (", env!("BUILT_FROM"), ")");

/// Find, install and publish skills for agents, or run a registry of them
#[derive(Parser)]
#[command(name = "skillmirror", version, long_version = LONG_VERSION, max_term_width = 80)]
#[cfg_attr(not(feature = "operator"), command(about = "Find, install and publish skills for agents"))]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

/// A command line that was read.
pub struct CommandLine {
    /// What to do.
    pub command: Command,
    /// Where the registry is, for commands of operators.
    pub folders: Folders,
}

/// The command line as clap parses it.
pub fn command() -> clap::Command {
    let command = Cli::command();
    #[cfg(feature = "operator")]
    let command = folders::add_to(command, commands::has_folders);
    with_home_folder(command)
}

/// The command line with the help that people see.
fn with_help() -> clap::Command {
    help::add_to(command(), &commands::groups())
}

/// Makes each option and argument with a path read `~/` as the home folder: a shell leaves it in
/// `--dir=~/skills`.
fn with_home_folder(command: clap::Command) -> clap::Command {
    let paths = || PathBufValueParser::new().try_map(|path| user_path(&path));
    let is_path = |arg: &clap::Arg| arg.get_value_parser().type_id() == TypeId::of::<PathBuf>();
    let command = command.mut_args(|arg| if is_path(&arg) { arg.value_parser(paths()) } else { arg });
    command.mut_subcommands(with_home_folder)
}

/// Reads the command line. Prints help, a version or a usage error, and ends the program, if it asks
/// for that.
pub fn parse() -> CommandLine {
    let matches = with_help().try_get_matches().unwrap_or_else(|why| explain(why).exit());
    CommandLine::of(&matches).unwrap_or_else(|why| why.format(&mut with_help()).exit())
}

impl CommandLine {
    fn of(matches: &clap::ArgMatches) -> Result<Self, clap::Error> {
        // An option of a subcommand is also a value of the command above it.
        let folders = Folders::from_arg_matches(matches)?;
        let command = Cli::from_arg_matches(matches)?.command;
        #[cfg(feature = "operator")]
        check(&folders, &command, matches.subcommand_name().is_some_and(commands::has_folders))?;
        Ok(Self { command, folders })
    }
}

/// Refuses what clap cannot know to be wrong. `has_folders` says whether the command has these options.
#[cfg(feature = "operator")]
fn check(folders: &Folders, command: &Command, has_folders: bool) -> Result<(), clap::Error> {
    let (kind, why) = match command {
        Command::Run(RunCommand::Upgrade(arguments)) if !arguments.is_check() => {
            let why = "`upgrade` says what this release would do with the folders of a registry: use \
                       `skillmirror upgrade --check`. To update installed skills, use `skillmirror update`";
            let mut program = with_help();
            let error = clap::Error::raw(ErrorKind::MissingRequiredArgument, why);
            // Formatted here, with the usage of the command instead of that of the program.
            return Err(match program.find_subcommand_mut("upgrade") {
                Some(upgrade) => error.format(upgrade),
                None => error,
            });
        }
        _ if !has_folders && !folders.is_empty() => (
            ErrorKind::ArgumentConflict,
            "--config, --data, --public, --public-url and --private NAMESPACE are options of commands that run a \
             registry: leave them out here",
        ),
        _ if !has_folders && folders.json => {
            (ErrorKind::ArgumentConflict, "--json is an option of each command: write it after the command")
        }
        _ if folders.json && command.runs_on() => {
            (ErrorKind::ArgumentConflict, "--json prints a result, and this command runs until SIGTERM")
        }
        _ => return Ok(()),
    };
    Err(clap::Error::raw(kind, why))
}

/// The error with a better remedy: only the best of the similar commands, or why this build lacks a
/// command.
fn explain(mut error: clap::Error) -> clap::Error {
    #[cfg(not(feature = "operator"))]
    if let Some(ContextValue::String(name)) = error.get(ContextKind::InvalidSubcommand)
        && commands::OF_OPERATORS.split(' ').any(|known| known == name)
    {
        let why = format!(
            "`{name}` runs a registry, and this skillmirror was built without the commands for that: use a build \
             with the feature `operator`, which is the default"
        );
        return clap::Error::raw(ErrorKind::InvalidSubcommand, why).format(&mut with_help());
    }
    let kind = ContextKind::SuggestedSubcommand;
    if let Some(ContextValue::Strings(similar)) = error.get(kind) {
        // clap has the best one at the end.
        let best = similar.last().cloned().unwrap_or_default();
        error.insert(kind, ContextValue::String(best));
    }
    error
}

#[cfg(test)]
mod tests;
