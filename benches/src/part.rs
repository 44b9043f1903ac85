//! The parts of the benchmarks, and how thorough they are.

use std::path::{Path, PathBuf};

use clap::ValueEnum;
use tempfile::TempDir;

use crate::table::Row;
use crate::{Failure, cost, generation, mixed, publish, reads, start, world};

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
        }
    }

    /// Measures it. What it writes is in the empty folder `scratch`.
    pub fn measure(self, effort: Effort, scratch: &Path) -> Result<Vec<Row>, Failure> {
        match self {
            Self::A => publish::measure(effort, scratch),
            Self::B => start::measure(effort, scratch),
            Self::C => generation::measure(effort, scratch),
            Self::D => reads::measure(effort, scratch),
            Self::E => cost::measure(effort, scratch),
            Self::F => mixed::measure(effort, scratch),
        }
    }
}

/// A folder for what a part writes, on the file system of the worlds; gone with
/// the value.
pub fn scratch() -> Result<TempDir, Failure> {
    let folder: PathBuf = world::folder();
    std::fs::create_dir_all(&folder)?;
    Ok(tempfile::Builder::new().prefix("scratch-").tempdir_in(folder)?)
}
