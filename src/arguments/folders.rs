//! The options of the commands that run a registry: its settings and folders.

use std::path::PathBuf;

use clap::Args;
use registry::names::Namespace;

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
    /// Work on the registry of this private namespace
    #[arg(long, value_name = "NAMESPACE", help_heading = "Registry options")]
    pub private: Option<Namespace>,
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
        let Self { config, data, public, public_url, private, json: _ } = self;
        config.is_none() && data.is_none() && public.is_none() && public_url.is_none() && private.is_none()
    }
}

/// Adds the options to the commands of which `has_folders` is true.
pub fn add_to(command: clap::Command, has_folders: impl Fn(&str) -> bool) -> clap::Command {
    let options: Vec<clap::Arg> =
        Folders::augment_args(clap::Command::new("folders")).get_arguments().cloned().collect();
    command
        // Accepted before an operator command, too, where scripts may have them.
        .args(options.iter().map(|option| option.clone().hide(true)))
        .mut_subcommands(|command| match has_folders(command.get_name()) {
            true => options.iter().fold(command, |command, option| {
                let is_there = command.get_arguments().any(|known| known.get_id() == option.get_id());
                let command = if is_there { command } else { command.arg(option) };
                command.mut_arg(option.get_id(), |option| option.global(true))
            }),
            false => command,
        })
}
