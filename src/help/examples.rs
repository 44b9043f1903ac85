//! Examples of every command. Each command has them in its `after_help`, a line each: the words after the
//! name of the program, and what they do after `  # `.

use clap::Command;

use super::{COMMENT, HEADER};

/// An example.
pub struct Example {
    /// The words after the name of the program.
    pub words: String,
    /// What they do.
    pub what: String,
}

/// The examples of a command to which [`add_to`] was not applied.
pub fn of(command: &Command) -> Vec<Example> {
    let text = command.get_after_help().map(ToString::to_string).unwrap_or_default();
    let examples = text.lines().filter_map(|line| line.split_once(" # "));
    examples.map(|(words, what)| Example { words: words.trim().to_owned(), what: what.to_owned() }).collect()
}

/// Makes headed sections of the examples and the other names of `command` and of those below it.
pub fn add_to(command: Command) -> Command {
    let mut sections = Vec::new();
    let examples: Vec<_> = of(&command)
        .iter()
        .map(|Example { words, what }| format!("\n  {COMMENT}# {what}{COMMENT:#}\n  $ skillmirror {words}"))
        .collect();
    if !examples.is_empty() {
        sections.push(format!("{HEADER}Examples:{HEADER:#}{}", examples.concat()));
    }
    let aliases: Vec<&str> = command.get_visible_aliases().collect();
    if !aliases.is_empty() {
        sections.push(format!("{HEADER}Aliases:{HEADER:#} {}", aliases.join(", ")));
    }
    command.after_help(sections.join("\n\n")).mut_subcommands(add_to)
}
