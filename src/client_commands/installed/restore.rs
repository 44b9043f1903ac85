//! `skillmirror install` without names, or with `--locked`: brings a project in line with
//! `skills.toml` and `skills.lock`.

use client::install::{InstallError, SkillsFolder, UninstallRequest, uninstall};
use client::project::{
    Choice, Completed, Entries, LockedSkill, Plan, Project, Sources, choose_versions, complete, plan,
};
use client::registry_choice::RegistryChoice;
use client::{ClientError, RegistryAddress, SkillReference};
use registry::names::Coordinate;

use super::apply::Applying;
use super::batch_report::BatchReport;
use super::selection::Selection;
use super::unneeded::remove_unneeded;
use super::{SkillsFolderOptions, removal_record, removal_sentence};
use crate::client_commands::registry_options::RegistryOptions;

/// What to bring in line, and how.
pub struct Restoring<'a> {
    /// The named skills.
    pub names: &'a [String],
    /// The folders of the skills.
    pub folder: &'a SkillsFolderOptions,
    /// Fail if the lock file would change.
    pub locked: bool,
    /// Overwrite changed skills.
    pub force: bool,
    /// Install what the skills require, too.
    pub with_required: bool,
    /// The registry to use, if one is named.
    pub options: &'a RegistryOptions,
}

impl Restoring<'_> {
    /// Brings the named skills in line, or all.
    pub fn run(&self, report: &mut BatchReport) -> Result<(), InstallError> {
        if self.folder.is_outside()? {
            let why = "skills.lock has only folders of its project: name the skills to install elsewhere";
            return Err(ClientError::Unsupported(why.to_owned()).into());
        }
        let selection = Selection::new(self.names, self.folder)?;
        let mut project = Project::open(&self.folder.named()?)?;
        if project.is_empty() {
            return Err(InstallError::NoProject);
        }
        let plan = plan(project.manifest(), &project.lock);
        if self.locked {
            check_lock(&project, &plan, &selection)?;
        }
        project.mend_records();
        for (name, why) in selection.unknown(plan.keep.iter()) {
            report.failed(name, &why);
        }
        // A copy to read from. The lock file keeps the addresses of the registries themselves.
        let copy = self.options.is_named().then(|| self.options.choose()).transpose()?;
        let unchanged =
            self.align(plan, &mut project, copy.as_ref(), &|skill| selection.has(skill), report)?;
        remove_unneeded(&mut project, report);
        project.save()?;
        tell(unchanged, report);
        if report.is_empty() {
            report.show("nothing to install: skills.lock and skills.toml have no skill for these folders\n");
        }
        Ok(())
    }

    /// Brings other places of skills in line that were just installed by name, because `skills.toml` wants
    /// one version of each.
    pub fn follow(
        &self,
        project: &mut Project,
        installed: &[Coordinate],
        report: &mut BatchReport,
    ) -> Result<(), InstallError> {
        let mut plan = plan(project.manifest(), &project.lock);
        plan.remove.retain(|skill| installed.contains(&skill.coordinate));
        plan.choose.retain(|wanted| installed.contains(&wanted.coordinate));
        let is_known = |skill: &LockedSkill| project.lock.skills.get(&skill.place) == Some(skill);
        plan.keep.retain(|skill| installed.contains(&skill.coordinate) && !is_known(skill));
        self.align(plan, project, None, &|_| true, report).map(drop)
    }

    /// Brings a project in line with a plan, from `copy` if there is one. `has` says which entries are meant.
    /// Returns how many skills needed nothing.
    fn align(
        &self,
        mut plan: Plan,
        project: &mut Project,
        copy: Option<&RegistryChoice>,
        has: &dyn Fn(&LockedSkill) -> bool,
        report: &mut BatchReport,
    ) -> Result<usize, InstallError> {
        let Self { options, force, .. } = *self;
        let mut sources = Sources::new(copy);
        let default = || options.choose_for(project.manifest().and_then(|wanted| wanted.registry.as_ref()));
        let (chosen, failed) = choose(&mut sources, &plan, default, report)?;
        plan.remove.retain(|skill| has(skill) && !failed.contains(&skill.coordinate));
        remove(project, &plan, force, report);
        let chosen = chosen.into_iter().map(|Choice { skill, release }| (skill, Some(release)));
        // What is new at its place may require other skills there.
        let is_there = |skill: &LockedSkill| {
            let known = project.lock.skills.get(&skill.place);
            known.is_some_and(|known| known.coordinate == skill.coordinate)
        };
        let (kept, moved): (Vec<_>, Vec<_>) = plan.keep.into_iter().partition(is_there);
        let new = chosen.chain(moved.into_iter().map(|skill| (skill, None))).filter(|(skill, _)| has(skill));
        let completed = completed(project, &mut sources, new.collect(), self.with_required, report)?;
        let kept = kept.into_iter().filter(|kept| has(kept)).map(|skill| (skill, None));
        let moved =
            |kept: &(LockedSkill, _)| !completed.entries.iter().any(|(skill, _)| skill.place == kept.0.place);
        let selected: Vec<_> = kept.filter(moved).chain(completed.entries.clone()).collect();
        let unchanged = Applying { selected: &selected, force, copy }.run(project, &mut sources, report);
        completed.links.iter().for_each(|(folder, members)| project.lock.link(folder, members));
        Ok(unchanged)
    }
}

/// Fails if the lock file would change.
fn check_lock(project: &Project, plan: &Plan, selection: &Selection<'_>) -> Result<(), InstallError> {
    let outdated = |why: String| Err(InstallError::LockOutdated { why });
    let is_used = !plan.keep.is_empty() || !plan.choose.is_empty();
    if is_used && !project.has_lock() {
        return outdated("it does not exist".to_owned());
    }
    if let Some(line) = project.merged_at() {
        return outdated(format!("its line {line} marks a merge, and the entries of both sides were taken"));
    }
    if let Some(first) = plan.changes.first() {
        let more = plan.changes.len() - 1;
        return outdated(if more == 0 { first.clone() } else { format!("{first} (and {more} more)") });
    }
    for skill in plan.keep.iter().filter(|skill| selection.has(skill)) {
        let Some(wanted) = selection.requirement_of(skill) else { continue };
        if *wanted != skill.requirement && wanted.allows(&skill.version) != Some(true) {
            let name = SkillReference::argument(&skill.coordinate);
            return outdated(format!("it has {name} {}, which does not fit `{wanted}`", skill.version));
        }
    }
    Ok(())
}

/// Chooses versions for what is wanted and not locked. Returns the skills without one, too: their
/// earlier places stay.
fn choose(
    sources: &mut Sources<'_>,
    plan: &Plan,
    default: impl Fn() -> Result<RegistryChoice, ClientError>,
    report: &mut BatchReport,
) -> Result<(Vec<Choice>, Vec<Coordinate>), InstallError> {
    let mut wanted = Vec::new();
    let mut of_user: Option<RegistryAddress> = None;
    for each in &plan.choose {
        let registry = match (&each.registry, &of_user) {
            (Some(registry), _) | (None, Some(registry)) => registry.clone(),
            (None, None) => of_user.insert(default()?.address).clone(),
        };
        sources.open(&registry)?;
        wanted.push((each.clone(), registry));
    }
    let (mut chosen, mut failed) = (Vec::new(), Vec::new());
    for (coordinate, choice) in choose_versions(sources, &wanted) {
        match choice {
            Ok(choice) => chosen.push(choice),
            Err(why) => {
                report.failed(&coordinate.scoped(), &why);
                failed.push(coordinate);
            }
        }
    }
    Ok((chosen, failed))
}

/// Adds what the entries require. Reports those of which no versions can be chosen, which are left out.
pub fn completed(
    project: &Project,
    sources: &mut Sources<'_>,
    entries: Entries,
    with_required: bool,
    report: &mut BatchReport,
) -> Result<Completed, InstallError> {
    if !with_required {
        return Ok(Completed { entries, ..Completed::default() });
    }
    for (skill, _) in &entries {
        sources.open(&skill.registry)?;
    }
    let completed = complete(&project.lock, sources, entries);
    for (skill, why) in &completed.failed {
        report.failed(&skill.scoped(), why);
    }
    Ok(completed)
}

/// Uninstalls what is no longer wanted.
fn remove(project: &mut Project, plan: &Plan, force: bool, report: &mut BatchReport) {
    for LockedSkill { coordinate, place, .. } in &plan.remove {
        let folder = SkillsFolder::new(place.folder());
        let request =
            UninstallRequest { folder: &folder, slug: place.name(), coordinate: Some(coordinate), force };
        match uninstall(&request) {
            Ok(removed) => {
                report.done(&removal_sentence(&removed), removal_record(&removed));
                project.remove(place);
            }
            Err(InstallError::NotInstalled { .. }) => project.remove(place),
            Err(why) => report.failed(&coordinate.scoped(), &why),
        }
    }
}

/// Says how many skills needed nothing.
fn tell(unchanged: usize, report: &mut BatchReport) {
    match unchanged {
        0 => {}
        1 => report.show("1 skill is as skills.lock records it\n"),
        many => report.show(&format!("{many} skills are as skills.lock records them\n")),
    }
}
