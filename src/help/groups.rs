//! The groups of commands in `skillmirror --help`.

use clap::Command;

use super::{HEADER, LITERAL};
use crate::output::terminal_width;

/// The widest help, in columns.
const MAX_WIDTH: usize = 80;
/// Columns before the description of a command.
const INDENT: usize = 19;

/// Shows the commands of the program in these groups.
pub fn add_to(command: Command, groups: &[Command]) -> Command {
    let width = terminal_width().map_or(MAX_WIDTH, |width| usize::from(width).min(MAX_WIDTH));
    let listed: Vec<_> = groups.iter().map(|group| listed(group, width)).collect();
    let template = format!(
        "{{about-with-newline}}\n{{usage-heading}} {{usage}}\n\n{}{}\n{HEADER}Options:{HEADER:#}\n\
         {{options}}{{after-help}}",
        listed.join("\n"),
        // clap adds this command later, to the last group.
        line("help", "Explain a command", width)
    );
    command.help_template(template).after_help(
        "`skillmirror help COMMAND` explains a command, with examples.\n`skillmirror man` prints the manual.",
    )
}

/// A group with its heading.
fn listed(group: &Command, width: usize) -> String {
    let about = |command: &Command| command.get_about().map(ToString::to_string).unwrap_or_default();
    let lines = group.get_subcommands().map(|command| line(command.get_name(), &about(command), width));
    format!("{HEADER}{}:{HEADER:#}\n{}", group.get_name(), lines.collect::<String>())
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
