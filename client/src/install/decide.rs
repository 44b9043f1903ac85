//! Decides whether a release may be installed over the current state of its folder.

use std::path::Path;

use registry::names::Version;

use super::error::InstallError;
use super::release::Release;
use super::skills_folder::content::{FolderState, differences};
use super::skills_folder::record::Installed;
use crate::resolve::enumerate;
use crate::sanitize::strip_controls;

/// The plan for an installation.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Plan<'r> {
    /// The release is installed and unchanged.
    Keep(&'r Installed),
    /// Install the release. It replaces this version, if any.
    Put(Option<Version>),
}

/// What the decision depends on.
pub(super) struct Decision<'a, 'r> {
    /// The folder of the skill, for messages.
    pub path: &'a Path,
    /// The current state of that folder.
    pub state: &'a FolderState,
    /// The entry of the record for that folder.
    pub recorded: Option<&'r Installed>,
    /// The release to install.
    pub release: &'a Release,
    /// The address of the registry it comes from.
    pub registry: &'a str,
    /// Overwrite changed skills, and skills from another registry.
    pub force: bool,
}

impl<'r> Decision<'_, 'r> {
    /// Decides.
    pub(super) fn decide(&self) -> Result<Plan<'r>, InstallError> {
        let Self { recorded, release, .. } = *self;
        let path = || self.path.to_owned();
        let files = match self.state {
            // The user has removed the folder, so its old entry does not matter.
            FolderState::Missing => return Ok(Plan::Put(None)),
            FolderState::NotAFolder(found) => return Err(InstallError::NotAFolder { path: path(), found }),
            FolderState::Folder(files) => files,
        };
        let Some(recorded) = recorded else { return Err(InstallError::NotOurs { path: path() }) };
        if recorded.coordinate != release.coordinate {
            let (holds, wanted) = (recorded.coordinate.clone(), release.coordinate.clone());
            return Err(InstallError::OtherSkill { path: path(), holds, wanted });
        }
        let differences = differences(&recorded.files, files);
        let same_content = release.expected.is_some_and(|package| package.content == recorded.content_digest);
        let same_release =
            recorded.version == release.version && (recorded.sha256 == release.sha256 || same_content);
        if same_release && differences.is_empty() {
            return Ok(Plan::Keep(recorded));
        }
        let put = Plan::Put(Some(recorded.version.clone()));
        if self.force {
            return Ok(put);
        }
        if !differences.is_empty() {
            return Err(InstallError::Changed { path: path(), files: enumerate(&differences) });
        }
        if recorded.registry != self.registry {
            return Err(InstallError::OtherRegistry {
                skill: recorded.coordinate.scoped(),
                recorded: strip_controls(&recorded.registry),
                asked: self.registry.to_owned(),
            });
        }
        if recorded.version == release.version {
            return Err(InstallError::OtherContent {
                skill: release.name(),
                recorded: recorded.sha256,
                registry: self.registry.to_owned(),
                now: release.sha256,
            });
        }
        Ok(put)
    }
}

#[cfg(test)]
mod tests {
    use super::super::release::Package;
    use super::super::skills_folder::record::tests::installed;
    use super::*;
    use registry::names::Digest;

    fn release(coordinate: &str, version: &str) -> Release {
        Release {
            coordinate: coordinate.parse().unwrap(),
            version: version.parse().unwrap(),
            sha256: Digest::of(version.as_bytes()),
            expected: None,
            requested: None,
        }
    }

    #[test]
    fn decide_covers_every_case() {
        let recorded = installed("team--a", "1.0.0");
        let unchanged =
            || FolderState::Folder(recorded.files.iter().map(|(p, m)| (p.clone(), Some(*m))).collect());
        let changed = || FolderState::Folder([("SKILL.md".to_owned(), None)].into());
        let same = release("team--a", "1.0.0");
        let newer = release("team--a", "1.1.0");
        let older = release("team--a", "0.9.0");
        let other = release("a", "1.0.0");
        let altered = Release { sha256: Digest::of(b"other"), ..same.clone() };
        let repacked = Release {
            expected: Some(Package { size: 1, content: recorded.content_digest }),
            ..altered.clone()
        };
        let (here, there) = ("http://localhost:1", "http://localhost:2");
        let put = || Ok(Plan::Put(Some(recorded.version.clone())));
        let (no, yes) = (false, true);
        let record = Some(&recorded);
        for (state, recorded, release, registry, force, expected) in [
            (FolderState::Missing, None, &same, here, no, Ok(Plan::Put(None))),
            (FolderState::Missing, record, &other, there, no, Ok(Plan::Put(None))),
            (FolderState::NotAFolder("a file"), record, &same, here, yes, Err("not_a_folder")),
            (unchanged(), None, &same, here, yes, Err("not_ours")),
            (unchanged(), record, &other, here, yes, Err("other_skill")),
            (unchanged(), record, &same, here, no, Ok(Plan::Keep(&recorded))),
            (unchanged(), record, &same, there, no, Ok(Plan::Keep(&recorded))),
            (unchanged(), record, &repacked, there, no, Ok(Plan::Keep(&recorded))),
            (unchanged(), record, &altered, here, no, Err("other_content")),
            (unchanged(), record, &altered, here, yes, put()),
            (unchanged(), record, &newer, here, no, put()),
            (unchanged(), record, &older, here, no, put()),
            (unchanged(), record, &newer, there, no, Err("other_registry")),
            (unchanged(), record, &newer, there, yes, put()),
            (changed(), record, &same, here, no, Err("changed")),
            (changed(), record, &newer, here, no, Err("changed")),
            (changed(), record, &same, here, yes, put()),
        ] {
            let path = Path::new("skills/a");
            let decision = Decision { path, state: &state, recorded, release, registry, force };
            let got = decision.decide().map_err(|why| why.code().to_owned());
            assert_eq!(got, expected.map_err(str::to_owned), "{release:?} {registry} {force}");
        }
    }
}
