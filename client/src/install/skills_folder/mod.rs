//! A folder of installed skills, and the bookkeeping in it.
//!
//! `<folder>/<slug>/` is a skill. `<folder>/.skillmirror/` holds the record
//! `installed.json`, the lock file, and the scratch folders of the run that holds the lock.
//! The folder may have been checked out with somebody else's project, so nothing in it is
//! trusted: no link there is followed out of it.

pub(super) mod differences;
pub(super) mod file_marks;
pub(super) mod folder_state;
pub(super) mod lock;
pub(super) mod record;
pub(super) mod recover;
mod scratch;
pub(super) mod swap;

use std::fs;
use std::io::{ErrorKind, Write as _};
use std::path::{Component, Path, PathBuf};

use registry::names::Slug;
use registry::transparency_log::{MAX_PROOF, RowProof};

use super::error::{InstallError, at};
use crate::platform;
use crate::regular_file::{self, Links};
use differences::differences;
use folder_state::{FolderState, inspect};
use record::{Installed, Record};

/// The file name of the record, also of one that is prepared in a scratch folder.
pub(super) const RECORD: &str = "installed.json";

/// The subfolder of a scratch folder that holds replaced or removed skills.
pub(super) const OLD: &str = "old";

/// A folder that skills are installed in. It need not exist.
#[derive(Debug, Clone)]
pub struct SkillsFolder {
    path: PathBuf,
}

impl SkillsFolder {
    /// The skills in the folder `path`.
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Self { path: path.into() }
    }

    /// The path of the folder.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The path of a skill's own folder.
    pub fn skill(&self, slug: &Slug) -> PathBuf {
        self.path.join(slug.as_str())
    }

    /// The folder `.skillmirror` with the bookkeeping.
    fn state(&self) -> PathBuf {
        self.path.join(".skillmirror")
    }

    /// The file with the proof of a skill.
    fn proof_file(&self, slug: &Slug) -> PathBuf {
        self.state().join(format!("{slug}.proof"))
    }

    /// Keeps the proof of an installed skill, unless it has one of the same row.
    pub(super) fn keep_proof(&self, slug: &Slug, proof: &RowProof) -> Result<(), InstallError> {
        self.check()?;
        if self.proof(slug)?.is_some_and(|known| known.row == proof.row) {
            return Ok(());
        }
        let path = self.proof_file(slug);
        let write = || {
            // Other files of the folder may be checked in with a project, too.
            let mut builder = tempfile::Builder::new();
            platform::set_mode(&mut builder, 0o644);
            let mut file = builder.tempfile_in(self.state())?;
            file.write_all(proof.to_string().as_bytes())?;
            file.persist(&path)?;
            Ok(())
        };
        write().map_err(at("cannot write", &path))
    }

    /// Reads the proof of an installed skill. None if there is none, or if it is damaged.
    pub(super) fn proof(&self, slug: &Slug) -> Result<Option<RowProof>, InstallError> {
        let path = self.proof_file(slug);
        match regular_file::read(&path, Links::Refuse, MAX_PROOF) {
            Ok(text) => Ok(RowProof::parse(&String::from_utf8_lossy(&text)).ok()),
            Err(why) if why.kind() == ErrorKind::NotFound || why.raw_os_error().is_none() => Ok(None),
            Err(why) => Err(at("cannot read", &path)(why)),
        }
    }

    /// Removes the proof of a skill that is no longer installed, if it can.
    pub(super) fn remove_proof(&self, slug: &Slug) {
        let _ = fs::remove_file(self.proof_file(slug));
    }

    /// Reads the record. Empty if nothing was installed here.
    pub(super) fn record(&self) -> Result<Record, InstallError> {
        self.check()?;
        Record::read(&self.state().join(RECORD), &|name, installed| self.has(name, installed))
    }

    /// Whether the folder of a skill has exactly the files of an entry.
    fn has(&self, name: &Slug, installed: &Installed) -> bool {
        let path = self.skill(name);
        match inspect(&path) {
            Ok(FolderState::Folder(found)) => differences(&path, &installed.files, &found).is_empty(),
            _ => false,
        }
    }

    /// Checks that the folder and `.skillmirror` are folders or missing. Below the current
    /// folder nothing may be a link, because it could have come with somebody else's project.
    /// The folder itself may be one if its user named it by its absolute path.
    fn check(&self) -> Result<(), InstallError> {
        let path = self.path.clone();
        if let Some(link) = self.link_in_project() {
            return Err(InstallError::LinkInProject { link });
        }
        match fs::metadata(&path) {
            Ok(metadata) if metadata.is_dir() => {}
            Ok(_) => return Err(InstallError::NotAFolder { path, found: "a file" }),
            Err(why) if why.kind() == ErrorKind::NotFound => {
                // Another run may just have created the folder, so only a link is an error.
                if fs::symlink_metadata(&path).is_ok_and(|metadata| metadata.is_symlink()) {
                    return Err(InstallError::NotAFolder { path, found: "a broken symbolic link" });
                }
            }
            Err(why) => return Err(at("cannot inspect", &path)(why)),
        }
        let path = self.state();
        let found = match fs::symlink_metadata(&path) {
            Ok(metadata) if metadata.is_dir() => return Ok(()),
            Ok(metadata) if metadata.is_symlink() => "a symbolic link",
            Ok(_) => "a file",
            Err(why) if why.kind() == ErrorKind::NotFound => return Ok(()),
            Err(why) => return Err(at("cannot inspect", &path)(why)),
        };
        Err(InstallError::NotAFolder { path, found })
    }

    /// The first symbolic link in the path, if the path is below the current folder.
    fn link_in_project(&self) -> Option<PathBuf> {
        if self.path.components().any(|part| !matches!(part, Component::Normal(_) | Component::CurDir)) {
            return None;
        }
        let mut parts: Vec<&Path> =
            self.path.ancestors().filter(|part| !part.as_os_str().is_empty()).collect();
        parts.reverse();
        let is_link = |part: &&Path| fs::symlink_metadata(part).is_ok_and(|found| found.is_symlink());
        parts.into_iter().find(is_link).map(Path::to_owned)
    }
}
