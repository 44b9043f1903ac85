//! `skillmirror verify`: is the tree what it should be?

mod comparison;

use std::process::ExitCode;

use crate::Failure;
use crate::config::Config;
use crate::open_registry::open_existing;
use comparison::{Comparison, Found};

/// Runs the command. Exit code 1 where tree and journal differ.
pub fn run(config: &Config) -> Result<ExitCode, Failure> {
    let Found { differences, state } = Comparison::new(config, open_existing(config)?).run()?;
    let revision = state.revision;
    for difference in &differences {
        println!("{:10} {}", difference.fault, difference.file);
    }
    let shown = config.public.display();
    if differences.is_empty() {
        println!("{shown} holds everything up to revision {revision} and nothing else");
        return Ok(ExitCode::SUCCESS);
    }
    let (files, differ) = if differences.len() == 1 { ("file", "differs") } else { ("files", "differ") };
    eprintln!(
        "skillmirror: {} {files} of {shown} {differ} from the journal: `skillmirror generate` mends that",
        differences.len()
    );
    Ok(ExitCode::FAILURE)
}
