//! Brings the folders of a project in line with entries of its lock file.

use client::SkillReference;
use client::install::{Change, InstallError, Release, other_version};
use client::project::{LockedSkill, Project, Restored, Sources, restore};
use client::registry_choice::RegistryChoice;
use serde_json::json;

use super::batch_report::BatchReport;
use super::outcome::{explain, record, sentence};
use crate::output::{print_note, progress_bar};

/// Entries that the lock file has or gets, and the releases of those that were just chosen.
pub struct Applying<'a> {
    /// The entries.
    pub selected: &'a [(LockedSkill, Option<Release>)],
    /// Overwrite changed skills.
    pub force: bool,
    /// The copy that is read instead of the registries.
    pub copy: Option<&'a RegistryChoice>,
}

impl Applying<'_> {
    /// Installs what is missing. Reports what was installed and what failed, and records in the project
    /// what is there now. Its caller saves the project. Returns how many skills were there already.
    pub fn run(&self, project: &mut Project, sources: &mut Sources<'_>, report: &mut BatchReport) -> usize {
        let items: Vec<_> = self.selected.iter().map(|(skill, release)| (skill, release.as_ref())).collect();
        let bar = progress_bar(items.len() as u64, "{bar:30} {pos}/{len} skills");
        let results = restore(sources, &items, self.force, &|| bar.inc(1));
        bar.finish_and_clear();
        let mut unchanged = 0;
        for ((skill, _), result) in self.selected.iter().zip(results) {
            match result {
                Some(Ok(restored)) => {
                    let is_unchanged = restored.outcome.change == Change::AlreadyThere;
                    unchanged += usize::from(is_unchanged);
                    tell(skill, &restored, report);
                    project.insert(skill.clone());
                }
                Some(Err(why)) => report.failed(&skill.coordinate.scoped(), &self.explain(why)),
                // The error was told for the first place of the version.
                None => {}
            }
        }
        unchanged
    }

    fn explain(&self, why: InstallError) -> InstallError {
        match self.copy {
            Some(copy) => explain(copy, why),
            None => why,
        }
    }
}

/// Reports one skill. What was there already is only in the JSON: a line for each would hide the
/// others.
fn tell(skill: &LockedSkill, restored: &Restored, report: &mut BatchReport) {
    let Restored { outcome, yanked } = restored;
    let mut item = record(outcome);
    if let Some(yank) = yanked {
        item["yanked"] = json!(yank);
        let name = SkillReference::argument(&skill.coordinate);
        print_note(format_args!(
            "warning: {name} {} is yanked{yank}: choose another version with `{}`",
            skill.version,
            other_version(&skill.coordinate, &skill.requirement)
        ));
    }
    match outcome.change {
        Change::AlreadyThere => report.add(item),
        _ => report.done(&sentence(outcome), item),
    }
}
