//! The command line: all commands of the program.

use std::any::TypeId;
use std::path::PathBuf;

use clap::builder::{PathBufValueParser, TypedValueParser as _};
use clap::error::{ContextKind, ContextValue};
use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use client::user_path;

use crate::client_commands::ClientCommand;
#[cfg(not(feature = "operator"))]
use crate::client_commands::ClientOnlyCommand;
#[cfg(feature = "operator")]
use crate::folders::{self, Folders};
use crate::help::{self, HelpCommand};
#[cfg(feature = "operator")]
use crate::operator::OperatorCommand;

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

/// A command of the program.
#[derive(Subcommand)]
pub enum Command {
    #[command(flatten)]
    Client(ClientCommand),
    #[cfg(feature = "operator")]
    #[command(flatten)]
    Operator(OperatorCommand),
    #[cfg(not(feature = "operator"))]
    #[command(flatten)]
    ClientOnly(ClientOnlyCommand),
    #[command(flatten)]
    Help(HelpCommand),
}

/// A command line that was read.
pub struct CommandLine {
    /// What to do.
    pub command: Command,
    /// Where the registry is, for commands of operators.
    #[cfg(feature = "operator")]
    pub folders: Folders,
}

/// The command line as clap parses it, with the help of every command.
pub fn command() -> clap::Command {
    let command = Cli::command();
    #[cfg(feature = "operator")]
    let command = folders::add_to(command);
    help::add_to(with_home_folder(command))
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
    let matches = command().try_get_matches().unwrap_or_else(|why| explain(why).exit());
    CommandLine::of(&matches).unwrap_or_else(|why| why.format(&mut command()).exit())
}

impl CommandLine {
    fn of(matches: &clap::ArgMatches) -> Result<Self, clap::Error> {
        // An option of a subcommand is also a value of the command above it.
        #[cfg(feature = "operator")]
        let folders = Folders::from_arg_matches(matches)?;
        let command = Cli::from_arg_matches(matches)?.command;
        #[cfg(feature = "operator")]
        folders::check(&folders, &command)?;
        Ok(Self {
            command,
            #[cfg(feature = "operator")]
            folders,
        })
    }
}

/// The error with a better remedy: only the best of the similar commands, or why this build lacks a
/// command.
fn explain(mut error: clap::Error) -> clap::Error {
    #[cfg(not(feature = "operator"))]
    if let Some(ContextValue::String(name)) = error.get(ContextKind::InvalidSubcommand)
        && help::is_of_operators(name)
    {
        let why = format!(
            "`{name}` runs a registry, and this skillmirror was built without the commands for that: use a build \
             with the feature `operator`, which is the default"
        );
        return clap::Error::raw(clap::error::ErrorKind::InvalidSubcommand, why).format(&mut command());
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
mod tests {
    #[test]
    fn command_line_is_consistent() {
        super::command().debug_assert();
    }
}
