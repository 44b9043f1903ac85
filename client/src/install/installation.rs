//! Installs one skill: new, or over an earlier version of itself.

use std::path::PathBuf;

use registry::names::Version;
use registry::package::Unpacked;
use registry::time::Timestamp;

use super::decide::{Decision, Plan};
use super::error::InstallError;
use super::fetch::fetch;
use super::release::Release;
use super::skills_folder::content::{inspect, marks};
use super::skills_folder::lock::FolderLock;
use super::skills_folder::record::{Installed, Record};
use super::skills_folder::recover::{lock, lock_existing, recover};
use super::skills_folder::{OLD, SkillsFolder, swap};
use crate::http::Progress;
use crate::{SkillReference, Source};

/// The skill to install, and its target folder.
pub struct InstallRequest<'a> {
    /// The folder of skills.
    pub folder: &'a SkillsFolder,
    /// The registry.
    pub source: &'a Source,
    /// The skill, and perhaps its version or tag.
    pub reference: &'a SkillReference,
    /// Overwrite a skill that was changed or came from another registry. The folder of
    /// another skill, or of one that is not recorded, is never overwritten.
    pub force: bool,
}

/// The result of an installation.
#[derive(Debug, Clone)]
pub struct Outcome {
    /// The entry of the record.
    pub installed: Installed,
    /// The folder of the skill.
    pub path: PathBuf,
    /// What the installation changed.
    pub change: Change,
    /// Unused folders of earlier runs that cannot be removed.
    pub unremovable: Vec<PathBuf>,
}

/// What an installation changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Change {
    /// The skill is new.
    Installed,
    /// The skill replaced this version of itself.
    Replaced(Version),
    /// Nothing: the version was already installed.
    AlreadyThere,
}

/// Installs a skill with at most three requests. `progress` hears of the download of the
/// package. On an error the folder and its record are as before.
pub fn install(request: &InstallRequest<'_>, progress: Progress<'_>) -> Result<Outcome, InstallError> {
    let InstallRequest { folder, source, reference, force } = *request;
    let unremovable = recover(folder)?;
    // Fails on a damaged record before any request is sent.
    folder.record()?;
    let release = Release::resolve(source, reference)?;
    let run = Installation { folder, release, registry: source.address().to_string(), force };
    let existing = match run.existing()? {
        Some(installed) if run.renewed(&installed).is_some() => run.renew()?,
        existing => existing,
    };
    let (installed, change) = match existing {
        Some(installed) => (installed, Change::AlreadyThere),
        None => run.put(&fetch(source, &run.release, progress)?)?,
    };
    Ok(Outcome { installed, path: run.path(), change, unremovable })
}

/// An installation after its release was resolved.
struct Installation<'f> {
    folder: &'f SkillsFolder,
    release: Release,
    registry: String,
    force: bool,
}

impl Installation<'_> {
    fn path(&self) -> PathBuf {
        self.folder.skill(&self.release.coordinate.slug)
    }

    fn decide<'r>(&self, record: &'r Record) -> Result<Plan<'r>, InstallError> {
        let path = self.path();
        let decision = Decision {
            path: &path,
            state: &inspect(&path)?,
            recorded: record.skills.get(&self.release.coordinate.slug),
            release: &self.release,
            registry: &self.registry,
            force: self.force,
        };
        decision.decide()
    }

    /// The installed skill, if it is already the release. Fails if the release may not be
    /// installed.
    fn existing(&self) -> Result<Option<Installed>, InstallError> {
        let check = || match self.decide(&self.folder.record()?)? {
            Plan::Keep(installed) => Ok(Some(installed.clone())),
            Plan::Put(_) => Ok(None),
        };
        check().or_else(|why| match lock_existing(self.folder) {
            // Another run may have swapped the folder and not yet published its record.
            Some(_lock) => check(),
            None => Err(why),
        })
    }

    /// The updated entry for an installed skill, with this request's tag and registry. None
    /// if the entry is up to date. Only `force` changes the registry.
    fn renewed(&self, installed: &Installed) -> Option<Installed> {
        let (requested, registry) = (self.release.requested.clone(), self.registry.clone());
        let is_allowed = installed.registry == registry || self.force;
        let renewed = Installed { requested, registry, ..installed.clone() };
        (is_allowed && renewed != *installed).then_some(renewed)
    }

    /// Updates the entry of the installed skill. None if it is no longer the release.
    fn renew(&self) -> Result<Option<Installed>, InstallError> {
        let lock = lock(self.folder)?;
        let record = self.folder.record()?;
        match self.decide(&record)? {
            Plan::Keep(installed) => self.write_renewed(&lock, &record, installed).map(Some),
            Plan::Put(_) => Ok(None),
        }
    }

    fn write_renewed(
        &self,
        lock: &FolderLock<'_>,
        record: &Record,
        installed: &Installed,
    ) -> Result<Installed, InstallError> {
        let Some(renewed) = self.renewed(installed) else { return Ok(installed.clone()) };
        let mut record = record.clone();
        record.skills.insert(self.release.coordinate.slug.clone(), renewed.clone());
        lock.write_record(&record)?;
        Ok(renewed)
    }

    /// Writes the package and the record to a scratch folder, and swaps both in.
    fn put(&self, package: &Unpacked) -> Result<(Installed, Change), InstallError> {
        let lock = lock(self.folder)?;
        let mut record = self.folder.record()?;
        let replaced = match self.decide(&record)? {
            Plan::Put(replaced) => replaced,
            // Another run has installed the release since the first check.
            Plan::Keep(installed) => {
                return Ok((self.write_renewed(&lock, &record, installed)?, Change::AlreadyThere));
            }
        };
        let (slug, path) = (&self.release.coordinate.slug, self.path());
        let installed = self.entry(package);
        let scratch = lock.scratch()?;
        let [new, old] = ["new", OLD].map(|name| scratch.path().join(name).join(slug.as_str()));
        swap::write_files(package, &new)?;
        record.skills.insert(slug.clone(), installed.clone());
        let prepared = scratch.prepare(&record)?;
        let swap = match &replaced {
            None => swap::put(&new, &path)?,
            Some(_) => swap::replace(&new, &path, &old)?,
        };
        if let Err(why) = lock.publish(&prepared) {
            swap.undo()?;
            return Err(why);
        }
        Ok((installed, replaced.map_or(Change::Installed, Change::Replaced)))
    }

    /// The entry of the record for a package installed now.
    fn entry(&self, package: &Unpacked) -> Installed {
        let Release { coordinate, version, sha256, requested, .. } = self.release.clone();
        Installed {
            coordinate,
            version,
            sha256,
            content_digest: package.content_digest(),
            registry: self.registry.clone(),
            requested,
            installed_at: Timestamp::now(),
            files: marks(package),
        }
    }
}
