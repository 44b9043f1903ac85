//! What is installed in a folder, and whether it is as it was put there.

use registry::names::Version;

use super::content::{Found, differences, look};
use super::error::{InstallError, at};
use super::place::Place;
use super::record::Installed;
use super::wanted;
use crate::Source;

/// One installed skill.
#[derive(Debug, Clone)]
pub struct Listed {
    /// What the record says.
    pub installed: Installed,
    /// What is there.
    pub state: State,
}

/// How a folder compares with what was put there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum State {
    /// It is the same.
    Unchanged,
    /// These files are not, each with what became of it.
    Changed(Vec<String>),
    /// Nothing is there, or no folder.
    Missing,
}

impl State {
    /// In a word.
    pub fn as_str(&self) -> &'static str {
        match self {
            Self::Unchanged => "unchanged",
            Self::Changed(_) => "changed",
            Self::Missing => "missing",
        }
    }
}

/// What is recorded in `place`, by the names of the folders. Changes nothing, and
/// asks nobody.
pub fn list(place: &Place) -> Result<Vec<Listed>, InstallError> {
    let record = place.record()?;
    let listed = record.skills.into_iter().map(|(slug, installed)| -> Result<Listed, InstallError> {
        let path = place.skill(&slug);
        let state = match look(&path).map_err(at("it can't be looked at", &path))? {
            Found::Nothing | Found::Other(_) => State::Missing,
            Found::Folder(files) => match differences(&installed.files, &files) {
                none if none.is_empty() => State::Unchanged,
                changed => State::Changed(changed),
            },
        };
        Ok(Listed { installed, state })
    });
    listed.collect()
}

/// The latest version of an installed skill at its registry; None where nothing
/// of it can be installed any more.
pub fn latest(source: &Source, installed: &Installed) -> Result<Option<Version>, InstallError> {
    wanted::latest(source, &installed.coordinate)
}
