//! Installing skills into a folder, and what was installed there.
//!
//! [`install()`] asks what a reference stands for (`wanted`), compares that with
//! what is there (`content`, `record`, `judge`), fetches and checks the package
//! (`fetch`), and puts it there in one step (`put`) while it holds the lock of the
//! folder (`place`). Nothing is written before the package is known to be right.

mod agents;
mod content;
mod error;
mod fetch;
mod judge;
mod list;
mod place;
mod put;
mod record;
mod uninstall;
mod wanted;

pub use agents::{Agent, Reach, UnknownAgent};
pub use content::{FileMark, FileMarks};
pub use error::InstallError;
pub use judge::Force;
pub use list::{Listed, State, latest, list};
pub use place::Place;
pub use record::Installed;
pub use uninstall::{Uninstalled, uninstall};

use std::path::PathBuf;

use registry::names::Version;
use registry::package::Unpacked;
use registry::time::Timestamp;

use crate::{SkillReference, Source};

use error::at;
use judge::{Step, judge};
use place::{OLD, RECORD};
use wanted::Wanted;

/// What became of an installation.
#[derive(Debug, Clone)]
pub struct Outcome {
    /// What is there now.
    pub installed: Installed,
    /// Where.
    pub path: PathBuf,
    /// What was done for it.
    pub change: Change,
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

/// Installs what `reference` stands for at `source` into `place`: at most three
/// requests, of which `progress` is told the bytes of the last one so far, and how
/// many there will be.
///
/// Errors: what is there and what the record says are as before.
pub fn install(
    place: &Place,
    source: &Source,
    reference: &SkillReference,
    force: Force,
    progress: &mut dyn FnMut(u64, Option<u64>),
) -> Result<Outcome, InstallError> {
    place.recover()?;
    // A record that can't be read is found before anything is asked.
    place.record()?;
    let wanted = Wanted::ask(source, reference)?;
    let registry = source.address().to_string();
    if let Some(there) = already(place, &wanted, &registry, force)? {
        return Ok(there);
    }
    let package = fetch::fetch(source, &wanted, progress)?;
    put_there(place, wanted, &package, registry, force)
}

/// What is there, where nothing has to be done; an error where nothing may be.
fn already(
    place: &Place,
    wanted: &Wanted,
    registry: &str,
    force: Force,
) -> Result<Option<Outcome>, InstallError> {
    let see = || {
        let record = place.record()?;
        let slug = &wanted.coordinate.slug;
        let (path, recorded) = (place.skill(slug), record.skills.get(slug));
        let found = content::look(&path).map_err(at("it can't be looked at", &path))?;
        let step = judge(&path, &found, recorded, wanted, registry, force)?;
        let there = recorded.filter(|_| step == Step::AlreadyThere).cloned();
        Ok(there.map(|installed| Outcome { installed, path, change: Change::AlreadyThere }))
    };
    see().or_else(|why| match place.lock_there() {
        // Another run may just have been between its folder and its record.
        Some(_held) => see(),
        None => Err(why),
    })
}

/// Writes the package and the record, and puts both into their places.
fn put_there(
    place: &Place,
    wanted: Wanted,
    package: &Unpacked,
    registry: String,
    force: Force,
) -> Result<Outcome, InstallError> {
    let held = place.lock()?;
    let mut record = place.record()?;
    let slug = wanted.coordinate.slug.clone();
    let path = place.skill(&slug);
    // Another run may have been first since this one looked.
    let found = content::look(&path).map_err(at("it can't be looked at", &path))?;
    let recorded = record.skills.get(&slug);
    let replaced = match (judge(&path, &found, recorded, &wanted, &registry, force)?, recorded) {
        (Step::Put(replaced), _) => replaced,
        (Step::AlreadyThere, recorded) => {
            let installed = recorded.cloned().unwrap_or_else(|| record_of(wanted, package, registry));
            return Ok(Outcome { installed, path, change: Change::AlreadyThere });
        }
    };
    let installed = record_of(wanted, package, registry);
    let scratch = held.scratch()?;
    let [new, old] = ["new", OLD].map(|name| scratch.path().join(name).join(slug.as_str()));
    put::write_files(package, &new)?;
    record.skills.insert(slug, installed.clone());
    let prepared = scratch.path().join(RECORD);
    record.write(&prepared)?;
    let done = match &replaced {
        None => put::put(&new, &path)?,
        Some(_) => put::replace(&new, &path, &old)?,
    };
    if let Err(why) = held.publish(&prepared) {
        done.undo()?;
        return Err(why);
    }
    let change = replaced.map_or(Change::Installed, Change::Replaced);
    Ok(Outcome { installed, path, change })
}

/// What the record is to say.
fn record_of(wanted: Wanted, package: &Unpacked, registry: String) -> Installed {
    let Wanted { coordinate, version, sha256, requested, .. } = wanted;
    Installed {
        coordinate,
        version,
        sha256,
        content_digest: package.content_digest(),
        registry,
        requested,
        installed_at: Timestamp::now(),
        files: content::marks(package),
    }
}
