//! Installs one skill: new, or over an earlier version of itself.

use std::fs;
use std::io::ErrorKind;
use std::path::PathBuf;

use registry::api::public::AdvisoryNote;
use registry::names::{Slug, Version};
use registry::package::{Unpacked, litter};
use registry::time::Timestamp;

use super::error::{InstallError, at};
use super::installation::{Installation, Plan};
use super::release::{Release, published_files};
use super::skills_folder::differences::{ForeignCode, differences, unverified_warning};
use super::skills_folder::file_marks::marks;
use super::skills_folder::folder_state::{FolderState, inspect};
use super::skills_folder::lock::FolderLock;
use super::skills_folder::record::{InLog, Installed, Record};
use super::skills_folder::recover::{lock, lock_existing, recover};
use super::skills_folder::{OLD, SkillsFolder, swap};
use crate::advisories::advisory_warning;
use crate::history::ProvedVersion;
use crate::http::Progress;
use crate::skills::closure::Member;
use crate::skills::{Needed, link};
use crate::{Source, notice};

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
    /// The advisories that hold for the version, if its registry was asked.
    pub advisories: Vec<AdvisoryNote<'static>>,
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

/// A release to install, and its target folder.
pub struct Placement<'a> {
    /// The folder of skills.
    pub folder: &'a SkillsFolder,
    /// The name of the skill's own folder.
    pub name: &'a Slug,
    /// The registry.
    pub source: &'a Source,
    /// The release.
    pub release: &'a Release,
    /// The release in the history of the registry, if the user trusts its keys.
    pub proved: Option<&'a ProvedVersion>,
    /// Overwrite a skill that was changed or came from another registry. The folder of
    /// another skill, or of one that is not recorded, is never overwritten.
    pub force: bool,
    /// Whether somebody asks for it. An earlier installation may have asked.
    pub is_asked: bool,
}

/// Records what those members of a choice require that are installed in a folder that no lock file has.
pub fn link_record(folder: &SkillsFolder, members: &[Member]) -> Result<(), InstallError> {
    let lock = lock(folder)?;
    let before = folder.record()?;
    let mut record = before.clone();
    let installed = record.skills.values_mut();
    link(installed.map(|it| (&it.coordinate, &it.version, &mut it.needed)), members);
    if record == before { Ok(()) } else { lock.write_record(&record) }
}

/// Records that nobody asks for a skill any more, in a folder that no lock file has.
pub fn forget_asked(folder: &SkillsFolder, name: &Slug) -> Result<(), InstallError> {
    let lock = lock(folder)?;
    let mut record = folder.record()?;
    if let Some(installed) = record.skills.get_mut(name) {
        installed.needed.is_asked = false;
    }
    lock.write_record(&record)
}

impl Placement<'_> {
    /// Installs the release. Sends one request for the package, if no other placement of the same
    /// release did. On an error the folder and its record are as before.
    pub fn install(&self, progress: Progress<'_>) -> Result<Outcome, InstallError> {
        let Self { folder, name, source, release, proved, force, is_asked } = *self;
        let unremovable = recover(folder)?;
        folder.record()?;
        // Without the document of the version, only the package says what its content is.
        let content = release.content(source, progress)?;
        let registry = source.registry().to_string();
        let log = proved.map(InLog::from);
        let name = name.clone();
        let run = Installation { folder, name, release, content, registry, log, force, is_asked };
        let existing = match run.existing().map_err(|why| run.name_files(source, why))? {
            Some((installed, foreign))
                if run.renewed(&installed).is_some() || !foreign.compiled.is_empty() =>
            {
                run.renew()?
            }
            existing => existing.map(|(installed, _)| installed),
        };
        let (installed, change) = match existing {
            // The record may have other digests, but these were compared.
            Some(installed) => {
                let sha256 = release.sha256;
                (Installed { sha256, content_digest: content, ..installed }, Change::AlreadyThere)
            }
            None => run.put(release.package(source, progress)?)?,
        };
        if let Some(proved) = proved {
            folder.keep_proof(&run.name, &proved.proof)?;
        }
        for note in &release.facts.advisories {
            notice::show(&advisory_warning(&release.coordinate, &release.version, note));
        }
        let advisories = release.facts.advisories.clone();
        Ok(Outcome { installed, path: run.path(), change, unremovable, advisories })
    }
}

impl Installation<'_> {
    fn plan<'r>(&self, record: &'r Record) -> Result<Plan<'r>, InstallError> {
        self.decide(&inspect(&self.path())?, record.skills.get(&self.name))
    }

    /// The installed skill, if it is already the release, and code in its folder that is not from there.
    /// Fails if the release may not be installed.
    fn existing(&self) -> Result<Option<(Installed, ForeignCode)>, InstallError> {
        let check = || match self.plan(&self.folder.record()?)? {
            Plan::Keep(installed, foreign) => {
                let kept = ForeignCode { compiled: Vec::new(), ..foreign.clone() };
                if !kept.is_empty() {
                    notice::show(&unverified_warning(&self.path(), &kept.roots()));
                }
                Ok(Some((installed.clone(), foreign)))
            }
            Plan::Put(_) => Ok(None),
        };
        check().or_else(|why| match lock_existing(self.folder) {
            // Another run may have swapped the folder and not yet published its record.
            Some(_lock) => check(),
            None => Err(why),
        })
    }

    /// Names the files that differ from those of the registry, if it has a list of them.
    fn name_files(&self, source: &Source, why: InstallError) -> InstallError {
        let InstallError::NotAsPublished { path, skill, registry, files } = why else { return why };
        let Release { coordinate, version, .. } = self.release;
        let differing = published_files(source, coordinate, version, &self.content).zip(inspect(&path).ok());
        let files = match differing {
            Some((published, FolderState::Folder(found))) => differences(&path, &published, &found),
            _ => files,
        };
        InstallError::NotAsPublished { path, skill, registry, files }
    }

    /// The updated entry for an installed skill, with this request's tag and registry. None
    /// if the entry is up to date. Only `force` changes the registry.
    fn renewed(&self, installed: &Installed) -> Option<Installed> {
        let (requested, registry) = (self.release.requested.clone(), self.registry.clone());
        let is_allowed = installed.registry == registry || self.force;
        let (sha256, content_digest) = (self.release.sha256, self.content);
        // A proof of the same row is as good as a new one.
        let log = match (&self.log, &installed.log) {
            (Some(new), Some(known)) if new.revision == known.revision => Some(known),
            (new, known) => new.as_ref().or(known.as_ref()),
        };
        let log = log.cloned();
        let needed = self.needed(Some(installed));
        let renewed =
            Installed { requested, registry, sha256, content_digest, log, needed, ..installed.clone() };
        (is_allowed && renewed != *installed).then_some(renewed)
    }

    /// Why it is installed from now on.
    fn needed(&self, known: Option<&Installed>) -> Needed {
        let known = known.filter(|known| known.coordinate == self.release.coordinate);
        let known = known
            .map(|known| known.needed.clone())
            .unwrap_or(Needed { is_asked: false, ..Needed::default() });
        Needed { is_asked: self.is_asked || known.is_asked, ..known }
    }

    /// Updates the entry of the installed skill, and removes compiled scripts that are not from there. None
    /// if it is no longer the release.
    fn renew(&self) -> Result<Option<Installed>, InstallError> {
        let lock = lock(self.folder)?;
        let record = self.folder.record()?;
        match self.plan(&record)? {
            Plan::Keep(installed, foreign) => {
                self.remove_compiled(&foreign)?;
                self.write_renewed(&lock, &record, installed).map(Some)
            }
            Plan::Put(_) => Ok(None),
        }
    }

    /// Removes compiled scripts that nobody vouches for, and folders that have nothing else. Runs write them
    /// again.
    fn remove_compiled(&self, foreign: &ForeignCode) -> Result<(), InstallError> {
        for path in &foreign.compiled {
            let file = self.path().join(path);
            match fs::remove_file(&file) {
                Err(why) if why.kind() != ErrorKind::NotFound => {
                    return Err(at("cannot remove", &file)(why));
                }
                _ => {}
            }
            let root = self.path().join(litter(path).map_or(path.as_str(), |litter| litter.root));
            for folder in file.ancestors().skip(1).take_while(|folder| folder.starts_with(&root)) {
                // It has other files.
                if fs::remove_dir(folder).is_err() {
                    break;
                }
            }
        }
        Ok(())
    }

    fn write_renewed(
        &self,
        lock: &FolderLock<'_>,
        record: &Record,
        installed: &Installed,
    ) -> Result<Installed, InstallError> {
        let Some(renewed) = self.renewed(installed) else { return Ok(installed.clone()) };
        let mut record = record.clone();
        record.skills.insert(self.name.clone(), renewed.clone());
        lock.write_record(&record)?;
        Ok(renewed)
    }

    /// Writes the package and the record to a scratch folder, and swaps both in.
    fn put(&self, package: &Unpacked) -> Result<(Installed, Change), InstallError> {
        let lock = lock(self.folder)?;
        let mut record = self.folder.record()?;
        let replaced = match self.plan(&record)? {
            Plan::Put(replaced) => replaced,
            // Another run has installed the release since the first check.
            Plan::Keep(installed, _) => {
                return Ok((self.write_renewed(&lock, &record, installed)?, Change::AlreadyThere));
            }
        };
        let (name, path) = (&self.name, self.path());
        let needed = self.needed(record.skills.get(name));
        let installed = Installed { needed, ..self.entry(package) };
        let scratch = lock.scratch()?;
        let [new, old] = ["new", OLD].map(|part| scratch.path().join(part).join(name.as_str()));
        swap::write_files(package, &new)?;
        record.skills.insert(name.clone(), installed.clone());
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
            content_digest: package.content_digest,
            registry: self.registry.clone(),
            log: self.log.clone(),
            requested,
            needed: Needed::default(),
            installed_at: Timestamp::now(),
            files: marks(package),
        }
    }
}
