//! What an installation has come to.

use std::path::PathBuf;

use registry::names::Version;

use super::record::Installed;

/// What became of an installation.
#[derive(Debug, Clone)]
pub struct Outcome {
    /// What is there now.
    pub installed: Installed,
    /// Where.
    pub path: PathBuf,
    /// What was done for it.
    pub change: Change,
    /// Folders of earlier runs that are of no use, and that can't be removed.
    pub left: Vec<PathBuf>,
}

/// What was done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Change {
    /// It was put where nothing was.
    Installed,
    /// It took the place of that version of the same skill.
    Replaced(Version),
    /// Nothing: that version is there, unchanged.
    AlreadyThere,
}
