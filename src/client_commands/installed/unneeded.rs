//! Removes skills that were installed for others, and that no skill requires any more.

use std::collections::BTreeSet;

use client::SkillReference;
use client::install::{InstallError, SkillsFolder, UninstallRequest, recorded_skills, uninstall};
use client::project::{LockedSkill, Place, Project};
use client::skills::unneeded;
use registry::names::{Coordinate, Slug};

use super::batch_report::BatchReport;
use super::{removal_record, removal_sentence};
use crate::output::print_warning;

/// Removes them from all folders of a project. Its caller saves the project.
pub fn remove_unneeded(project: &mut Project, report: &mut BatchReport) {
    let wanted: BTreeSet<(Place, Coordinate)> = project.manifest().map_or_else(BTreeSet::new, |manifest| {
        manifest.places().map(|(place, skill, _)| (place.clone(), skill.clone())).collect()
    });
    let is_asked = |skill: &LockedSkill| {
        skill.needed.is_asked || wanted.contains(&(skill.place.clone(), skill.coordinate.clone()))
    };
    for place in project.lock.unneeded(is_asked) {
        let Some(LockedSkill { coordinate, .. }) = project.lock.skills.get(&place).cloned() else { continue };
        if remove(&SkillsFolder::new(place.folder()), place.name(), &coordinate, report) {
            project.remove(&place);
        }
    }
}

/// Removes them from a folder that no lock file has.
pub fn remove_unneeded_outside(folder: &SkillsFolder, report: &mut BatchReport) {
    // The command that needs the record reports what is wrong with it.
    let Ok(recorded) = recorded_skills(folder) else { return };
    let gone = unneeded(recorded.values().map(|installed| (&installed.coordinate, &installed.needed)));
    for (name, installed) in recorded.iter().filter(|(_, installed)| gone.contains(&installed.coordinate)) {
        remove(folder, name, &installed.coordinate, report);
    }
}

/// Returns whether the skill is not there any more. One that was changed stays.
fn remove(folder: &SkillsFolder, slug: &Slug, coordinate: &Coordinate, report: &mut BatchReport) -> bool {
    let request = UninstallRequest { folder, slug, coordinate: Some(coordinate), force: false };
    match uninstall(&request) {
        Ok(removed) => {
            let sentence = format!("{}, which no skill requires any more", removal_sentence(&removed));
            report.done(&sentence, removal_record(&removed));
            true
        }
        Err(InstallError::NotInstalled { .. }) => true,
        Err(why) => {
            let name = SkillReference::argument(coordinate);
            print_warning(format_args!("no skill requires {name} any more, but it stays: {why}"));
            false
        }
    }
}
