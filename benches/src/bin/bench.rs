//! `bench`: measures parts and prints their tables.

use std::process::ExitCode;

use benches::Failure;
use benches::machine::described;
use benches::part::{Effort, Part, scratch};
use benches::record;
use benches::table::table;
use benches::world::{self, memory};
use clap::{Parser, ValueEnum};

/// Measures the real program and prints ratios
#[derive(Parser)]
struct Arguments {
    /// Which parts; all without any
    parts: Vec<Part>,
    /// A tenth of everything: for a look, not for the record
    #[arg(long)]
    quick: bool,
    /// Put the tables into docs/benchmarks.md
    #[arg(long, conflicts_with = "quick")]
    write: bool,
}

fn main() -> ExitCode {
    match run(&Arguments::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("bench: {why}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &Arguments) -> Result<(), Failure> {
    memory::bounded()?;
    let effort = if arguments.quick { Effort::Quick } else { Effort::Full };
    let parts = if arguments.parts.is_empty() { Part::value_variants() } else { &arguments.parts };
    for part in parts {
        // Removed at the end of the turn: with millions of files that takes a while.
        let scratch = scratch()?;
        let rows = part.measure(effort, scratch.path()).map_err(|why| format!("{}: {why}", part.title()))?;
        let text = format!("{}\n\n{}", described(&world::folder()), table(&rows));
        println!("### {}\n\n{text}", part.title());
        if arguments.write {
            let letter = part.to_possible_value().map_or(String::new(), |value| value.get_name().to_owned());
            record::write(&letter, &text)?;
        }
    }
    Ok(())
}
