//! `bench`: measures parts and prints their tables.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use benches::Failure;
use benches::effort::Effort;
use benches::machine::described;
use benches::part::{Part, Run, scratch};
use benches::record;
use benches::search::Half;
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
    /// In `search`: judge by the queries that numbers may be chosen by, and no more
    #[arg(long, conflicts_with = "write")]
    tune: bool,
    /// Another file of queries with graded answers for the part `judged`; no other part is measured
    #[arg(long, value_name = "FILE", conflicts_with = "write")]
    judged: Option<PathBuf>,
    /// In `judged`: skills of the list that are added to the corpus; without it none, and with a list also 20,000
    #[arg(long, value_name = "NUMBER", conflicts_with = "write")]
    distractors: Option<usize>,
    /// In `search` and `judged`: a list of packages, with tabs between name, version, downloads and summary;
    /// without it what SKILLMIRROR_BENCH_NAMES names
    #[arg(long, value_name = "FILE")]
    names: Option<PathBuf>,
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
    let listed = || std::env::var_os("SKILLMIRROR_BENCH_NAMES").map(PathBuf::from);
    let names = arguments.names.clone().or_else(listed);
    if arguments.write && names.is_none() {
        return Err(
            "the tables of the page need a list of packages: set --names or SKILLMIRROR_BENCH_NAMES".into()
        );
    }
    let parts = match (&arguments.judged, &*arguments.parts) {
        (Some(_), _) => &[Part::Judged],
        (None, []) => Part::value_variants(),
        (None, parts) => parts,
    };
    let mut failed = Vec::new();
    for part in parts {
        // A part that fails does not stop the others. Its old table stays.
        if let Err(why) = measure(*part, arguments, names.as_deref()) {
            eprintln!("bench: {}: {why}", part.title());
            failed.push(part.title());
        }
    }
    if failed.is_empty() { Ok(()) } else { Err(format!("not measured: {}", failed.join(", ")).into()) }
}

/// Measures a part, prints its table, and writes it into the page if that is asked for.
fn measure(part: Part, arguments: &Arguments, names: Option<&Path>) -> Result<(), Failure> {
    // Removed at the end: with millions of files that takes a while.
    let scratch = scratch()?;
    let run = Run {
        effort: if arguments.quick { Effort::Quick } else { Effort::Full },
        scratch: scratch.path(),
        half: if arguments.tune { Half::Tuning } else { Half::HeldOut },
        names,
        judged_queries: arguments.judged.as_deref().unwrap_or(Path::new("benches/judged_queries.tsv")),
        distractors: arguments.distractors,
    };
    let start = Instant::now();
    let table = part.measure(&run)?;
    eprintln!("{}: measured in {:.0} s", part.title(), start.elapsed().as_secs_f64());
    let text = format!("{}\n\n{table}", described(&world::folder()));
    println!("### {}\n\n{text}", part.title());
    if arguments.write {
        let name = part.to_possible_value().map_or(String::new(), |value| value.get_name().to_owned());
        record::write(&name, &text)?;
    }
    Ok(())
}
