//! Installs a named skill and what it requires, and records both in the project.

use std::collections::BTreeMap;

use registry::names::{Coordinate, Slug, Version};

use super::required::root;
use super::{Addition, Facts, Folder, LockedSkill, Place, Project, folder_in_project};
use crate::history::{ProvedVersion, SignedHistory};
use crate::http::Progress;
use crate::install::{
    InstallError, Outcome, Placement, Release, SkillsFolder, link_record, recorded_skills, recover_folder,
};
use crate::skills::Needed;
use crate::skills::closure::Member;
use crate::{Requirement, SkillReference, Source};

/// A skill to install in one or more folders.
#[derive(Clone, Copy)]
pub struct NamedSkill<'a> {
    /// The registry.
    pub source: &'a Source,
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
    /// Whether somebody asks for it. If not, it is there only for those that require it.
    pub is_asked: bool,
    /// Whether what it requires is installed, too.
    pub with_required: bool,
}

/// The versions to install, which the policy accepts, with their proofs if the user trusts the keys of their registry.
pub struct Admitted {
    /// The version of the skill itself.
    version: Version,
    /// What was in each folder, and what will be.
    choices: Vec<(Folder, Vec<Member>)>,
    /// The releases that are not there yet.
    releases: BTreeMap<(Coordinate, String), (Release, Option<ProvedVersion>)>,
}

impl Admitted {
    /// The version of the skill itself.
    pub fn version(&self) -> &Version {
        &self.version
    }

    /// Whether the skill requires others, or others of its folder require it.
    pub fn is_of_several(&self) -> bool {
        self.choices.iter().any(|(_, members)| members.len() > 1)
    }
}

/// Chooses and checks the versions to install, with two requests for each and those of `history`, which the registry has
/// if the user trusts its keys. Fails before the first request if a folder cannot be used. Writes nothing.
pub fn admit(
    project: Option<&Project>,
    named: &NamedSkill<'_>,
    history: Option<&SignedHistory<'_>>,
) -> Result<Admitted, InstallError> {
    let mut facts = Facts::new(named.source)?;
    let NamedSkill { source, reference, folders, is_asked, with_required, .. } = *named;
    let mut before = Vec::new();
    for folder in folders {
        recover_folder(folder)?;
        let recorded = recorded_skills(folder)?;
        let kept = match (project, folder_in_project(folder.path())) {
            (Some(project), Some(folder)) => Folder::of_lock(&project.lock, &folder),
            _ => Folder::of_record(&recorded),
        };
        named.check(project, folder, &named.name_of(&kept, &reference.coordinate))?;
        before.push(kept);
    }
    let release = Release::resolve(source, reference)?;
    let requirement = reference.requirement.clone().unwrap_or(Requirement::Latest);
    let needed = Needed { is_asked, ..Needed::default() };
    let version = release.version.clone();
    let mut admitted = Admitted { version, choices: Vec::new(), releases: BTreeMap::new() };
    for (kept, folder) in before.into_iter().zip(folders) {
        let own = [(&release.coordinate, &*release.requires)].into_iter();
        let members = match with_required && !kept.is_plain(own) {
            true => kept.choose(&mut facts, &[root(&release.coordinate, &requirement, &needed)])?,
            false => vec![Member {
                skill: release.coordinate.clone(),
                version: release.version.clone(),
                requires: Vec::new(),
            }],
        };
        if members.len() > 1 {
            let name = |member: &Member| (named.name_of(&kept, &member.skill), member.skill.clone());
            kept.check_names(members.iter().map(name))?;
        }
        for member in &members {
            if member.skill == reference.coordinate || !kept.has(member) {
                named.check(project, folder, &named.name_of(&kept, &member.skill))?;
                admitted.read(named, history, member, &release)?;
            }
        }
        admitted.choices.push((kept, members));
    }
    // Skills already in the folder may force another version than the reference resolves to.
    let mut members = admitted.choices.iter().flat_map(|(_, members)| members);
    if let Some(chosen) = members.find(|one| one.skill == reference.coordinate) {
        admitted.version = chosen.version.clone();
    }
    Ok(admitted)
}

/// Installs admitted versions with one request each. Records where they were installed in `project`, whose files the
/// caller saves. Returns one result for each skill in each folder.
pub fn add(
    mut project: Option<&mut Project>,
    named: &NamedSkill<'_>,
    admitted: &Admitted,
    progress: Progress<'_>,
) -> Result<Vec<Result<Outcome, InstallError>>, InstallError> {
    let NamedSkill { source, reference, folders, agents, is_asked, with_required, .. } = *named;
    // Another skill may have been installed since they were admitted.
    for (folder, (kept, members)) in folders.iter().zip(&admitted.choices) {
        let mut new = members.iter().filter(|member| !kept.has(member));
        new.try_for_each(|member| {
            named.check(project.as_deref(), folder, &named.name_of(kept, &member.skill))
        })?;
    }
    let (mut results, mut places) = (Vec::new(), Vec::new());
    for (folder, (kept, members)) in folders.iter().zip(&admitted.choices) {
        let (mut placed, mut is_installed) = (Vec::new(), true);
        for member in members {
            let is_root = member.skill == reference.coordinate;
            if !is_root && kept.has(member) {
                continue;
            }
            let in_project = project.is_some() && folder_in_project(folder.path()).is_some();
            let result = admitted.place(named, folder, (kept, in_project), member, progress);
            is_installed &= !is_root || result.is_ok();
            results.push(result.map(|(outcome, locked)| {
                placed.extend(locked);
                outcome
            }));
            if !is_installed {
                break;
            }
        }
        let own = placed.iter().filter(|skill: &&LockedSkill| skill.coordinate == reference.coordinate);
        places.extend(own.map(|skill| skill.place.clone()));
        match (project.as_deref_mut(), folder_in_project(folder.path())) {
            (Some(project), Some(inside)) => {
                placed.into_iter().for_each(|skill| project.insert(skill));
                if with_required {
                    project.lock.link(&inside, members);
                }
            }
            _ if with_required && is_installed => link_record(folder, members)?,
            _ => {}
        }
    }
    if let Some(project) = project.filter(|_| !places.is_empty() && is_asked) {
        let requirement = reference.requirement.clone().unwrap_or(Requirement::Latest);
        let (coordinate, registry) = (&reference.coordinate, source.registry());
        project.want(&Addition {
            coordinate,
            requirement: &requirement,
            registry,
            places: &places,
            agents,
        })?;
    }
    Ok(results)
}

impl NamedSkill<'_> {
    /// Fails if a folder for the skill cannot be used in the project.
    fn check(
        &self,
        project: Option<&Project>,
        folder: &SkillsFolder,
        name: &Slug,
    ) -> Result<(), InstallError> {
        match (project, Place::new(folder.path(), name)) {
            (Some(project), Some(place)) => project.check(&place),
            _ => Ok(()),
        }
    }

    /// The name of a skill's own folder.
    fn name_of(&self, kept: &Folder, skill: &Coordinate) -> Slug {
        let named = self.name.filter(|_| *skill == self.reference.coordinate);
        let known = kept.0.get(skill).filter(|_| *skill != self.reference.coordinate);
        named.or(known.map(|known| &known.name)).unwrap_or(&skill.slug).clone()
    }
}

impl Admitted {
    /// Reads, proves and admits a version that is not there. `root` is that of the skill itself.
    fn read(
        &mut self,
        named: &NamedSkill<'_>,
        history: Option<&SignedHistory<'_>>,
        member: &Member,
        root: &Release,
    ) -> Result<(), InstallError> {
        let key = (member.skill.clone(), member.version.to_string());
        if self.releases.contains_key(&key) {
            return Ok(());
        }
        let release = match (&member.skill, &member.version) == (&root.coordinate, &root.version) {
            true => root.clone(),
            false => {
                let exact = Requirement::Exact(member.version.clone());
                let reference = SkillReference { coordinate: member.skill.clone(), requirement: Some(exact) };
                let requested = match member.skill == root.coordinate {
                    true => root.requested.clone(),
                    false => Some(Requirement::Latest),
                };
                let mut release = Release::resolve(named.source, &reference)?;
                release.requested = requested;
                release
            }
        };
        if named.with_required {
            release.check_requires(named.source, &member.requires)?;
        }
        let proved = release.prove(history)?;
        release.admit(named.source, proved.is_some())?;
        self.releases.insert(key, (release, proved));
        Ok(())
    }

    /// Installs a version. `in_project`: a lock file records it. Returns its entry of the lock file, if the folder is in a project.
    fn place(
        &self,
        named: &NamedSkill<'_>,
        folder: &SkillsFolder,
        (kept, in_project): (&Folder, bool),
        member: &Member,
        progress: Progress<'_>,
    ) -> Result<(Outcome, Option<LockedSkill>), InstallError> {
        let NamedSkill { source, reference, force, is_asked, .. } = *named;
        let key = (member.skill.clone(), member.version.to_string());
        let (release, proved) = self.releases.get(&key).ok_or_else(|| super::required::gone(member))?;
        let name = &named.name_of(kept, &member.skill);
        let (is_root, proved) = (member.skill == reference.coordinate, proved.as_ref());
        let is_asked = is_root && is_asked;
        let placement = Placement { folder, name, source, release, proved, force, is_asked };
        // The lock file of a project says why it is there. Without that file nobody knows, and it stays.
        let outcome = Placement { is_asked: is_asked || in_project, ..placement }.install(progress)?;
        let Some(place) = Place::new(folder.path(), name) else { return Ok((outcome, None)) };
        let known = kept.0.get(&member.skill);
        let is_asked = is_asked || known.is_some_and(|known| known.needed.is_asked);
        let by = known.map(|known| known.needed.by.clone()).unwrap_or_default();
        let requirement = match (is_root, known) {
            (false, Some(known)) => known.requirement.clone(),
            _ => reference.requirement.clone().filter(|_| is_root).unwrap_or(Requirement::Latest),
        };
        let locked = LockedSkill {
            coordinate: member.skill.clone(),
            place,
            requirement,
            needed: Needed { is_asked, by },
            version: member.version.clone(),
            registry: source.registry().clone(),
            sha256: release.sha256,
            content_digest: release.content(source, progress)?,
            built_from: release.built_from(),
        };
        Ok((outcome, Some(locked)))
    }
}
