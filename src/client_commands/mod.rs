//! The client commands. They use a registry from outside, and need no settings, data folder
//! or tree of their own.

mod account;
mod file_list;
mod info;
mod installed;
mod mcp;
mod publish;
mod registry_options;
mod resolve;
mod search;
mod trust;

use std::process::ExitCode;

use clap::Subcommand;
use client::ClientError;
use registry::with_causes;
use serde_json::{Value, json};

use crate::output::{self, escape_controls};
pub use installed::verify;
use installed::{install, list, outdated, uninstall, update};
use registry_options::{RegistryOptions, SkillArguments};

/// A command that uses a registry from outside.
#[derive(Subcommand)]
pub enum ClientCommand {
    /// Save a token for a registry
    Login(account::LoginArguments),
    /// Remove the saved token of a registry
    Logout(account::LogoutArguments),
    /// Show which user a registry knows you as
    Whoami(RegistryOptions),
    /// Trust registries by the keys that sign their history
    #[command(subcommand)]
    Trust(trust::Command),
    /// Search for skills
    Search(search::Arguments),
    /// Show a skill and its versions
    Info(info::Arguments),
    /// Show which version a name resolves to
    Resolve(SkillArguments),
    /// Install skills, or all that this project records
    Install(install::Arguments),
    /// Move installed skills to newer versions, as far as their requirements allow
    Update(update::Arguments),
    /// List the skills that have newer versions
    Outdated(outdated::Arguments),
    /// List the installed skills
    List(list::Arguments),
    /// Remove installed skills
    Uninstall(uninstall::Arguments),
    /// Publish a skill folder or a zip
    Publish(publish::Arguments),
    /// Serve a registry's skills to an agent by MCP, over standard input and output
    Mcp(mcp::Arguments),
}

/// The result of a command, for people and for programs.
pub struct Report {
    /// Whole lines.
    pub text: String,
    /// One document.
    pub json: Value,
}

impl ClientCommand {
    /// Runs the command and prints its result.
    pub fn run(&self) -> ExitCode {
        match self {
            Self::Login(arguments) => arguments.options.run(|chosen| account::login(arguments, chosen)),
            Self::Logout(arguments) => arguments.options.run(|chosen| account::logout(arguments, chosen)),
            Self::Whoami(options) => options.run(account::whoami),
            Self::Search(arguments) => arguments.options.run(|chosen| search::run(arguments, chosen)),
            Self::Info(arguments) => arguments.skill.options.run(|chosen| info::run(arguments, chosen)),
            Self::Resolve(arguments) => arguments.options.run(|chosen| resolve::run(arguments, chosen)),
            Self::Publish(arguments) => arguments.options.run(|chosen| publish::run(arguments, chosen)),
            Self::Trust(command) => trust::run(command),
            // These report on each skill by itself.
            Self::Install(arguments) => install::run(arguments),
            Self::Update(arguments) => update::run(arguments),
            Self::Outdated(arguments) => outdated::run(arguments),
            Self::List(arguments) => list::run(arguments),
            Self::Uninstall(arguments) => uninstall::run(arguments),
            Self::Mcp(arguments) => mcp::run(arguments),
        }
    }
}

/// Prints the result, and returns the exit code.
fn report_or_error(result: Result<Report, ClientError>, as_json: bool) -> ExitCode {
    let printed = result.map_err(|why| (why.code().to_owned(), with_causes(&why))).and_then(|report| {
        let text = if as_json { format!("{}\n", report.json) } else { report.text };
        output::print(&text).map_err(|why| ("output".to_owned(), why))
    });
    let Err((code, message)) = printed else { return ExitCode::SUCCESS };
    if as_json {
        let message = escape_controls(message);
        output::print_json_error(json!({"error": {"code": code, "message": message}}));
    } else {
        output::print_error(&message);
    }
    ExitCode::FAILURE
}
