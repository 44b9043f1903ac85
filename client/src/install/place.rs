//! A folder of skills, and what is kept in it for those who install there.
//!
//! `<folder>/<slug>/` is a skill; `<folder>/.skillmirror/` has the record
//! `installed.json`, the lock, and the scratch folders of whoever holds the lock. All
//! below the folder may have come with a project that somebody else made: nothing there
//! leads out of it.

use std::fs::{self, File};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use registry::names::Slug;
use rustix::fs::{Mode, OFlags};

use super::error::{InstallError, at};
use super::record::Record;
use super::recover;
use super::scratch::Scratch;

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

    pub(super) fn own(&self) -> PathBuf {
        self.folder.join(".skillmirror")
    }

    fn record_path(&self) -> PathBuf {
        self.own().join(RECORD)
    }

    /// What is recorded here.
    pub(super) fn record(&self) -> Result<Record, InstallError> {
        self.check()?;
        Record::read(&self.record_path())
    }

    /// Finishes what a killed run has begun, where one has. Cheap where none has.
    /// Returns folders that are of no use and can't be removed.
    pub(super) fn recover(&self) -> Result<Vec<PathBuf>, InstallError> {
        self.check()?;
        // Whoever makes them holds the lock; with the lock held they have no owner.
        if recover::is_needed(&self.own())? { self.hold().map(|(_held, left)| left) } else { Ok(Vec::new()) }
    }

    /// Waits until nobody else changes this place. Makes the folder where it is
    /// missing, and clears what a killed run has left.
    pub(super) fn lock(&self) -> Result<Held<'_>, InstallError> {
        self.hold().map(|(held, _left)| held)
    }

    fn hold(&self) -> Result<(Held<'_>, Vec<PathBuf>), InstallError> {
        let own = self.own();
        self.check()?;
        fs::create_dir_all(&own).map_err(at("it can't be made", &own))?;
        let path = own.join("lock");
        // A link here would have another file made, somewhere else.
        let flags = OFlags::CREATE | OFlags::RDWR | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
        let opened = rustix::fs::open(&path, flags, Mode::from_raw_mode(0o644)).map(File::from);
        let lock = opened.map_err(|why| at("it can't be opened", &path)(why.into()))?;
        lock.lock().map_err(at("it can't be locked", &path))?;
        let held = Held { place: self, _lock: lock };
        let left = recover::clear(&held)?;
        Ok((held, left))
    }

    /// The same where somebody has locked it before: nothing new is made for a look.
    /// None where nobody has, or where it can't be locked.
    pub(super) fn lock_there(&self) -> Option<Held<'_>> {
        if self.own().join("lock").exists() { self.lock().ok() } else { None }
    }

    /// Whether both folders are folders, as far as they are there. The folder of skills
    /// may be a link, which whoever names it knows; a link in the place of
    /// `.skillmirror` would lead out of it.
    fn check(&self) -> Result<(), InstallError> {
        let path = self.folder.clone();
        match fs::metadata(&path) {
            Ok(there) if there.is_dir() => {}
            Ok(_) => return Err(InstallError::NotAFolder { path, found: "a file" }),
            Err(why) if why.kind() == ErrorKind::NotFound => {
                // What is there by now and no link is the folder that another run has made.
                if fs::symlink_metadata(&path).is_ok_and(|there| there.is_symlink()) {
                    let found = "a symbolic link to something that is not there";
                    return Err(InstallError::NotAFolder { path, found });
                }
            }
            Err(why) => return Err(at("it can't be looked at", &path)(why)),
        }
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
}

impl<'p> Held<'p> {
    /// What is held.
    pub(super) fn place(&self) -> &'p Place {
        self.place
    }

    /// A new folder to prepare things in, on the file system of the place.
    pub(super) fn scratch(&self) -> Result<Scratch, InstallError> {
        Scratch::new(&self.place.own())
    }

    /// Puts a prepared record into its place.
    pub(super) fn publish(&self, prepared: &Path) -> Result<(), InstallError> {
        let path = self.place.record_path();
        // The name is not waited for: after a loss of power there is the record before or
        // this one, and both are whole.
        fs::rename(prepared, &path).map_err(at("it can't be replaced", &path))
    }
}
