//! `skillmirror man`: the pages of the manual.

use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Args, Command};
use clap_mangen::Man;

use super::examples;
use crate::Failure;
use crate::output::print;

/// Which pages.
#[derive(Args)]
pub struct Arguments {
    /// The command, such as `install` or `user add` [default: the program]
    #[arg(value_name = "COMMAND")]
    command: Vec<String>,
    /// Write the pages of all commands into this folder, as skillmirror-COMMAND.1
    #[arg(long, value_name = "DIR", conflicts_with = "command")]
    out: Option<PathBuf>,
}

/// Prints a page, or writes all of them.
pub fn run(arguments: &Arguments) -> Result<ExitCode, Failure> {
    let mut program = crate::cli::command();
    // Gives each command the name of its page.
    program.build();
    if let Some(folder) = &arguments.out {
        fs::create_dir_all(folder).map_err(|why| format!("cannot create {}: {why}", folder.display()))?;
        let count = write_all(folder, &program, "")?;
        print(&format!("wrote {count} pages to {}\n", folder.display()))?;
        return Ok(ExitCode::SUCCESS);
    }
    let (mut command, mut path) = (&program, Vec::new());
    for word in &arguments.command {
        command = command
            .find_subcommand(word)
            .ok_or_else(|| format!("no command `{}`: see `skillmirror help`", arguments.command.join(" ")))?;
        // The word may be another name of the command.
        path.push(command.get_name());
    }
    print(&page(command, &path.join(" "))?)?;
    Ok(ExitCode::SUCCESS)
}

/// The commands below `command` that have pages.
fn below(command: &Command) -> impl Iterator<Item = &Command> {
    command.get_subcommands().filter(|command| command.get_name() != "help" && !command.is_hide_set())
}

/// Writes the page of a command and those of the commands below it. Returns their number.
fn write_all(folder: &Path, command: &Command, path: &str) -> Result<usize, Failure> {
    let file = folder.join(format!("{}.1", title(command)));
    fs::write(&file, page(command, path)?)
        .map_err(|why| format!("cannot write {}: {why}", file.display()))?;
    let mut count = 1;
    for command in below(command) {
        count += write_all(folder, command, format!("{path} {}", command.get_name()).trim_start())?;
    }
    Ok(count)
}

/// The name of a page: `skillmirror-user-add`.
fn title(command: &Command) -> &str {
    command.get_display_name().unwrap_or_else(|| command.get_name())
}

/// The page of a command. `path` is its name without that of the program.
fn page(command: &Command, path: &str) -> Result<String, Failure> {
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
    page.write_all(further_sections(command, path).as_bytes())?;
    Ok(in_ascii(&String::from_utf8(page)?))
}

/// A page whose other characters are escapes, because roff reads bytes.
fn in_ascii(page: &str) -> String {
    let escaped = |c: char| if c.is_ascii() { c.to_string() } else { format!("\\[u{:04X}]", u32::from(c)) };
    page.chars().map(escaped).collect()
}

/// Other names, examples, and the pages above and below.
fn further_sections(command: &Command, path: &str) -> String {
    let mut text = String::new();
    let aliases: Vec<&str> = command.get_visible_aliases().collect();
    if !aliases.is_empty() {
        let _ = writeln!(text, ".SH ALIASES\n{}", escaped(&aliases.join(", ")));
    }
    let known = examples::of(path);
    if !known.is_empty() {
        text += ".SH EXAMPLES\n";
        for (what, words) in known {
            let _ = writeln!(text, ".TP\n{}\n.nf\nskillmirror {}\n.fi", escaped(what), escaped(words));
        }
    }
    let above = (!path.is_empty()).then(|| {
        let names = path.rsplit_once(' ').map_or(String::new(), |(names, _)| format!("-{names}"));
        format!("skillmirror{}", names.replace(' ', "-"))
    });
    let below = below(command).map(|command| title(command).to_owned());
    let pages: Vec<String> = above.into_iter().chain(below).map(|page| reference(&page)).collect();
    if !pages.is_empty() {
        let _ = writeln!(text, ".SH \"SEE ALSO\"\n{}", pages.join(",\n"));
    }
    text
}

/// The name of a page with its section.
fn reference(page: &str) -> String {
    format!("\\fB{}\\fR(1)", escaped(page))
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
