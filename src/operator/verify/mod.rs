//! `skillmirror verify`: compares the tree with the journal.

mod comparison;

use std::process::ExitCode;

use crate::Failure;
use crate::config::Config;
use crate::open_registry::open_existing;
use crate::output::{print, print_error};
use comparison::{Comparison, ComparisonResult};

/// Runs the command. The exit code is 1 if tree and journal differ.
pub fn run(config: &Config) -> Result<ExitCode, Failure> {
    let ComparisonResult { differences, state } = Comparison::new(config, open_existing(config)?).run()?;
    let tree = config.public.display();
    if differences.is_empty() {
        print(&format!("{tree} matches the journal up to revision {}\n", state.revision))?;
        return Ok(ExitCode::SUCCESS);
    }
    let line =
        |difference: &generator::tree::Difference| format!("{:10} {}\n", difference.fault, difference.file);
    print(&differences.iter().map(line).collect::<String>())?;
    let (files, differ) = if differences.len() == 1 { ("file", "differs") } else { ("files", "differ") };
    print_error(format_args!(
        "{} {files} in {tree} {differ} from the journal: run `skillmirror generate` to repair the tree",
        differences.len()
    ));
    Ok(ExitCode::FAILURE)
}
