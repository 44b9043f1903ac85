//! The options that choose the registry, and the arguments of commands about one skill.

use std::process::ExitCode;

use clap::Args;
use client::registry_choice::{RegistryChoice, RegistrySettings, choose};
use client::{ClientError, RegistryAddress, SkillReference};

use super::{Report, report_or_error};
use crate::output::print_note;

/// The skill that a command asks a registry about.
#[derive(Args)]
pub struct SkillArguments {
    /// The skill: hello, @namespace/hello or namespace--hello, optionally with @VERSION or @TAG
    #[arg(value_name = "SKILL")]
    pub skill: String,
    #[command(flatten)]
    pub options: RegistryOptions,
}

impl SkillArguments {
    /// Runs a command about the skill, and prints its report. A wrong name counts before a missing registry:
    /// it may be the address of a page, which names both.
    pub fn run(
        &self,
        command: impl FnOnce(&SkillReference, &RegistryChoice) -> Result<Report, ClientError>,
    ) -> ExitCode {
        match self.skill.parse() {
            Ok(reference) => self.options.run(|chosen| command(&reference, chosen)),
            Err(why) => report_or_error(Err(why), self.options.json),
        }
    }
}

/// The options that name a registry.
#[derive(Args)]
pub struct RegistryNames {
    /// The registry [env: CLI_REGISTRY] [default: the saved login]
    ///
    /// The registry's base URL without /api/v1, or file:///… for a folder. Separate copies of the
    /// same registry with commas: the most up-to-date one is read.
    #[arg(long, value_name = "URL")]
    registry: Option<String>,
    /// A web site that says where its registry is, instead of --registry [env: CLI_SITE]
    #[arg(long, value_name = "URL")]
    site: Option<String>,
}

/// The options of all commands that ask a registry and end.
#[derive(Args)]
pub struct RegistryOptions {
    #[command(flatten)]
    names: RegistryNames,
    /// Print one JSON document
    ///
    /// Prints one JSON document on standard output, and a failure as one on standard error.
    #[arg(long)]
    pub json: bool,
}

impl RegistryOptions {
    /// Runs a command on the chosen registry, and prints its report.
    pub fn run(&self, command: impl FnOnce(&RegistryChoice) -> Result<Report, ClientError>) -> ExitCode {
        if !self.json {
            client::notice::show_with(|line| print_note(line));
        }
        let choice = self.choose();
        let report = choice.and_then(|chosen| command(&chosen).map_err(|why| chosen.explain(why)));
        report_or_error(report, self.json)
    }

    /// Chooses the registry from the options, the environment and the saved logins.
    pub fn choose(&self) -> Result<RegistryChoice, ClientError> {
        self.names.choose()
    }

    /// Chooses the registry from the options, from what `skills.toml` names, from the environment and
    /// the saved logins.
    pub fn choose_for(&self, project: Option<&RegistryAddress>) -> Result<RegistryChoice, ClientError> {
        self.names.choose_for(project)
    }

    /// Whether an option names a registry.
    pub fn is_named(&self) -> bool {
        [&self.names.registry, &self.names.site]
            .iter()
            .any(|text| text.as_ref().is_some_and(|text| !text.is_empty()))
    }
}

impl RegistryNames {
    /// Chooses the registry from the options, the environment and the saved logins.
    pub fn choose(&self) -> Result<RegistryChoice, ClientError> {
        self.choose_for(None)
    }

    fn choose_for(&self, project: Option<&RegistryAddress>) -> Result<RegistryChoice, ClientError> {
        choose(&RegistrySettings {
            registry_flag: self.registry.clone(),
            site_flag: self.site.clone(),
            project: project.cloned(),
            registry_variable: variable("CLI_REGISTRY"),
            site_variable: variable("CLI_SITE"),
            token_variable: variable("SKILLMIRROR_TOKEN"),
        })
    }
}

/// An environment variable. Invalid UTF-8 is replaced, so that messages can show the value.
fn variable(name: &str) -> Option<String> {
    std::env::var_os(name).map(|value| value.to_string_lossy().into_owned())
}
