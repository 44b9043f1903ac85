//! `make-world`: a data folder with as many skills as asked for.

use std::path::PathBuf;
use std::process::ExitCode;

use benches::world::{Size, World, memory};
use clap::Parser;

/// Makes a data folder for `skillmirror serve --data`. The same numbers give the same folder,
/// except for its times, epoch and token.
#[derive(Parser)]
struct Arguments {
    /// How many skills
    #[arg(long)]
    skills: usize,
    /// How many versions of each
    #[arg(long, default_value_t = 1)]
    versions: usize,
    /// Keep no packages, only the rows that name them: enough to start with, not to make a tree of
    #[arg(long)]
    rows_only: bool,
    /// The folder to make
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
}

fn main() -> ExitCode {
    let Arguments { skills, versions, rows_only, out } = Arguments::parse();
    if out.exists() {
        eprintln!("make-world: {} is there already: give a new folder", out.display());
        return ExitCode::FAILURE;
    }
    match memory::bounded().and_then(|()| World::put(&out, Size { skills, versions, packages: !rows_only })) {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("make-world: {why}");
            ExitCode::FAILURE
        }
    }
}
