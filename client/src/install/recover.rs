//! What a run leaves behind in a place when it is killed: finished, put back or
//! cleared by the next one.
//!
//! A run prepares everything in a scratch folder `.skillmirror/tmp-…`. When it is done
//! with it, it names it `rubbish-…` and removes it: of such a folder nothing is ever
//! used again. The folder of skills may have come with a project that somebody else
//! made, with scratch folders in it: only those that belong to whoever runs this, and
//! to nobody else, are looked into, and no link is followed there.

use std::fs;
use std::path::{Path, PathBuf};

use super::content::{Found, differences, look};
use super::error::{InstallError, at};
use super::place::{Held, OLD, Place, RECORD};
use super::record::Record;
use super::scratch::{RUBBISH, SCRATCH, Scratch, folders, remove};

/// Whether there is anything to clear in `own`.
pub(super) fn is_needed(own: &Path) -> Result<bool, InstallError> {
    Ok(!(folders(own, SCRATCH)?.is_empty() && folders(own, RUBBISH)?.is_empty()))
}

/// Clears the scratch folders of a held place, whose owners are gone. What such a run
/// has finished but for its record is recorded; a folder that it had moved aside comes
/// back. Returns what can't be removed, which is in nobody's way.
pub(super) fn clear(held: &Held) -> Result<Vec<PathBuf>, InstallError> {
    let own = held.place().own();
    for scratch in folders(&own, SCRATCH)? {
        finish(held, &scratch)?;
        let _ = remove(&scratch);
    }
    let rubbish = folders(&own, RUBBISH)?;
    Ok(rubbish.into_iter().filter_map(|rubbish| remove(&rubbish).err().map(|_| rubbish)).collect())
}

/// Brings to its end what was begun in `scratch`.
fn finish(held: &Held, scratch: &Path) -> Result<(), InstallError> {
    // A record that was not written to its end was not to be used yet.
    let Ok(prepared) = Record::read(&scratch.join(RECORD)) else { return Ok(()) };
    let place = held.place();
    let mut record = place.record()?;
    let mut is_new = false;
    for (slug, installed) in prepared.skills {
        let path = place.skill(&slug);
        if record.skills.get(&slug) == Some(&installed) {
            continue;
        }
        let found = look(&path).map_err(at("it can't be looked at", &path))?;
        if matches!(&found, Found::Folder(files) if differences(&installed.files, files).is_empty()) {
            record.skills.insert(slug, installed);
            is_new = true;
        }
    }
    put_back(place, &record, &scratch.join(OLD))?;
    if is_new {
        let again = Scratch::new(&place.own())?;
        let prepared = again.path().join(RECORD);
        record.write(&prepared)?;
        held.publish(&prepared)?;
    }
    Ok(())
}

/// Puts folders that were moved aside to `old` back to where nothing is now.
fn put_back(place: &Place, record: &Record, old: &Path) -> Result<(), InstallError> {
    if !is_folder(old) {
        return Ok(());
    }
    for slug in record.skills.keys() {
        let (old, path) = (old.join(slug.as_str()), place.skill(slug));
        if is_folder(&old) && fs::symlink_metadata(&path).is_err() {
            fs::rename(&old, &path).map_err(at("it can't be put back", &path))?;
        }
    }
    Ok(())
}

/// Whether a folder is there itself, and not a link to one.
fn is_folder(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok_and(|there| there.is_dir())
}
