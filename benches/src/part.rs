//! The parts of the benchmarks.

use std::path::{Path, PathBuf};

use clap::ValueEnum;
use tempfile::TempDir;

use crate::effort::Effort;
use crate::table::table;
use crate::{
    Failure, bucket, build_time, command, cost, first_visit, generation, install, mirrors, mixed_writes,
    publish, reads, search, start, storage, world,
};

/// The settings of a run.
#[derive(Debug, Clone, Copy)]
pub struct Run<'a> {
    /// How thorough it is.
    pub effort: Effort,
    /// An empty folder for what a part writes.
    pub scratch: &'a Path,
    /// The queries that `search` measures.
    pub half: search::Half,
    /// The queries with graded answers.
    pub judged_queries: &'a Path,
    /// Skills of the list that are added to the corpus for `judged`. None: a table without them, and with a list one
    /// with 20,000.
    pub distractors: Option<usize>,
    /// The list of names and summaries for `search` and `judged`.
    pub names: Option<&'a Path>,
}

/// A part. Its name is also that of its tables in `docs/benchmarks.md`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Part {
    /// The build.
    Build,
    /// Publications.
    Publish,
    /// Start-up.
    Start,
    /// Full generation.
    Generate,
    /// Reads.
    Reads,
    /// Files and bytes of a skill.
    Cost,
    /// Mixed writes.
    MixedWrites,
    /// Installation.
    Install,
    /// Commands that people run all day.
    Command,
    /// Mirrors, snapshots and proofs.
    Mirrors,
    /// The tree in a bucket.
    Bucket,
    /// A journal in PostgreSQL.
    Storage,
    /// Search.
    Search,
    /// Queries with graded answers.
    Judged,
    /// First visits of pages.
    FirstVisit,
}

impl Part {
    /// The title of the part.
    pub fn title(self) -> &'static str {
        match self {
            Self::Build => "Build",
            Self::Publish => "Publish",
            Self::Start => "Start-up",
            Self::Generate => "Full generation",
            Self::Reads => "Reads",
            Self::Cost => "The cost of a skill with three versions",
            Self::MixedWrites => "Mixed writes",
            Self::Install => "Install",
            Self::Command => "Commands of every day",
            Self::Mirrors => "Mirrors, snapshots and proofs",
            Self::Bucket => "A bucket",
            Self::Storage => "A journal in PostgreSQL",
            Self::Search => "Search",
            Self::Judged => "Judged queries",
            Self::FirstVisit => "First visits",
        }
    }

    /// Measures it, and makes its table.
    pub fn measure(self, run: &Run<'_>) -> Result<String, Failure> {
        let Run { effort, scratch, half, judged_queries, distractors, names } = *run;
        let rows = match self {
            Self::Build => build_time::measure(scratch),
            Self::Publish => publish::measure(effort, scratch),
            Self::Start => start::measure(effort, scratch),
            Self::Generate => generation::measure(effort, scratch),
            Self::Reads => reads::measure(effort, scratch),
            Self::Cost => cost::measure(effort, scratch),
            Self::MixedWrites => mixed_writes::measure(effort, scratch),
            Self::Install => install::measure(effort, scratch),
            Self::Command => command::measure(effort, scratch),
            Self::Mirrors => mirrors::measure(effort, scratch),
            Self::Bucket => bucket::measure(effort, scratch),
            Self::Storage => storage::measure(effort, scratch),
            Self::Search => return search::measure(&search::Options { effort, half, names }),
            Self::Judged => return search::measure_judged(judged_queries, distractors, names, effort),
            Self::FirstVisit => return first_visit::measure(),
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
