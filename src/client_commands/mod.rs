//! The commands that ask a registry from outside. They need no configuration, no
//! data and no tree of one's own.

mod info;
mod installed;
mod login;
mod logout;
mod publish;
mod registry_options;
mod resolve;
mod search;
mod whoami;

use std::process::ExitCode;

use clap::Subcommand;
use client::ClientError;
use serde_json::{Value, json};

use crate::client_commands::registry_options::RegistryOptions;
use crate::output;
use crate::output::escape_controls;
use installed::{install, list, uninstall};

/// A command that asks a registry.
#[derive(Subcommand)]
pub enum ClientCommand {
    /// Save a token for a registry
    Login(login::Arguments),
    /// Forget the saved token of a registry
    Logout(logout::Arguments),
    /// Show whom a registry takes you for
    Whoami(whoami::Arguments),
    /// Find skills
    Search(search::Arguments),
    /// Show a skill
    Info(info::Arguments),
    /// Show which version a name stands for
    Resolve(resolve::Arguments),
    /// Install skills into a folder, or into an agent's
    Install(install::Arguments),
    /// List what is installed in a folder
    List(list::Arguments),
    /// Take installed skills away
    Uninstall(uninstall::Arguments),
    /// Publish a skill folder or a zip
    Publish(publish::Arguments),
}

/// What a command has to say: to people, and to programs.
pub struct Report {
    /// Whole lines.
    pub text: String,
    /// One document.
    pub json: Value,
}

impl ClientCommand {
    /// Runs it, and prints what it has to say.
    pub fn run(&self) -> ExitCode {
        let (options, done) = match self {
            Self::Login(arguments) => (&arguments.options, login::run(arguments)),
            Self::Logout(arguments) => (&arguments.options, logout::run(arguments)),
            Self::Whoami(arguments) => (&arguments.options, whoami::run(arguments)),
            Self::Search(arguments) => (&arguments.options, search::run(arguments)),
            Self::Info(arguments) => (&arguments.options, info::run(arguments)),
            Self::Resolve(arguments) => (&arguments.options, resolve::run(arguments)),
            // Of several skills some may fail and others not.
            Self::Install(arguments) => return install::run(arguments),
            Self::List(arguments) => return list::run(arguments),
            Self::Uninstall(arguments) => return uninstall::run(arguments),
            Self::Publish(arguments) => (&arguments.options, publish::run(arguments)),
        };
        finish(options, done)
    }
}

fn finish(options: &RegistryOptions, done: Result<Report, ClientError>) -> ExitCode {
    let report = match done {
        Ok(report) => report,
        Err(why) => return fail(options, why.code(), &why.to_string()),
    };
    let text = if options.json { format!("{}\n", report.json) } else { report.text };
    match output::print(&text) {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => fail(options, "output", &why),
    }
}

fn fail(options: &RegistryOptions, code: &str, message: &str) -> ExitCode {
    if options.json {
        output::print_json_error(json!({"error": {"code": code, "message": escape_controls(message)}}));
    } else {
        output::print_error(message);
    }
    ExitCode::FAILURE
}
