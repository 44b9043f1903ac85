//! Decides whether a release may be installed over the current state of its folder.

use std::path::PathBuf;

use registry::names::{Digest, Slug, Version};
use registry::sanitize::blank_unsafe;

use super::error::InstallError;
use super::release::Release;
use super::skills_folder::SkillsFolder;
use super::skills_folder::differences::{Differences, ForeignCode, differences, foreign_code};
use super::skills_folder::file_marks::{FileMarks, FoundFiles, content_digest};
use super::skills_folder::folder_state::FolderState;
use super::skills_folder::record::{InLog, Installed};
use crate::SkillReference;

/// An installation after its release was resolved.
pub(super) struct Installation<'f> {
    pub folder: &'f SkillsFolder,
    /// The name of the skill's own folder.
    pub name: Slug,
    pub release: &'f Release,
    /// The digest of the release's content, as the registry has it.
    pub content: Digest,
    /// The address of the registry.
    pub registry: String,
    /// The row of the release in the signed history.
    pub log: Option<InLog>,
    /// Overwrite changed skills, and skills from another registry.
    pub force: bool,
    /// Whether somebody asks for it.
    pub is_asked: bool,
}

/// The plan for an installation.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Plan<'r> {
    /// The release is installed, and its files are those of the registry, except for this code.
    Keep(&'r Installed, ForeignCode),
    /// Install the release. It replaces this version, if any.
    Put(Option<Version>),
}

impl Installation<'_> {
    /// The folder of the skill.
    pub(super) fn path(&self) -> PathBuf {
        self.folder.skill(&self.name)
    }

    /// Decides by the state of the folder, its entry in the record, and the registry's digest
    /// of the content. The record may have come with somebody else's project, so it alone is
    /// no reason to keep the files.
    pub(super) fn decide<'r>(
        &self,
        state: &FolderState,
        recorded: Option<&'r Installed>,
    ) -> Result<Plan<'r>, InstallError> {
        let (release, path) = (self.release, self.path());
        let files = match state {
            // The user has removed the folder, so its old entry does not matter.
            FolderState::Missing => return Ok(Plan::Put(None)),
            FolderState::NotAFolder(found) => return Err(InstallError::NotAFolder { path, found }),
            FolderState::Folder(files) => files,
        };
        let Some(recorded) = recorded else { return self.adopt(files) };
        if recorded.coordinate != release.coordinate {
            let (holds, wanted) = (recorded.coordinate.clone(), release.coordinate.clone());
            return Err(InstallError::OtherSkill { path, holds, wanted });
        }
        let differences = differences(&path, &recorded.files, files);
        let found = content_digest(&recorded.files, files);
        let same_version = recorded.version == release.version;
        let is_as_published = same_version && differences.is_empty() && found == Some(self.content);
        if is_as_published {
            return Ok(Plan::Keep(recorded, foreign_code(&recorded.files, files)));
        }
        let put = Plan::Put(Some(recorded.version.clone()));
        if self.force {
            return Ok(put);
        }
        if !differences.is_empty() {
            return Err(InstallError::Changed { path, files: differences });
        }
        if recorded.registry != self.registry {
            return Err(InstallError::OtherRegistry {
                skill: SkillReference::argument(&recorded.coordinate),
                recorded: blank_unsafe(&recorded.registry),
                asked: self.registry.clone(),
            });
        }
        if !same_version {
            return Ok(put);
        }
        let (skill, registry) = (release.name(), self.registry.clone());
        if found == Some(recorded.content_digest) && recorded.sha256 != release.sha256 {
            let (recorded, now) = (recorded.sha256, release.sha256);
            return Err(InstallError::OtherContent { skill, recorded, registry, now });
        }
        let files = Differences::default();
        Err(InstallError::NotAsPublished { path, skill, registry, files })
    }

    /// Takes over a folder that is not in the record, if it has exactly the files of the release:
    /// projects may keep their skills in version control without the record.
    fn adopt(&self, files: &FoundFiles) -> Result<Plan<'static>, InstallError> {
        let none = FileMarks::new();
        if content_digest(&none, files) == Some(self.content) && foreign_code(&none, files).is_empty() {
            return Ok(Plan::Put(Some(self.release.version.clone())));
        }
        Err(InstallError::NotOurs { path: self.path() })
    }
}

#[cfg(test)]
mod tests {
    use super::super::skills_folder::record::tests::installed;
    use super::*;

    fn release(coordinate: &str, version: &str) -> Release {
        Release {
            sha256: Digest::of(version.as_bytes()),
            ..Release::of(coordinate.parse().unwrap(), version.parse().unwrap(), Digest::of(b""))
        }
    }

    #[test]
    fn decide_covers_every_case() {
        let mut recorded = installed("team--a", "1.0.0");
        let files = || recorded.files.iter().map(|(path, mark)| (path.clone(), Some(*mark))).collect();
        let content = content_digest(&recorded.files, &files()).unwrap();
        let unchanged = FolderState::Folder(files());
        recorded.content_digest = content;
        let forged = Installed { content_digest: Digest::of(b"genuine"), ..recorded.clone() };
        let changed = FolderState::Folder([("SKILL.md".to_owned(), None)].into());
        let mut with_cache: FoundFiles = files();
        with_cache.insert("__pycache__/a.cpython-313.pyc".to_owned(), Some(recorded.files["SKILL.md"]));
        let compiled = FolderState::Folder(with_cache.clone());
        let (missing, file) = (FolderState::Missing, FolderState::NotAFolder("a file"));
        let same = release("team--a", "1.0.0");
        let newer = release("team--a", "1.1.0");
        let older = release("team--a", "0.9.0");
        let other = release("a", "1.0.0");
        let altered = Release { sha256: Digest::of(b"other"), ..same.clone() };
        let (here, there) = ("http://localhost:1", "http://localhost:2");
        let put = || Ok(Plan::Put(Some(recorded.version.clone())));
        let (none, cache) = (ForeignCode::default(), foreign_code(&recorded.files, &with_cache));
        assert_eq!(cache.compiled, ["__pycache__/a.cpython-313.pyc"]);
        let keep = |foreign: &ForeignCode| Ok(Plan::Keep(&recorded, foreign.clone()));
        let (no, yes) = (false, true);
        let (record, forged) = (Some(&recorded), Some(&forged));
        let elsewhere = Digest::of(b"genuine");
        let folder = SkillsFolder::new("skills");
        for (state, recorded, release, content, registry, force, expected) in [
            (&missing, None, &same, content, here, no, Ok(Plan::Put(None))),
            (&missing, record, &other, content, there, no, Ok(Plan::Put(None))),
            (&file, record, &same, content, here, yes, Err("not_a_folder")),
            (&unchanged, None, &same, elsewhere, here, yes, Err("not_ours")),
            (&unchanged, None, &same, content, here, no, put()),
            (&compiled, None, &same, content, here, no, Err("not_ours")),
            (&unchanged, record, &other, content, here, yes, Err("other_skill")),
            (&unchanged, record, &same, content, here, no, keep(&none)),
            (&unchanged, record, &same, content, there, no, keep(&none)),
            (&compiled, record, &same, content, here, no, keep(&cache)),
            (&compiled, record, &same, content, there, no, keep(&cache)),
            (&compiled, record, &newer, elsewhere, here, no, put()),
            // The registry has packed the same content again.
            (&unchanged, record, &altered, content, there, no, keep(&none)),
            (&unchanged, record, &altered, elsewhere, here, no, Err("other_content")),
            (&unchanged, record, &altered, elsewhere, here, yes, put()),
            // Somebody has changed the files and the record.
            (&unchanged, record, &same, elsewhere, here, no, Err("changed")),
            (&unchanged, record, &same, elsewhere, here, yes, put()),
            (&unchanged, forged, &same, elsewhere, here, no, Err("changed")),
            (&unchanged, forged, &altered, elsewhere, here, no, Err("changed")),
            (&unchanged, record, &newer, elsewhere, here, no, put()),
            (&unchanged, record, &older, elsewhere, here, no, put()),
            (&unchanged, record, &newer, elsewhere, there, no, Err("other_registry")),
            (&unchanged, record, &newer, elsewhere, there, yes, put()),
            (&changed, record, &same, content, here, no, Err("changed")),
            (&changed, record, &newer, elsewhere, here, no, Err("changed")),
            (&changed, record, &same, content, here, yes, put()),
        ] {
            let (release, registry) = (release.clone(), registry.to_owned());
            let name = release.coordinate.slug.clone();
            let installation = Installation {
                folder: &folder,
                name,
                release: &release,
                content,
                registry,
                log: None,
                force,
                is_asked: true,
            };
            let got = installation.decide(state, recorded).map_err(|why| why.code().to_owned());
            let registry = &installation.registry;
            assert_eq!(got, expected.map_err(str::to_owned), "{release:?} {registry} {force}");
        }
    }
}
