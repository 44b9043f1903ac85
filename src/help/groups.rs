//! The groups of commands in `skillmirror --help`.

use clap::Command;

use super::{HEADER, LITERAL};
use crate::output::terminal_width;

/// A group: its heading, and its commands in their order.
struct Group(&'static str, &'static [&'static str]);

/// The headings of the commands for operators.
const RUNNING: &str = "Run a registry";
const MIRRORS: &str = "Keep trees and mirrors";

/// All groups. What is in none of them is listed at the end, and a test fails.
const GROUPS: [Group; 6] = [
    Group(
        "Use skills",
        &[
            "search",
            "info",
            "install",
            "list",
            "outdated",
            "update",
            "uninstall",
            "resolve",
            "verify",
            "trust",
            "agents",
            "mcp",
        ],
    ),
    Group("Write skills", &["init", "check", "diff", "pack", "publish"]),
    Group(
        "Work in a team",
        &[
            "login",
            "logout",
            "whoami",
            "me",
            "namespace",
            "member",
            "review",
            "tag",
            "yank",
            "unyank",
            "delete",
            "restore",
            "transfer",
            "promote",
            "star",
            "unstar",
            "rate",
            "token",
        ],
    ),
    Group(
        RUNNING,
        &[
            "serve",
            "user",
            "import",
            "hosts",
            "audit",
            "downloads",
            "count-downloads",
            "gc",
            "journal",
            "key",
            "upgrade",
        ],
    ),
    Group(MIRRORS, &["generate", "watch", "snapshot"]),
    Group("This program", &["completions", "man", "help"]),
];

/// The widest help, in columns.
const MAX_WIDTH: usize = 80;
/// Columns before the description of a command.
const INDENT: usize = 19;

/// Shows the commands of the program in groups.
pub(super) fn add_to(command: Command) -> Command {
    let width = terminal_width().map_or(MAX_WIDTH, |width| usize::from(width).min(MAX_WIDTH));
    let template = format!(
        "{{about-with-newline}}\n{{usage-heading}} {{usage}}\n\n{}{HEADER}Options:{HEADER:#}\n\
         {{options}}{{after-help}}",
        listed(&command, width)
    );
    command.help_template(template).after_help(
        "`skillmirror help COMMAND` explains a command, with examples.\n`skillmirror man` prints the manual.",
    )
}

/// The groups with their commands.
fn listed(command: &Command, width: usize) -> String {
    let mut text = String::new();
    let about = |name: &str| match command.find_subcommand(name) {
        Some(command) => command.get_about().map(ToString::to_string),
        // clap adds it later.
        None => (name == "help").then(|| "Explain a command".to_owned()),
    };
    for Group(heading, names) in GROUPS {
        let known = names.iter().filter_map(|name| Some(line(name, &about(name)?, width)));
        let lines: String = known.collect();
        // A client-only build has no commands of some groups.
        if !lines.is_empty() {
            text += &format!("{HEADER}{heading}:{HEADER:#}\n{lines}\n");
        }
    }
    let is_listed = |name: &str| GROUPS.iter().any(|Group(_, names)| names.contains(&name));
    let mut others = command.get_subcommands().filter(|command| !is_listed(command.get_name())).peekable();
    if others.peek().is_some() {
        text += &format!("{HEADER}Other commands:{HEADER:#}\n");
        for other in others {
            let about = other.get_about().map(ToString::to_string).unwrap_or_default();
            text += &line(other.get_name(), &about, width);
        }
        text.push('\n');
    }
    text
}

/// A command and what it does, wrapped to `width`.
fn line(name: &str, about: &str, width: usize) -> String {
    let mut text = format!("  {LITERAL}{name}{LITERAL:#}{:1$}", "", INDENT.saturating_sub(name.len() + 2));
    let mut column = INDENT;
    for (at, word) in about.split(' ').enumerate() {
        if at > 0 && column + 1 + word.chars().count() > width {
            text += &format!("\n{:INDENT$}", "");
            column = INDENT;
        } else if at > 0 {
            text.push(' ');
            column += 1;
        }
        text += word;
        column += word.chars().count();
    }
    text.push('\n');
    text
}

/// Whether a command is for operators.
#[cfg(not(feature = "operator"))]
pub(super) fn is_of_operators(name: &str) -> bool {
    let is_in = |group: &Group| [RUNNING, MIRRORS].contains(&group.0) && group.1.contains(&name);
    // Who has no registry and types `upgrade` means `update`, which clap suggests.
    name != "upgrade" && GROUPS.iter().any(is_in)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn description_is_wrapped_below_itself() {
        let shown = line("search", "Search for skills in a registry", 36);
        let plain = format!("{LITERAL}search{LITERAL:#}");
        assert_eq!(
            shown.replace(&plain, "search"),
            "  search           Search for skills\n                   in a registry\n"
        );
    }
}
