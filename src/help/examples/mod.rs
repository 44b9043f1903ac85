//! Examples of every command. Help and manual show them, and tests parse them.

#[cfg(not(feature = "operator"))]
mod client_only;
#[cfg(feature = "operator")]
mod mirrors;
#[cfg(feature = "operator")]
mod running;
mod team;
mod using;
mod writing;

use clap::Command;

use super::{COMMENT, HEADER};

/// An example: what it does, and its words after the name of the program.
pub type Example = (&'static str, &'static str);

/// A command, such as `user add`, and its examples.
type Examples = (&'static str, &'static [Example]);

/// The examples of the command with this name, such as `user add`.
pub fn of(name: &str) -> &'static [Example] {
    let tables = [
        // Before others of the same command.
        #[cfg(not(feature = "operator"))]
        client_only::EXAMPLES,
        using::EXAMPLES,
        writing::EXAMPLES,
        team::EXAMPLES,
        #[cfg(feature = "operator")]
        running::EXAMPLES,
        #[cfg(feature = "operator")]
        mirrors::EXAMPLES,
    ];
    let found = tables.into_iter().flatten().find(|(known, _)| *known == name);
    found.map_or(&[], |(_, examples)| examples)
}

/// Adds examples and other names to the help of `command` and of those below it. `path` is its name
/// without that of the program.
pub(super) fn add_to(command: Command, path: &str) -> Command {
    let mut after = Vec::new();
    let examples = of(path);
    if !examples.is_empty() {
        let lines = examples
            .iter()
            .map(|(what, words)| format!("  {COMMENT}# {what}{COMMENT:#}\n  $ skillmirror {words}"));
        after.push(format!("{HEADER}Examples:{HEADER:#}\n{}", lines.collect::<Vec<_>>().join("\n")));
    }
    let aliases: Vec<&str> = command.get_visible_aliases().collect();
    if !aliases.is_empty() {
        after.push(format!("{HEADER}Aliases:{HEADER:#} {}", aliases.join(", ")));
    }
    let command = if after.is_empty() { command } else { command.after_help(after.join("\n\n")) };
    let path = path.to_owned();
    command.mut_subcommands(|below| {
        let name = format!("{path} {}", below.get_name());
        add_to(below, name.trim_start())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All commands below `command` with their names.
    fn commands(command: &Command, path: &str) -> Vec<(String, Command)> {
        let below = command.get_subcommands().filter(|below| below.get_name() != "help");
        below
            .flat_map(|below| {
                let name = format!("{path} {}", below.get_name()).trim_start().to_owned();
                let mut all = commands(below, &name);
                all.push((name, below.clone()));
                all
            })
            .collect()
    }

    #[test]
    fn every_command_has_examples_that_parse() {
        let command = crate::cli::command();
        for (name, known) in commands(&command, "") {
            let (examples, is_top) = (of(&name), !name.contains(' '));
            assert!(
                examples.len() >= if is_top { 3 } else { 1 },
                "`{name}` needs {} in src/help/examples",
                if is_top { "three examples" } else { "an example" }
            );
            for (what, words) in examples {
                let is_of_it = *words == name || words.starts_with(&format!("{name} "));
                let before = words.split(" | ").next().unwrap_or_default();
                assert!(is_of_it, "an example of `{name}` is `{words}`");
                assert!(words.len() <= 80 - "  $ skillmirror ".len(), "longer than 80 columns: {words}");
                assert!(what.chars().count() <= 76, "longer than 80 columns: {what}");
                let words = ["skillmirror".to_owned()].into_iter().chain(split(before));
                let parsed = command.clone().try_get_matches_from(words);
                assert!(parsed.is_ok(), "{before}: {}", parsed.unwrap_err());
            }
            assert!(known.get_about().is_some(), "`{name}` says what it does");
        }
    }

    /// The words of a command line, with quotes and redirections as in a shell.
    fn split(line: &str) -> Vec<String> {
        let mut words = Vec::new();
        let mut quoted = false;
        let mut word = String::new();
        for c in line.chars() {
            match c {
                '"' => quoted = !quoted,
                ' ' if !quoted => words.push(std::mem::take(&mut word)),
                c => word.push(c),
            }
        }
        words.push(word);
        let end = words.iter().position(|word| word == "<" || word == ">").unwrap_or(words.len());
        words.truncate(end);
        words
    }
}
