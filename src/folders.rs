//! The options of the commands that run a registry: its settings and folders.

use std::path::PathBuf;

use clap::error::ErrorKind;
use clap::{Args, Subcommand};

use crate::cli::Command;
use crate::operator::OperatorCommand;

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
    /// Print the result as one JSON document, and a failure as one on standard error
    #[arg(long)]
    pub json: bool,
}

impl Folders {
    /// Whether the command line or the environment names a data folder, a database or a settings file.
    pub fn name_a_registry(&self) -> bool {
        let is_set = |variable| std::env::var_os(variable).is_some_and(|value| !value.is_empty());
        let is_in_environment = is_set("SKILLMIRROR_DATA") || is_set("SKILLMIRROR_STORAGE_JOURNAL");
        self.data.is_some() || self.config.is_some() || is_in_environment
    }

    /// Whether no option was given.
    pub fn is_empty(&self) -> bool {
        let Self { config, data, public, public_url, .. } = self;
        config.is_none() && data.is_none() && public.is_none() && public_url.is_none()
    }
}

/// Adds the options to the commands of operators.
pub fn add_to(command: clap::Command) -> clap::Command {
    let operators = OperatorCommand::augment_subcommands(clap::Command::new("operator"));
    let is_operator = |name: &str| operators.get_subcommands().any(|known| known.get_name() == name);
    let options: Vec<clap::Arg> =
        Folders::augment_args(clap::Command::new("folders")).get_arguments().cloned().collect();
    command
        // Accepted before an operator command, too, where scripts may have them.
        .args(options.iter().map(|option| option.clone().hide(true)))
        .mut_subcommands(|command| match is_operator(command.get_name()) {
            true => options.iter().fold(command, |command, option| {
                let is_there = command.get_arguments().any(|known| known.get_id() == option.get_id());
                let command = if is_there { command } else { command.arg(option) };
                command.mut_arg(option.get_id(), |option| option.global(true))
            }),
            false => command,
        })
}

/// Refuses what clap cannot know to be wrong.
pub fn check(folders: &Folders, command: &Command) -> Result<(), clap::Error> {
    let (kind, why) = match command {
        Command::Operator(OperatorCommand::Upgrade(arguments)) if !arguments.is_check() => {
            let why = "`upgrade` says what this release would do with the folders of a registry: use \
                       `skillmirror upgrade --check`. To update installed skills, use `skillmirror update`";
            let mut program = crate::cli::command();
            let error = clap::Error::raw(ErrorKind::MissingRequiredArgument, why);
            // Formatted here, with the usage of the command instead of that of the program.
            return Err(match program.find_subcommand_mut("upgrade") {
                Some(upgrade) => error.format(upgrade),
                None => error,
            });
        }
        Command::Client(_) | Command::Help(_) if !folders.is_empty() => (
            ErrorKind::ArgumentConflict,
            "--config, --data, --public and --public-url are options of commands that run a registry: leave \
             them out here",
        ),
        Command::Client(_) | Command::Help(_) if folders.json => {
            (ErrorKind::ArgumentConflict, "--json is an option of each command: write it after the command")
        }
        Command::Operator(command) if folders.json && command.runs_on() => {
            (ErrorKind::ArgumentConflict, "--json prints a result, and this command runs until SIGTERM")
        }
        _ => return Ok(()),
    };
    Err(clap::Error::raw(kind, why))
}

#[cfg(test)]
mod tests {
    use clap::FromArgMatches;

    use super::*;
    use crate::cli::command;

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
        let list = Command::from_arg_matches(&matches).unwrap();
        assert_eq!(check(&folders, &list).unwrap_err().kind(), ErrorKind::ArgumentConflict);
    }
}
