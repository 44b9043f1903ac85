//! Installs a named skill, and records it in the project.

use registry::names::{Slug, Version};

use super::{Addition, LockedSkill, Place, Project};
use crate::history::{ProvedVersion, SignedHistory};
use crate::http::Progress;
use crate::install::{
    InstallError, Outcome, Placement, Release, SkillsFolder, admit_release, recorded_skills, recover_folder,
};
use crate::{Requirement, SkillReference, Source};

/// A skill to install in one or more folders.
pub struct NamedSkill<'a> {
    /// The registry.
    pub source: &'a Source,
    /// The history of the registry, if the user trusts its keys.
    pub history: Option<&'a SignedHistory<'a>>,
    /// The skill, and perhaps which versions of it are wanted.
    pub reference: &'a SkillReference,
    /// The folders of skills. Those outside of the project are not recorded in it.
    pub folders: &'a [SkillsFolder],
    /// The agents that were named, for `skills.toml`.
    pub agents: &'a [String],
    /// The name of the skill's own folder. None for its slug.
    pub name: Option<&'a Slug>,
    /// As in [`Placement`].
    pub force: bool,
}

/// A version that the policy accepts, and its proof if the user trusts the keys of its registry.
pub struct Admitted {
    release: Release,
    proved: Option<ProvedVersion>,
}

impl Admitted {
    /// The version.
    pub fn version(&self) -> &Version {
        &self.release.version
    }
}

/// Chooses and checks the version to install, with two requests and those of the history. Fails before the first
/// request if a folder cannot be used. Writes nothing.
pub fn admit(project: Option<&Project>, named: &NamedSkill<'_>) -> Result<Admitted, InstallError> {
    let NamedSkill { source, history, reference, .. } = *named;
    check_folders(project, named)?;
    let (release, proved) = admit_release(source, history, reference)?;
    Ok(Admitted { release, proved })
}

fn check_folders(project: Option<&Project>, named: &NamedSkill<'_>) -> Result<(), InstallError> {
    let name = named.name.unwrap_or(&named.reference.coordinate.slug);
    for folder in named.folders {
        recover_folder(folder)?;
        recorded_skills(folder)?;
        if let (Some(project), Some(place)) = (project, Place::new(folder.path(), name)) {
            project.check(&place)?;
        }
    }
    Ok(())
}

/// Installs an admitted version with one request. Records where it was installed in `project`, whose files the caller
/// saves. Returns one result for each folder.
pub fn add(
    project: Option<&mut Project>,
    named: &NamedSkill<'_>,
    Admitted { release, proved }: &Admitted,
    progress: Progress<'_>,
) -> Result<Vec<Result<Outcome, InstallError>>, InstallError> {
    let NamedSkill { source, reference, folders, agents, name, force, .. } = *named;
    let name = name.unwrap_or(&reference.coordinate.slug);
    // Another skill may have been installed since it was admitted.
    check_folders(project.as_deref(), named)?;
    let (mut results, mut places) = (Vec::new(), Vec::new());
    for folder in folders {
        let placement = Placement { folder, name, source, release, proved: proved.as_ref(), force };
        let result = placement.install(progress);
        if result.is_ok() {
            places.extend(Place::new(folder.path(), name));
        }
        results.push(result);
    }
    if let Some(project) = project.filter(|_| !places.is_empty()) {
        let requirement = reference.requirement.clone().unwrap_or(Requirement::Latest);
        let content_digest = release.content(source, progress)?;
        for place in &places {
            project.insert(LockedSkill {
                coordinate: release.coordinate.clone(),
                place: place.clone(),
                requirement: requirement.clone(),
                version: release.version.clone(),
                registry: source.registry().clone(),
                sha256: release.sha256,
                content_digest,
                built_from: release.built_from(),
            });
        }
        project.want(&Addition {
            coordinate: &release.coordinate,
            requirement: &requirement,
            registry: source.registry(),
            places: &places,
            agents,
        })?;
    }
    Ok(results)
}
