//! `skillmirror completions`: scripts that complete command lines.

use std::process::ExitCode;

use clap::{Args, Command};
use clap_complete::{Shell, generate};

use crate::Failure;
use crate::output::print;

/// Print the completions for a shell
///
/// Prints a script that completes commands, options and values. The shell reads it from the place
/// that the examples name.
#[derive(Args)]
#[command(after_help = "
    completions bash > skillmirror       # Bash, in ~/.local/share/bash-completion/completions
    completions fish > skillmirror.fish  # Fish, in ~/.config/fish/completions
    completions zsh > _skillmirror       # Zsh, in a folder of $fpath
")]
pub struct Arguments {
    /// The shell
    #[arg(value_name = "SHELL")]
    shell: Shell,
}

/// Prints the script for the command line that `program` describes.
pub fn run(arguments: &Arguments, mut program: Command) -> Result<ExitCode, Failure> {
    let mut script = Vec::new();
    generate(arguments.shell, &mut program, "skillmirror", &mut script);
    print(&String::from_utf8(script)?)?;
    Ok(ExitCode::SUCCESS)
}
