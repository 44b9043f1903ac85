//! `skillmirror install`: installs skills from a registry, or everything that a project records.

use std::process::ExitCode;

use clap::Args;
use client::history::SignedHistory;
use client::install::{InstallError, SkillsFolder};
use client::policy::Policy;
use client::project::{Admitted, Manifest, NamedSkill, Place, Project, add, admit};
use client::registry_choice::RegistryChoice;
use client::skills::bundle::{bundle, members};
use client::team::waiting::explain_waiting;
use client::{ClientError, SkillReference, Source};
use registry::names::{BundleName, Coordinate, Slug};

use super::SkillsFolderOptions;
use super::batch_report::{BatchReport, Quiet};
use super::download_bar::DownloadBar;
use super::outcome::{explain, record, sentence};
use super::restore::Restoring;
use super::unneeded::{remove_unneeded, remove_unneeded_outside};
use crate::client_commands::registry_options::RegistryOptions;

/// Install skills, or all that this project records
///
/// Each skill becomes a folder: `skills/hello` in the working folder, or in the folder of an agent. A
/// project records what it has in `skills.lock`. Without names, `install` restores what is recorded
/// there, and installs what `skills.toml` wants.
///
/// Before it writes anything, it checks that the package is what the registry has published and, after
/// `skillmirror trust add`, what it has signed.
#[derive(Args)]
#[command(after_help = "
    install hello                                            # The latest version, into ./skills/hello
    install hello@1 --agent claude,codex                     # Below 2.0.0, for two agents in this project
    install a@1.2.0 @tools/b@stable --agent claude --global  # A version and a tag, in all your projects
    install +team/frontend                                   # The skills of a bundle
    install --locked                                         # What skills.lock records; fail if that would change
")]
pub struct Arguments {
    /// The skill: hello, @namespace/hello or namespace--hello, optionally with @1.2.0, @1, @^1.2 or
    /// @TAG; or a bundle, +namespace/name. Without any, all that skills.toml wants and skills.lock records
    #[arg(value_name = "SKILL")]
    skills: Vec<String>,
    #[command(flatten)]
    folder: SkillsFolderOptions,
    /// The name of the skill's own folder. Only with one skill
    #[arg(long = "as", value_name = "NAME", requires = "skills", conflicts_with = "locked")]
    name: Option<Slug>,
    /// Install what skills.lock records, and fail if it would change
    #[arg(long)]
    locked: bool,
    /// Do not install what the skills require
    #[arg(long)]
    no_deps: bool,
    /// Overwrite skills that differ from what the registry has published, that came from another
    /// registry, or whose version now has other content
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    quiet: Quiet,
    #[command(flatten)]
    options: RegistryOptions,
}

/// A named skill, and where it goes.
#[derive(Clone)]
struct Target {
    /// The skill as it was named.
    skill: String,
    reference: SkillReference,
    folders: Vec<SkillsFolder>,
    /// The name of its own folder. None for its slug.
    name: Option<Slug>,
}

/// Runs the command. A skill that fails does not keep the others from being installed, unless the policy refuses it.
pub fn run(arguments: &Arguments) -> ExitCode {
    let mut report = BatchReport::with_notices(arguments.options.json, arguments.quiet);
    let done = Policy::load().map_err(InstallError::from).and_then(|_readable| {
        match arguments.skills.is_empty() || arguments.locked {
            true => arguments.restoring().run(&mut report),
            false => arguments.install(&mut report),
        }
    });
    if let Err(why) = done {
        report.all_failed(&arguments.skills, &why);
    }
    report.finish(arguments.options.json)
}

impl Arguments {
    fn restoring(&self) -> Restoring<'_> {
        let Self { skills, folder, locked, force, options, .. } = self;
        let with_required = !self.no_deps;
        Restoring { names: skills, folder, locked: *locked, force: *force, with_required, options }
    }

    /// Installs the named skills, and records them in the project.
    fn install(&self, report: &mut BatchReport) -> Result<(), InstallError> {
        let is_bundle = |name: &String| name.starts_with('+');
        if self.name.is_some() && (self.skills.len() > 1 || self.skills.iter().any(is_bundle)) {
            let why = "--as names the folder of one skill: install the others with another command";
            return Err(ClientError::Unsupported(why.to_owned()).into());
        }
        let named = self.folder.named()?;
        let mut project = match self.folder.is_outside()? {
            true => None,
            false => Some(Project::open(&named)?),
        };
        if let Some(project) = &project {
            project.mend_records();
        }
        let mut groups = Vec::new();
        for (chosen, targets) in self.by_registry(project.as_ref(), &named, report)? {
            match self.admit(&chosen, &targets, project.as_ref(), report) {
                Ok((source, admitted)) => groups.push((chosen, source, admitted)),
                Err(why) => {
                    let why = explain(&chosen, why);
                    targets.iter().for_each(|target| report.failed(&target.skill, &why));
                }
            }
        }
        if report.is_refused() {
            return Ok(());
        }
        let mut installed = Vec::new();
        for (chosen, source, admitted) in &groups {
            installed.extend(self.install_from(chosen, source, admitted, project.as_mut(), report));
        }
        let Some(mut project) = project else {
            let folders = self.folder.named_or_default()?;
            folders.iter().for_each(|folder| remove_unneeded_outside(folder, report));
            return Ok(());
        };
        if project.manifest().is_some() {
            // What is installed is recorded, whatever happens to the other places.
            project.save()?;
            self.restoring().follow(&mut project, &installed, report)?;
        }
        remove_unneeded(&mut project, report);
        project.save()
    }

    /// The named skills, by the registries that they are from. An entry of `skills.toml` says where its
    /// skill is from and where it goes, unless options say something else.
    fn by_registry(
        &self,
        project: Option<&Project>,
        named: &[SkillsFolder],
        report: &mut BatchReport,
    ) -> Result<Vec<(RegistryChoice, Vec<Target>)>, InstallError> {
        let manifest = project.and_then(Project::manifest);
        let mut groups: Vec<(RegistryChoice, Vec<Target>)> = Vec::new();
        for (skill, reference) in self.references(manifest, report)? {
            let entry = manifest.and_then(|manifest| manifest.skills.get(&reference.coordinate));
            let own = entry.and_then(|entry| entry.registry.as_ref());
            let usual = manifest.and_then(|manifest| manifest.registry.as_ref());
            let chosen = self.options.choose_for(own.or(usual))?;
            let folders = match (named.is_empty(), entry, manifest) {
                (true, Some(entry), _) => {
                    entry.places.iter().map(Place::folder).map(SkillsFolder::new).collect()
                }
                (true, None, Some(manifest)) => manifest.folders.iter().map(SkillsFolder::new).collect(),
                _ => self.folder.named_or_default()?,
            };
            let own_name = entry.and_then(|entry| entry.places.first()).map(Place::name);
            let name = self.name.as_ref().or(own_name).cloned();
            let target = Target { skill, reference, folders, name };
            match groups.iter_mut().find(|(known, _)| known.address == chosen.address) {
                Some((_, targets)) => targets.push(target),
                None => groups.push((chosen, vec![target])),
            }
        }
        Ok(groups)
    }

    /// Opens a registry, and chooses a version for each of its skills. The report has those without one.
    fn admit(
        &self,
        chosen: &RegistryChoice,
        targets: &[Target],
        project: Option<&Project>,
        report: &mut BatchReport,
    ) -> Result<(Source, Vec<(Target, Admitted)>), InstallError> {
        // One source for all of them, so that connections are reused.
        let source = chosen.source()?;
        let mut all = Vec::new();
        {
            let history = SignedHistory::of(&source)?;
            for target in targets {
                match admit(project, &self.named(&source, target, &[]), history.as_ref()) {
                    Ok(admitted) => all.push((target.clone(), admitted)),
                    Err(why) => {
                        let why = match why {
                            InstallError::Source(why) => {
                                explain_waiting(chosen, &target.reference, why).into()
                            }
                            why => why,
                        };
                        report.failed(&target.skill, &explain(chosen, why));
                    }
                }
            }
        }
        Ok((source, all))
    }

    fn named<'a>(&'a self, source: &'a Source, target: &'a Target, agents: &'a [String]) -> NamedSkill<'a> {
        let Target { reference, folders, name, .. } = target;
        NamedSkill {
            source,
            reference,
            folders,
            agents,
            name: name.as_ref(),
            force: self.force,
            is_asked: true,
            with_required: !self.no_deps,
        }
    }

    /// The named skills, and the members of named bundles.
    fn references(
        &self,
        manifest: Option<&Manifest>,
        report: &mut BatchReport,
    ) -> Result<Vec<(String, SkillReference)>, InstallError> {
        let mut all = Vec::new();
        for text in &self.skills {
            if text.starts_with('+') {
                let usual = manifest.and_then(|manifest| manifest.registry.as_ref());
                let chosen = self.options.choose_for(usual)?;
                let found = text.parse::<BundleName>().map_err(|why| ClientError::Reference {
                    text: text.escape_debug().to_string(),
                    why: why.to_string(),
                });
                match found.and_then(|name| bundle(&chosen.source()?, &name)) {
                    Ok(bundle) => all.extend(members(&bundle).map(|member| (member.to_string(), member))),
                    Err(why) => report.failed(text, &explain(&chosen, why.into())),
                }
                continue;
            }
            match text.parse::<SkillReference>() {
                Ok(reference) => all.push((text.clone(), reference)),
                Err(why) => report.failed(text, &why.into()),
            }
        }
        Ok(all)
    }

    /// Installs skills of one registry. Returns those that are installed in a folder.
    fn install_from(
        &self,
        chosen: &RegistryChoice,
        source: &Source,
        admitted: &[(Target, Admitted)],
        mut project: Option<&mut Project>,
        report: &mut BatchReport,
    ) -> Vec<Coordinate> {
        let agents = self.folder.agents();
        let mut installed = Vec::new();
        // One of several may require another, or the same skill as another: then each is chosen again when it is its turn.
        let is_again = admitted.len() > 1 && admitted.iter().any(|(_, admitted)| admitted.is_of_several());
        for (target, admitted) in admitted {
            let mut bar = DownloadBar::new();
            let progress = &mut |received, total| bar.show(received, total);
            let mut add = || {
                let named = self.named(source, target, &agents);
                let again =
                    is_again.then(|| admit(project.as_deref(), &named, SignedHistory::of(source)?.as_ref()));
                let again = again.transpose()?;
                add(project.as_deref_mut(), &named, again.as_ref().unwrap_or(admitted), progress)
            };
            let done = add();
            drop(bar);
            let results = done.unwrap_or_else(|why| vec![Err(why)]);
            for result in results {
                match result {
                    Ok(outcome) => {
                        report.done(&sentence(&outcome), record(&outcome));
                        installed.push(outcome.installed.coordinate);
                    }
                    Err(why) => report.failed(&target.skill, &explain(chosen, why)),
                }
            }
        }
        installed
    }
}
