//! Versions that a lock file records: finds them installed, or at a registry.

use generator::address::Document;
use registry::api::public::VersionDetail;
use registry::names::Coordinate;
use registry::public::PublicProvenance;

use super::error::InstallError;
use super::placement::{Change, Outcome};
use super::release::{Package, Release, other_subject};
use super::skills_folder::SkillsFolder;
use super::skills_folder::differences::{foreign_code, unverified_warning};
use super::skills_folder::file_marks::content_digest;
use super::skills_folder::folder_state::{FolderState, inspect};
use super::skills_folder::record::Installed;
use super::skills_folder::recover::recover;
use crate::policy::VersionFacts;
use crate::project::LockedSkill;
use crate::skills::Yank;
use crate::skills::resolve::wrong_subject;
use crate::{Requirement, SkillReference, Source, notice};

impl LockedSkill {
    /// The outcome if it is installed already: its files have the content digest of the lock file, and `recorded`, its
    /// entry in the record of the folder, names the version. None if something must be installed. Sends no request.
    pub fn installed(&self, recorded: Option<&Installed>) -> Result<Option<Outcome>, InstallError> {
        let is_it = |known: &&Installed| {
            (&known.coordinate, &known.version) == (&self.coordinate, &self.version)
                && (known.sha256, known.content_digest) == (self.sha256, self.content_digest)
        };
        let Some(recorded) = recorded.filter(is_it) else { return Ok(None) };
        let path = SkillsFolder::new(self.place.folder()).skill(self.place.name());
        let FolderState::Folder(found) = inspect(&path)? else { return Ok(None) };
        let foreign = foreign_code(&recorded.files, &found);
        let is_whole = content_digest(&recorded.files, &found) == Some(self.content_digest)
            && foreign.compiled.is_empty();
        if is_whole && !foreign.is_empty() {
            notice::show(&unverified_warning(&path, &foreign.roots()));
        }
        let installed = recorded.clone();
        let (change, unremovable, advisories) = (Change::AlreadyThere, Vec::new(), Vec::new());
        Ok(is_whole.then_some(Outcome { installed, path, change, unremovable, advisories }))
    }

    /// Reads the document of its version, also of a yanked one. Fails if the registry no longer has the version, or has
    /// another package or other content.
    pub fn release(&self, source: &Source) -> Result<Release, InstallError> {
        let Self { coordinate, version, sha256, content_digest, built_from, requirement, .. } = self;
        let skill = || format!("{} {version}", SkillReference::argument(coordinate));
        let document = Document::Version(coordinate.clone(), version.clone());
        let Some(detail) = source.document::<VersionDetail<'_>>(&document)? else {
            let what = format!("{} no longer has {}, which skills.lock records", source.address(), skill());
            let advice = format!(
                "restore it from a copy of the registry with --registry, or choose another version with `{}`",
                other_version(coordinate, requirement)
            );
            return Err(source.missing(what, &advice).into());
        };
        let facts = VersionFacts::new(&detail.record);
        if let Some(found) = other_subject(&detail, coordinate, version) {
            return Err(wrong_subject(source, &document, &found).into());
        }
        let digests = [
            ("sha256", sha256, &detail.record.sha256),
            ("content", content_digest, &detail.record.content_digest),
        ];
        for (what, locked, found) in digests {
            if locked != found {
                let (skill, registry) = (skill(), source.address().to_string());
                return Err(InstallError::lock_differs(skill, registry, what, locked, found));
            }
        }
        let now = facts.provenance.as_ref().map(PublicProvenance::built_from);
        if let Some(locked) = built_from.as_ref().filter(|locked| Some(*locked) != now.as_ref()) {
            let now = now.as_deref().unwrap_or("nothing that is known");
            let found = format!("it was built from {locked}, and there from {now}");
            return Err(InstallError::LockDiffers {
                skill: skill(),
                registry: source.address().to_string(),
                found,
            });
        }
        let record = &detail.record;
        let (size, content) = (record.package_size, *content_digest);
        Ok(Release {
            yanked: Yank::of(record),
            expected: Some(Package { size, content }),
            log_index: detail.log_index,
            requires: record.requires.to_vec(),
            facts,
            requested: requirement.clone().if_movable(),
            ..Release::of(coordinate.clone(), version.clone(), *sha256)
        })
    }
}

/// Finishes or undoes what a killed run has left in a folder of skills. Cheap if there is nothing.
pub fn recover_folder(folder: &SkillsFolder) -> Result<(), InstallError> {
    recover(folder).map(|_unremovable| ())
}

/// The command that chooses another version of a locked skill. `update` never moves one that is named
/// exactly.
pub fn other_version(coordinate: &Coordinate, requirement: &Requirement) -> String {
    let name = SkillReference::argument(coordinate);
    match requirement {
        Requirement::Exact(_) => format!("skillmirror install {name}@VERSION"),
        _ => format!("skillmirror update {name}"),
    }
}
