//! Whether what is asked for may take the place of what is there.

use std::path::Path;

use registry::names::Version;

use super::content::{Found, differences};
use super::error::{InstallError, listed};
use super::record::Installed;
use super::wanted::Wanted;
use crate::shown::plain;

/// What to do where a skill was changed, or would come from elsewhere.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Force {
    /// Refuse.
    No,
    /// Go on. Another skill's folder, or one that nobody recorded, is left alone
    /// all the same.
    Yes,
}

/// What there is to do.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Step<'r> {
    /// Nothing: it is there, as the record says that it was put there.
    AlreadyThere(&'r Installed),
    /// It has to be put there, in the place of that version.
    Put(Option<Version>),
}

/// Judges what `found` is at `path` and what the record says of it, against what
/// is to come from `registry`.
pub(super) fn judge<'r>(
    path: &Path,
    found: &Found,
    recorded: Option<&'r Installed>,
    wanted: &Wanted,
    registry: &str,
    force: Force,
) -> Result<Step<'r>, InstallError> {
    let path = || path.to_owned();
    let files = match found {
        // Somebody has taken it away; what it was binds nobody.
        Found::Nothing => return Ok(Step::Put(None)),
        Found::Other(found) => return Err(InstallError::NotAFolder { path: path(), found }),
        Found::Folder(files) => files,
    };
    let Some(recorded) = recorded else { return Err(InstallError::NotOurs { path: path() }) };
    if recorded.coordinate != wanted.coordinate {
        let (holds, wanted) = (recorded.coordinate.clone(), wanted.coordinate.clone());
        return Err(InstallError::OtherSkill { path: path(), holds, wanted });
    }
    let differences = differences(&recorded.files, files);
    let same_content = wanted.expected.is_some_and(|(_, content)| content == recorded.content_digest);
    let is_same = recorded.version == wanted.version && (recorded.sha256 == wanted.sha256 || same_content);
    if is_same && differences.is_empty() {
        return Ok(Step::AlreadyThere(recorded));
    }
    let put = Step::Put(Some(recorded.version.clone()));
    if force == Force::Yes {
        return Ok(put);
    }
    if !differences.is_empty() {
        return Err(InstallError::Changed { path: path(), files: listed(&differences) });
    }
    if recorded.registry != registry {
        let skill = recorded.coordinate.scoped();
        let (recorded, asked) = (plain(&recorded.registry), registry.to_owned());
        return Err(InstallError::OtherRegistry { skill, recorded, asked });
    }
    if recorded.version == wanted.version {
        return Err(InstallError::OtherContent {
            skill: wanted.name(),
            recorded: recorded.sha256,
            registry: registry.to_owned(),
            now: wanted.sha256,
        });
    }
    Ok(put)
}

#[cfg(test)]
mod tests {
    use super::super::record::tests::installed;
    use super::*;
    use registry::names::Digest;

    fn wanted(coordinate: &str, version: &str) -> Wanted {
        Wanted {
            coordinate: coordinate.parse().unwrap(),
            version: version.parse().unwrap(),
            sha256: Digest::of(version.as_bytes()),
            expected: None,
            requested: None,
        }
    }

    #[test]
    fn every_case() {
        let recorded = installed("team--a", "1.0.0");
        let as_put = || Found::Folder(recorded.files.iter().map(|(p, m)| (p.clone(), Some(*m))).collect());
        let changed = || Found::Folder([("SKILL.md".to_owned(), None)].into());
        let same = wanted("team--a", "1.0.0");
        let newer = wanted("team--a", "1.1.0");
        let older = wanted("team--a", "0.9.0");
        let other = wanted("a", "1.0.0");
        let altered = Wanted { sha256: Digest::of(b"other"), ..same.clone() };
        let repacked = Wanted { expected: Some((1, recorded.content_digest)), ..altered.clone() };
        let (here, there) = ("http://localhost:1", "http://localhost:2");
        let put = || Ok(Step::Put(Some(recorded.version.clone())));
        let (no, yes) = (Force::No, Force::Yes);
        let record = Some(&recorded);
        for (found, recorded, wanted, registry, force, expected) in [
            (Found::Nothing, None, &same, here, no, Ok(Step::Put(None))),
            (Found::Nothing, record, &other, there, no, Ok(Step::Put(None))),
            (Found::Other("a file"), record, &same, here, yes, Err("not_a_folder")),
            (as_put(), None, &same, here, yes, Err("not_ours")),
            (as_put(), record, &other, here, yes, Err("other_skill")),
            (as_put(), record, &same, here, no, Ok(Step::AlreadyThere(&recorded))),
            (as_put(), record, &same, there, no, Ok(Step::AlreadyThere(&recorded))),
            (as_put(), record, &repacked, there, no, Ok(Step::AlreadyThere(&recorded))),
            (as_put(), record, &altered, here, no, Err("other_content")),
            (as_put(), record, &altered, here, yes, put()),
            (as_put(), record, &newer, here, no, put()),
            (as_put(), record, &older, here, no, put()),
            (as_put(), record, &newer, there, no, Err("other_registry")),
            (as_put(), record, &newer, there, yes, put()),
            (changed(), record, &same, here, no, Err("changed")),
            (changed(), record, &newer, here, no, Err("changed")),
            (changed(), record, &same, here, yes, put()),
        ] {
            let got = judge(Path::new("skills/a"), &found, recorded, wanted, registry, force);
            let got = got.map_err(|why| why.code().to_owned());
            assert_eq!(got, expected.map_err(str::to_owned), "{wanted:?} {registry} {force:?}");
        }
    }
}
