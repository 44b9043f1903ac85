//! What `skillmirror --help` shows: the commands in groups, and examples of each.
//!
//! A new command needs a place in [`groups`] and examples in [`examples`]. Tests say so.

mod completions;
mod examples;
mod groups;
mod man;

use std::process::ExitCode;

use clap::Subcommand;
use clap::builder::styling::{AnsiColor, Effects, Style, Styles};

use crate::Failure;

/// Headings, as cargo has them.
const HEADER: Style = AnsiColor::BrightGreen.on_default().effects(Effects::BOLD);
/// Commands and options.
const LITERAL: Style = AnsiColor::BrightCyan.on_default().effects(Effects::BOLD);
/// Comments of examples.
const COMMENT: Style = Style::new().effects(Effects::DIMMED);

/// A command about the program itself.
#[derive(Subcommand)]
pub enum HelpCommand {
    /// Print the completions for a shell
    ///
    /// Prints a script that completes commands, options and values. The shell reads it from the place
    /// that the examples name.
    Completions(completions::Arguments),
    /// Print the manual, or write a page for each command
    ///
    /// Without `--out` it prints the page of one command, in the form that `man` reads. With `--out` it
    /// writes the pages of all commands into a folder.
    Man(man::Arguments),
}

impl HelpCommand {
    /// Runs the command.
    pub fn run(&self) -> Result<ExitCode, Failure> {
        match self {
            Self::Completions(arguments) => completions::run(arguments),
            Self::Man(arguments) => man::run(arguments),
        }
    }
}

/// Whether the other build has a command with this name, for those who run a registry.
#[cfg(not(feature = "operator"))]
pub fn is_of_operators(name: &str) -> bool {
    groups::is_of_operators(name)
}

/// Adds colours, groups and examples to all commands.
pub fn add_to(command: clap::Command) -> clap::Command {
    let styles = Styles::styled()
        .header(HEADER)
        .usage(HEADER)
        .literal(LITERAL)
        .placeholder(AnsiColor::Cyan.on_default())
        .error(AnsiColor::BrightRed.on_default().effects(Effects::BOLD))
        .valid(LITERAL)
        .invalid(AnsiColor::BrightYellow.on_default().effects(Effects::BOLD));
    groups::add_to(examples::add_to(command.styles(styles), ""))
}
