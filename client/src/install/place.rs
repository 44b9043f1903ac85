//! A folder of skills, and what is kept in it for those who install there.
//!
//! `<folder>/<slug>/` is a skill; `<folder>/.skillmirror/` has the record
//! `installed.json`, the lock, and `tmp-…/` of whoever holds the lock.

use std::fs::{self, File};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use registry::names::Slug;
use rustix::fs::{Mode, OFlags};
use tempfile::TempDir;

use super::content::{Found, differences, look};
use super::error::{InstallError, at};
use super::record::Record;

/// What the scratch folders of those who hold the lock begin with.
const SCRATCH: &str = "tmp-";

/// The record, also where it waits in a scratch folder.
pub(super) const RECORD: &str = "installed.json";

/// Where an old folder waits in a scratch folder.
pub(super) const OLD: &str = "old";

/// A folder that skills are installed in. It need not exist.
#[derive(Debug, Clone)]
pub struct Place {
    folder: PathBuf,
}

/// The right to change a place: nobody else has it at the same time.
pub(super) struct Held<'p> {
    place: &'p Place,
    /// Unlocked when closed, also by the end of the process.
    _lock: File,
}

impl Place {
    /// The skills in `folder`.
    pub fn new(folder: impl Into<PathBuf>) -> Self {
        Self { folder: folder.into() }
    }

    /// The folder itself.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Where a skill is.
    pub fn skill(&self, slug: &Slug) -> PathBuf {
        self.folder.join(slug.as_str())
    }

    fn own(&self) -> PathBuf {
        self.folder.join(".skillmirror")
    }

    fn record_path(&self) -> PathBuf {
        self.own().join(RECORD)
    }

    /// What is recorded here.
    pub(super) fn record(&self) -> Result<Record, InstallError> {
        self.check_own()?;
        Record::read(&self.record_path())
    }

    /// Finishes what a killed run has begun, where one has. Cheap where none has.
    pub(super) fn recover(&self) -> Result<(), InstallError> {
        match self.scratches() {
            Ok(none) if none.is_empty() => Ok(()),
            // Whoever makes them holds the lock; with the lock held they have no owner.
            Ok(_) => self.lock().map(drop),
            Err(why) if why.kind() == ErrorKind::NotFound => Ok(()),
            Err(why) => Err(at("it can't be read", &self.own())(why)),
        }
    }

    /// Waits until nobody else changes this place. Makes the folder where it is
    /// missing, and clears what a killed run has left.
    pub(super) fn lock(&self) -> Result<Held<'_>, InstallError> {
        let own = self.own();
        self.check_own()?;
        fs::create_dir_all(&own).map_err(at("it can't be made", &own))?;
        let path = own.join("lock");
        // A link here would have another file made, somewhere else.
        let flags = OFlags::CREATE | OFlags::RDWR | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let opened = rustix::fs::open(&path, flags, Mode::from_raw_mode(0o644)).map(File::from);
        let lock = opened.map_err(|why| at("it can't be opened", &path)(why.into()))?;
        lock.lock().map_err(at("it can't be locked", &path))?;
        let held = Held { place: self, _lock: lock };
        held.clear()?;
        Ok(held)
    }

    /// The same where somebody has locked it before: nothing new is made for a look.
    /// None where nobody has, or where it can't be locked.
    pub(super) fn lock_there(&self) -> Option<Held<'_>> {
        if self.own().join("lock").exists() { self.lock().ok() } else { None }
    }

    /// A link in the place of `.skillmirror` would lead out of the folder.
    fn check_own(&self) -> Result<(), InstallError> {
        let path = self.own();
        let found = match fs::symlink_metadata(&path) {
            Ok(there) if there.is_dir() => return Ok(()),
            Ok(there) if there.is_symlink() => "a symbolic link",
            Ok(_) => "a file",
            Err(why) if why.kind() == ErrorKind::NotFound => return Ok(()),
            Err(why) => return Err(at("it can't be looked at", &path)(why)),
        };
        Err(InstallError::NotAFolder { path, found })
    }

    fn scratches(&self) -> io::Result<Vec<PathBuf>> {
        let mut all = Vec::new();
        for entry in fs::read_dir(self.own())? {
            let entry = entry?;
            // A link would lead to what nobody here has made.
            if entry.file_type()?.is_dir() && entry.file_name().to_string_lossy().starts_with(SCRATCH) {
                all.push(entry.path());
            }
        }
        Ok(all)
    }
}

impl Held<'_> {
    /// A new folder to prepare things in, on the file system of the place; it
    /// goes with the value.
    pub(super) fn scratch(&self) -> Result<TempDir, InstallError> {
        let own = self.place.own();
        tempfile::Builder::new()
            .prefix(SCRATCH)
            .tempdir_in(&own)
            .map_err(at("nothing can be made there", &own))
    }

    /// Puts a prepared record into its place.
    pub(super) fn publish(&self, prepared: &Path) -> Result<(), InstallError> {
        let path = self.place.record_path();
        fs::rename(prepared, &path).map_err(at("it can't be replaced", &path))
    }

    /// Clears the scratch folders, whose owners are gone. What such a run has
    /// finished but for its record is recorded; a folder that it had moved aside
    /// comes back.
    fn clear(&self) -> Result<(), InstallError> {
        let own = self.place.own();
        let scratches = self.place.scratches().map_err(at("it can't be read", &own))?;
        for scratch in scratches {
            self.finish(&scratch)?;
            fs::remove_dir_all(&scratch).map_err(at("it can't be removed", &scratch))?;
        }
        Ok(())
    }

    fn finish(&self, scratch: &Path) -> Result<(), InstallError> {
        // A record that was not written to its end was not to be used yet.
        let Ok(prepared) = Record::read(&scratch.join(RECORD)) else { return Ok(()) };
        let mut record = self.place.record()?;
        let mut is_new = false;
        for (slug, installed) in prepared.skills {
            let path = self.place.skill(&slug);
            if record.skills.get(&slug) == Some(&installed) {
                continue;
            }
            let found = look(&path).map_err(at("it can't be looked at", &path))?;
            if matches!(&found, Found::Folder(files) if differences(&installed.files, files).is_empty()) {
                record.skills.insert(slug, installed);
                is_new = true;
            }
        }
        for slug in record.skills.keys() {
            let (old, path) = (scratch.join(OLD).join(slug.as_str()), self.place.skill(slug));
            if old.is_dir() && fs::symlink_metadata(&path).is_err() {
                fs::rename(&old, &path).map_err(at("it can't be put back", &path))?;
            }
        }
        if is_new {
            let again = scratch.join("recovered.json");
            record.write(&again)?;
            self.publish(&again)?;
        }
        Ok(())
    }
}
