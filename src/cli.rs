//! The command line: all commands, and the options of those that run a registry.

use std::path::PathBuf;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Args, CommandFactory, FromArgMatches, Parser, Subcommand};

use crate::client_commands::ClientCommand;
use crate::help::{self, HelpCommand};
use crate::operator::OperatorCommand;

/// Find, install and publish skills for agents, or run a registry of them
#[derive(Parser)]
#[command(name = "skillmirror", version, max_term_width = 80)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

/// The settings and folders of a registry.
#[derive(Args)]
pub struct Folders {
    /// The settings file [default: config.toml if it exists]
    #[arg(long, value_name = "FILE", help_heading = "Registry options")]
    pub config: Option<PathBuf>,
    /// The data folder [default: data]
    #[arg(long, value_name = "DIR", help_heading = "Registry options")]
    pub data: Option<PathBuf>,
    /// The output folder, with the static tree [default: public]
    #[arg(long, value_name = "DIR", help_heading = "Registry options")]
    pub public: Option<PathBuf>,
    /// The public URL of the registry, without a trailing slash
    #[arg(long, value_name = "URL", help_heading = "Registry options")]
    pub public_url: Option<String>,
}

impl Folders {
    /// Whether the command line or the environment names a data folder, a database or a settings file.
    pub fn name_a_registry(&self) -> bool {
        let is_set = |variable| std::env::var_os(variable).is_some_and(|value| !value.is_empty());
        let is_in_environment = is_set("SKILLMIRROR_DATA") || is_set("SKILLMIRROR_STORAGE_JOURNAL");
        self.data.is_some() || self.config.is_some() || is_in_environment
    }

    /// Whether no option was given.
    fn is_empty(&self) -> bool {
        let Self { config, data, public, public_url } = self;
        config.is_none() && data.is_none() && public.is_none() && public_url.is_none()
    }
}

/// A command of the program.
#[derive(Subcommand)]
pub enum Command {
    #[command(flatten)]
    Client(ClientCommand),
    #[command(flatten)]
    Operator(OperatorCommand),
    #[command(flatten)]
    Help(HelpCommand),
}

/// The command line as clap parses it, with the help of every command.
pub fn command() -> clap::Command {
    let operators = OperatorCommand::augment_subcommands(clap::Command::new("operator"));
    let is_operator = |name: &str| operators.get_subcommands().any(|known| known.get_name() == name);
    let options: Vec<clap::Arg> =
        Folders::augment_args(clap::Command::new("folders")).get_arguments().cloned().collect();
    let command = Cli::command()
        // Accepted before an operator command, too, where scripts may have them.
        .args(options.iter().map(|option| option.clone().hide(true)))
        .mut_subcommands(|command| match is_operator(command.get_name()) {
            true => command.args(options.iter().map(|option| option.clone().global(true))),
            false => command,
        });
    help::add_to(command)
}

/// Reads the command line. Prints help, a version or a usage error, and ends the program, if it asks
/// for that.
pub fn parse() -> (Folders, Command) {
    let matches = command().try_get_matches().unwrap_or_else(|why| nearest_only(why).exit());
    // An option of a subcommand is also a value of the command above it.
    let read = Folders::from_arg_matches(&matches)
        .and_then(|folders| Ok((folders, Cli::from_arg_matches(&matches)?.command)))
        .and_then(|(folders, command)| check(&folders, &command).map(|()| (folders, command)));
    read.unwrap_or_else(|why| why.format(&mut self::command()).exit())
}

/// The error with only the best of the similar commands that it suggests.
fn nearest_only(mut error: clap::Error) -> clap::Error {
    let kind = ContextKind::SuggestedSubcommand;
    if let Some(ContextValue::Strings(similar)) = error.get(kind) {
        // clap has the best one at the end.
        let best = similar.last().cloned().unwrap_or_default();
        error.insert(kind, ContextValue::String(best));
    }
    error
}

/// Refuses what clap cannot know to be wrong.
fn check(folders: &Folders, command: &Command) -> Result<(), clap::Error> {
    let (kind, why) = match command {
        Command::Operator(OperatorCommand::Upgrade(arguments)) if !arguments.is_check() => (
            ErrorKind::MissingRequiredArgument,
            "`upgrade` says what this release would do with the folders of a registry: use \
             `skillmirror upgrade --check`. To update installed skills, use `skillmirror update`",
        ),
        Command::Client(_) | Command::Help(_) if !folders.is_empty() => (
            ErrorKind::ArgumentConflict,
            "--config, --data, --public and --public-url are options of commands that run a registry: leave \
             them out here",
        ),
        _ => return Ok(()),
    };
    Err(clap::Error::raw(kind, why))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn command_line_is_consistent() {
        command().debug_assert();
    }

    #[test]
    fn folder_options_are_read_in_any_place_of_operator_commands_only() {
        for words in [
            &["skillmirror", "--data", "d", "user", "list"][..],
            &["skillmirror", "user", "--data", "d", "list"],
            &["skillmirror", "user", "list", "--data", "d"],
        ] {
            let matches = command().try_get_matches_from(words).unwrap();
            let folders = Folders::from_arg_matches(&matches).unwrap();
            assert_eq!(folders.data, Some("d".into()), "{words:?}");
        }
        let refused = command().try_get_matches_from(["skillmirror", "list", "--data", "d"]).unwrap_err();
        assert_eq!(refused.kind(), ErrorKind::UnknownArgument);
        let matches = command().try_get_matches_from(["skillmirror", "--data", "d", "list"]).unwrap();
        let folders = Folders::from_arg_matches(&matches).unwrap();
        let list = Cli::from_arg_matches(&matches).unwrap().command;
        assert_eq!(check(&folders, &list).unwrap_err().kind(), ErrorKind::ArgumentConflict);
    }
}
