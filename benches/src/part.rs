//! The parts of the benchmarks, and how thorough they are.

use std::path::{Path, PathBuf};

use clap::ValueEnum;
use tempfile::TempDir;

use crate::table::table;
use crate::{Failure, cost, generation, install, mixed, publish, reads, search, start, world};

/// How thorough a run is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effort {
    /// The numbers for the record.
    Full,
    /// A tenth of the skills and of the repetitions: to see whether it works,
    /// and which way a change goes.
    Quick,
}

impl Effort {
    /// That many in a full run, a tenth of it in a quick one.
    pub fn of(self, full: usize) -> usize {
        match self {
            Self::Full => full,
            Self::Quick => full.div_ceil(10),
        }
    }
}

/// What a run is about.
#[derive(Debug, Clone, Copy)]
pub struct Run<'a> {
    /// How thorough it is.
    pub effort: Effort,
    /// An empty folder for what a part writes.
    pub scratch: &'a Path,
    /// Which queries count in (s).
    pub half: search::Half,
    /// The list of names and summaries for (s).
    pub names: Option<&'a Path>,
}

/// A part, named by its letter in `docs/benchmarks.md`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Part {
    /// Publications.
    A,
    /// Start-up.
    B,
    /// Full generation.
    C,
    /// Reads.
    D,
    /// Files and bytes of a skill.
    E,
    /// Mixed writes.
    F,
    /// Installation.
    I,
    /// Search.
    S,
}

impl Part {
    /// What it is about.
    pub fn title(self) -> &'static str {
        match self {
            Self::A => "(a) publish",
            Self::B => "(b) start-up",
            Self::C => "(c) full generation",
            Self::D => "(d) reads",
            Self::E => "(e) what a skill with three versions costs",
            Self::F => "(f) mixed writes",
            Self::I => "(i) install",
            Self::S => "(s) search",
        }
    }

    /// Measures it, and makes its table.
    pub fn measure(self, run: &Run<'_>) -> Result<String, Failure> {
        let Run { effort, scratch, .. } = *run;
        let rows = match self {
            Self::A => publish::measure(effort, scratch),
            Self::B => start::measure(effort, scratch),
            Self::C => generation::measure(effort, scratch),
            Self::D => reads::measure(effort, scratch),
            Self::E => cost::measure(effort, scratch),
            Self::F => mixed::measure(effort, scratch),
            Self::I => install::measure(effort, scratch),
            Self::S => return search::measure(run),
        };
        rows.map(|rows| table(&rows))
    }
}

/// A folder for what a part writes, on the file system of the worlds; gone with
/// the value.
pub fn scratch() -> Result<TempDir, Failure> {
    let folder: PathBuf = world::folder();
    std::fs::create_dir_all(&folder)?;
    Ok(tempfile::Builder::new().prefix("scratch-").tempdir_in(folder)?)
}
