//! `skillmirror man`: the pages of the manual.

use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Args, Command};
use clap_mangen::Man;

use super::examples::{self, Example};
use crate::Failure;
use crate::output::print;

/// Print the manual, or write a page for each command
///
/// Without `--out` it prints the page of one command, in the form that `man` reads. With `--out` it
/// writes the pages of all commands into a folder.
#[derive(Args)]
#[command(after_help = "
    man | man -l -          # Read the manual
    man install | man -l -  # The page of one command
    man --out man/man1      # Write all pages, for a package
")]
pub struct Arguments {
    /// The command, such as `install` or `user add` [default: the program]
    #[arg(value_name = "COMMAND")]
    command: Vec<String>,
    /// Write the pages of all commands into this folder, as skillmirror-COMMAND.1
    #[arg(long, value_name = "DIR", conflicts_with = "command")]
    out: Option<PathBuf>,
}

/// Prints a page, or writes all of them, for the command line that `program` describes.
pub fn run(arguments: &Arguments, mut program: Command) -> Result<ExitCode, Failure> {
    // Gives each command the name of its page.
    program.build();
    if let Some(folder) = &arguments.out {
        fs::create_dir_all(folder).map_err(|why| format!("cannot create {}: {why}", folder.display()))?;
        let count = write_all(folder, &program, None)?;
        print(&format!("wrote {count} pages to {}\n", folder.display()))?;
        return Ok(ExitCode::SUCCESS);
    }
    let (mut command, mut above) = (&program, None);
    for word in &arguments.command {
        above = Some(command);
        command = command
            .find_subcommand(word)
            .ok_or_else(|| format!("no command `{}`: see `skillmirror help`", arguments.command.join(" ")))?;
    }
    print(&page(command, above)?)?;
    Ok(ExitCode::SUCCESS)
}

/// The commands below `command` that have pages.
fn below(command: &Command) -> impl Iterator<Item = &Command> {
    command.get_subcommands().filter(|command| command.get_name() != "help" && !command.is_hide_set())
}

/// Writes the page of a command and those of the commands below it. Returns their number.
fn write_all(folder: &Path, command: &Command, above: Option<&Command>) -> Result<usize, Failure> {
    let file = folder.join(format!("{}.1", title(command)));
    fs::write(&file, page(command, above)?)
        .map_err(|why| format!("cannot write {}: {why}", file.display()))?;
    let mut count = 1;
    for below in below(command) {
        count += write_all(folder, below, Some(command))?;
    }
    Ok(count)
}

/// The name of a page: `skillmirror-user-add`.
fn title(command: &Command) -> &str {
    command.get_display_name().unwrap_or_else(|| command.get_name())
}

/// The page of a command, which refers to the one above it.
fn page(command: &Command, above: Option<&Command>) -> Result<String, Failure> {
    let man = Man::new(command.clone());
    let mut page = Vec::new();
    man.render_title(&mut page)?;
    man.render_name_section(&mut page)?;
    man.render_synopsis_section(&mut page)?;
    man.render_description_section(&mut page)?;
    if command.get_arguments().any(|argument| !argument.is_hide_set()) {
        man.render_options_section(&mut page)?;
    }
    if below(command).next().is_some() {
        man.render_subcommands_section(&mut page)?;
    }
    page.write_all(further_sections(command, above).as_bytes())?;
    Ok(in_ascii(&String::from_utf8(page)?))
}

/// A page whose other characters are escapes, because roff reads bytes.
fn in_ascii(page: &str) -> String {
    let escaped = |c: char| if c.is_ascii() { c.to_string() } else { format!("\\[u{:04X}]", u32::from(c)) };
    page.chars().map(escaped).collect()
}

/// Other names, examples, and the pages above and below.
fn further_sections(command: &Command, above: Option<&Command>) -> String {
    let mut text = String::new();
    let aliases: Vec<&str> = command.get_visible_aliases().collect();
    if !aliases.is_empty() {
        let _ = writeln!(text, ".SH ALIASES\n{}", escaped(&aliases.join(", ")));
    }
    let examples = examples::of(command);
    if !examples.is_empty() {
        text += ".SH EXAMPLES\n";
        for Example { words, what } in examples {
            let _ = writeln!(text, ".TP\n{}\n.nf\nskillmirror {}\n.fi", escaped(&what), escaped(&words));
        }
    }
    let pages: Vec<String> = above.into_iter().chain(below(command)).map(reference).collect();
    if !pages.is_empty() {
        let _ = writeln!(text, ".SH \"SEE ALSO\"\n{}", pages.join(",\n"));
    }
    text
}

/// The name of a page with its section.
fn reference(command: &Command) -> String {
    format!("\\fB{}\\fR(1)", escaped(title(command)))
}

/// A line of text, whose characters mean nothing to roff.
fn escaped(text: &str) -> String {
    let text = text.replace('\\', "\\e").replace('-', "\\-").replace('\'', "\\(aq");
    if text.starts_with('.') { format!("\\&{text}") } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_escaped_for_roff() {
        assert_eq!(in_ascii("a…"), "a\\[u2026]");
        assert_eq!(escaped(".x -l '\\'"), "\\&.x \\-l \\(aq\\e\\(aq");
    }
}
