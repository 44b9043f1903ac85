//! `skillmirror completions`: scripts that complete command lines.

use std::process::ExitCode;

use clap::Args;
use clap_complete::{Shell, generate};

use crate::Failure;
use crate::output::print;

/// Which shell.
#[derive(Args)]
pub struct Arguments {
    /// The shell
    #[arg(value_name = "SHELL")]
    shell: Shell,
}

/// Prints the script.
pub fn run(arguments: &Arguments) -> Result<ExitCode, Failure> {
    let mut command = crate::cli::command();
    let mut script = Vec::new();
    generate(arguments.shell, &mut command, "skillmirror", &mut script);
    print(&String::from_utf8(script)?)?;
    Ok(ExitCode::SUCCESS)
}
