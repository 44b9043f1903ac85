//! What `--help` shows: the commands in groups, and examples of each.

pub mod completions;
pub mod examples;
mod groups;
pub mod man;

use clap::Command;
use clap::builder::styling::{AnsiColor, Effects, Style, Styles};

/// Headings, as cargo has them.
const HEADER: Style = AnsiColor::BrightGreen.on_default().effects(Effects::BOLD);
/// Commands and options.
const LITERAL: Style = AnsiColor::BrightCyan.on_default().effects(Effects::BOLD);
/// Comments of examples.
const COMMENT: Style = Style::new().effects(Effects::DIMMED);

/// Adds colours and examples to all commands, and shows them in these groups, each named as its heading.
pub fn add_to(command: Command, groups: &[Command]) -> Command {
    let styles = Styles::styled()
        .header(HEADER)
        .usage(HEADER)
        .literal(LITERAL)
        .placeholder(AnsiColor::Cyan.on_default())
        .error(AnsiColor::BrightRed.on_default().effects(Effects::BOLD))
        .valid(LITERAL)
        .invalid(AnsiColor::BrightYellow.on_default().effects(Effects::BOLD));
    groups::add_to(examples::add_to(command.styles(styles)), groups)
}
