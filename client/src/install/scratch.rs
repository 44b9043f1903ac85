//! Scratch folders, in which a run prepares things, and what becomes of them.

use std::fs::{self, Metadata, Permissions};
use std::io::{self, ErrorKind};
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};

use super::error::{InstallError, at};

/// What the name of a scratch folder begins with.
pub(super) const SCRATCH: &str = "tmp-";

/// What it begins with when nobody needs it any more.
pub(super) const RUBBISH: &str = "rubbish-";

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

/// The folders in `own` of such a name that a run of the same person has made.
pub(super) fn folders(own: &Path, prefix: &str) -> Result<Vec<PathBuf>, InstallError> {
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

/// Removes a scratch folder, or leaves it as rubbish.
pub(super) fn remove(scratch: &Path) -> io::Result<()> {
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
