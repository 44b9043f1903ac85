//! Every command with its help and examples.

use super::*;
use crate::help::examples::{self, Example};

#[test]
fn command_line_is_consistent() {
    with_help().debug_assert();
}

#[test]
fn every_command_is_in_a_group() {
    let groups = commands::groups();
    for command in command().get_subcommands() {
        let is_in = |group: &clap::Command| group.find_subcommand(command.get_name()).is_some();
        assert!(groups.iter().any(is_in), "`{}` is in no group", command.get_name());
    }
}

#[test]
fn every_command_has_examples_that_parse() {
    let program = command();
    for (name, command) in below(&program, "") {
        let least = if name.contains(' ') { 1 } else { 3 };
        let examples = examples::of(&command);
        assert!(examples.len() >= least, "`{name}` needs {least} in its `after_help`");
        for Example { words, what } in examples {
            let is_of_it = words == name || words.starts_with(&format!("{name} "));
            let before = words.split(" | ").next().unwrap_or_default();
            assert!(is_of_it, "an example of `{name}` is `{words}`");
            assert!(words.len() <= 80 - "  $ skillmirror ".len(), "longer than 80 columns: {words}");
            assert!(what.chars().count() <= 76, "longer than 80 columns: {what}");
            let words = ["skillmirror".to_owned()].into_iter().chain(split(before));
            let parsed = program.clone().try_get_matches_from(words);
            assert!(parsed.is_ok(), "{before}: {}", parsed.unwrap_err());
        }
        assert!(command.get_about().is_some(), "`{name}` says what it does");
    }
}

/// All commands below `command` with their names.
fn below(command: &clap::Command, path: &str) -> Vec<(String, clap::Command)> {
    let below = command.get_subcommands().filter(|below| below.get_name() != "help");
    below
        .flat_map(|command| {
            let name = format!("{path} {}", command.get_name()).trim_start().to_owned();
            let mut all = self::below(command, &name);
            all.push((name, command.clone()));
            all
        })
        .collect()
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

#[cfg(feature = "operator")]
#[test]
fn folder_options_are_read_in_any_place_of_operator_commands_only() {
    for words in [
        &["skillmirror", "--data", "d", "user", "list"][..],
        &["skillmirror", "user", "--data", "d", "list"],
        &["skillmirror", "user", "list", "--data", "d"],
    ] {
        let matches = command().try_get_matches_from(words).unwrap();
        let line = CommandLine::of(&matches).unwrap();
        assert_eq!(line.folders.data, Some("d".into()), "{words:?}");
    }
    let refused = command().try_get_matches_from(["skillmirror", "list", "--data", "d"]).unwrap_err();
    assert_eq!(refused.kind(), ErrorKind::UnknownArgument);
    let matches = command().try_get_matches_from(["skillmirror", "--data", "d", "list"]).unwrap();
    let refused = CommandLine::of(&matches).err().unwrap();
    assert_eq!(refused.kind(), ErrorKind::ArgumentConflict);
}
