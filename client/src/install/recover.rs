//! What a run leaves behind in a place when it is killed: finished, put back or
//! cleared by the next one.
//!
//! A run prepares everything in a scratch folder `.skillmirror/tmp-…`. When it is done
//! with it, it names it `rubbish-…` and removes it: of such a folder nothing is ever
//! used again. The folder of skills may have come with a project that somebody else
//! made, with scratch folders in it: only those that belong to whoever runs this, and
//! to nobody else, are looked into, and no link is followed there.

use std::fs::{self, Metadata, Permissions};
use std::io::{self, ErrorKind};
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};

use super::content::{Found, differences, look};
use super::error::{InstallError, at};
use super::place::{Held, OLD, Place, RECORD};
use super::record::Record;

/// What the name of a scratch folder begins with.
const SCRATCH: &str = "tmp-";

/// What it begins with when nobody needs it any more.
const RUBBISH: &str = "rubbish-";

/// The permissions of a scratch folder. No folder that was checked out has them.
const OURS: u32 = 0o700;

/// A new folder to prepare things in; it goes with the value.
pub(super) struct Scratch(PathBuf);

impl Scratch {
    /// Makes one in `own`, so that it is on the file system of the place.
    pub(super) fn new(own: &Path) -> Result<Self, InstallError> {
        let mut builder = tempfile::Builder::new();
        let made = builder.prefix(SCRATCH).permissions(Permissions::from_mode(OURS)).tempdir_in(own);
        made.map(|made| Self(made.keep())).map_err(at("nothing can be made there", own))
    }

    /// Where it is.
    pub(super) fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // What can't be removed is told by the next run.
        let _ = remove(&self.0);
    }
}

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

/// The folders in `own` of such a name that a run of the same person has made.
fn folders(own: &Path, prefix: &str) -> Result<Vec<PathBuf>, InstallError> {
    let all = || -> io::Result<Vec<PathBuf>> {
        let mut all = Vec::new();
        for entry in fs::read_dir(own)? {
            let entry = entry?;
            if entry.file_name().to_string_lossy().starts_with(prefix) && is_ours(&entry.metadata()?) {
                all.push(entry.path());
            }
        }
        Ok(all)
    };
    match all() {
        Err(why) if why.kind() == ErrorKind::NotFound => Ok(Vec::new()),
        all => all.map_err(at("it can't be read", own)),
    }
}

/// `metadata` is of the thing itself, not of what a link leads to.
fn is_ours(metadata: &Metadata) -> bool {
    let is_mine = metadata.uid() == rustix::process::geteuid().as_raw();
    metadata.is_dir() && is_mine && metadata.mode() & 0o777 == OURS
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

/// Removes a scratch folder, or leaves it as rubbish.
fn remove(scratch: &Path) -> io::Result<()> {
    let name = scratch.file_name().unwrap_or_default().to_string_lossy();
    let mut rubbish = scratch.to_owned();
    if let Some(rest) = name.strip_prefix(SCRATCH) {
        rubbish.set_file_name(format!("{RUBBISH}{rest}"));
        fs::rename(scratch, &rubbish)?;
    }
    fs::remove_dir_all(&rubbish).or_else(|_| {
        // A folder that may not be written, which somebody made in a skill.
        allow(&rubbish);
        fs::remove_dir_all(&rubbish)
    })
}

/// Lets whoever runs this change `folder` and all folders below it, as far as may be.
fn allow(folder: &Path) {
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        let _ = fs::set_permissions(&folder, Permissions::from_mode(OURS));
        let entries = fs::read_dir(&folder).into_iter().flatten().flatten();
        // The type is that of a link itself: none is followed.
        let below = entries.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()));
        folders.extend(below.map(|entry| entry.path()));
    }
}
