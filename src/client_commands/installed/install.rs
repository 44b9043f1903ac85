//! `skillmirror install`: installs skills from a registry, or everything that a project records.

use std::process::ExitCode;

use clap::Args;
use client::history::SignedHistory;
use client::install::{Change, InstallError, Outcome, SkillsFolder};
use client::project::{NamedSkill, PlacedResult, Project, add};
use client::registry_choice::RegistryChoice;
use client::{SkillReference, Source};
use registry::names::Slug;
use serde_json::{Value, json};

use super::batch_report::BatchReport;
use super::download_bar::DownloadBar;
use super::{SkillsFolderOptions, lossy, restore, unremovable_note};
use crate::client_commands::registry_options::RegistryOptions;

/// What to install, and where.
#[derive(Args)]
#[command(after_help = "\
Examples:
  skillmirror install                     what skills.lock records, exactly
  skillmirror install hello@1 --agent claude,codex
                                          the newest 1.x, for two agents
  skillmirror install --locked            in CI: fail if the lock would change")]
pub struct Arguments {
    /// The skill: hello, @namespace/hello or namespace--hello, optionally with @1.2.0, @1, @^1.2 or
    /// @TAG. Without any, all that skills.toml wants and skills.lock records
    #[arg(value_name = "SKILL")]
    pub(super) skills: Vec<String>,
    #[command(flatten)]
    pub(super) folder: SkillsFolderOptions,
    /// Name the skill's own folder so. Only with one skill
    #[arg(long = "as", value_name = "NAME", requires = "skills", conflicts_with = "locked")]
    name: Option<Slug>,
    /// Install what skills.lock records, and fail if it would change
    #[arg(long)]
    pub(super) locked: bool,
    /// Overwrite skills that differ from what the registry has published, that came from another
    /// registry, or whose version now has other content
    #[arg(long)]
    pub(super) force: bool,
    #[command(flatten)]
    pub(super) options: RegistryOptions,
}

/// Runs the command. A skill that fails does not keep the others from being installed.
pub fn run(arguments: &Arguments) -> ExitCode {
    let mut report = BatchReport::default();
    let done = match arguments.skills.is_empty() || arguments.locked {
        true => restore::run(arguments, &mut report),
        false => arguments.install(&mut report),
    };
    if let Err(why) = done {
        report.failed("", &why);
    }
    report.finish(arguments.options.json)
}

impl Arguments {
    /// Installs the named skills, and records them in the project.
    fn install(&self, report: &mut BatchReport) -> Result<(), InstallError> {
        if self.name.is_some() && self.skills.len() > 1 {
            let why = "--as names the folder of one skill: install the others with another command";
            return Err(client::ClientError::Unsupported(why.to_owned()).into());
        }
        let named = self.folder.named()?;
        let mut project = match self.folder.is_outside()? {
            true => None,
            false => Some(Project::open(&named)?),
        };
        let manifest = project.as_ref().and_then(Project::manifest);
        let folders: Vec<SkillsFolder> = match manifest.filter(|_| named.is_empty()) {
            Some(manifest) => manifest.folders.iter().map(SkillsFolder::new).collect(),
            None => self.folder.named_or_default()?,
        };
        let chosen = self.options.choose_for(manifest.and_then(|manifest| manifest.registry.as_ref()))?;
        // One source for all skills, so that connections are reused.
        let source = chosen.source().map_err(|why| chosen.explain(why))?;
        let history = SignedHistory::of(&source)?;
        let mut installed = Vec::new();
        for skill in &self.skills {
            match self.install_one(project.as_mut(), &folders, &source, history.as_ref(), skill) {
                Ok(results) => {
                    installed
                        .extend(results.iter().flatten().map(|outcome| outcome.installed.coordinate.clone()));
                    self.tell(report, &chosen, skill, results);
                }
                Err(why) => report.failed(skill, &explain(&chosen, why)),
            }
        }
        let Some(mut project) = project else { return Ok(()) };
        if project.manifest().is_some() {
            // What is installed is recorded, whatever happens to the other places.
            project.save()?;
            restore::follow(self, &mut project, &installed, report)?;
        }
        project.save()
    }

    fn install_one(
        &self,
        project: Option<&mut Project>,
        folders: &[SkillsFolder],
        source: &Source,
        history: Option<&SignedHistory<'_>>,
        skill: &str,
    ) -> Result<Vec<PlacedResult>, InstallError> {
        let (reference, agents) = (&skill.parse::<SkillReference>()?, self.folder.agents());
        let (name, force) = (self.name.as_ref(), self.force);
        let mut bar = DownloadBar::new();
        let named = NamedSkill { source, history, reference, folders, agents: &agents, name, force };
        add(project, &named, &mut |received, total| bar.show(received, total))
    }

    fn tell(
        &self,
        report: &mut BatchReport,
        chosen: &RegistryChoice,
        skill: &str,
        results: Vec<PlacedResult>,
    ) {
        for result in results {
            match result {
                Ok(outcome) => report.done(&sentence(&outcome), record(&outcome)),
                Err(why) => report.failed(skill, &explain(chosen, why)),
            }
        }
    }
}

/// Adds the setting that named the registry to an error, if that may help.
pub(super) fn explain(chosen: &RegistryChoice, why: InstallError) -> InstallError {
    match why {
        InstallError::Source(why) => chosen.explain(why).into(),
        why => why,
    }
}

/// What was done, for people.
pub(super) fn sentence(outcome: &Outcome) -> String {
    let installed = &outcome.installed;
    let skill = format!("{} {}", SkillReference::argument(&installed.coordinate), installed.version);
    let path = outcome.path.display();
    let done = match &outcome.change {
        Change::Installed => format!("installed {skill} in {path}"),
        Change::Replaced(old) if *old == installed.version => format!("reinstalled {skill} in {path}"),
        Change::Replaced(old) => format!("installed {skill} in {path} (replaced {old})"),
        Change::AlreadyThere => format!("{skill} is already installed in {path}"),
    };
    let signed =
        installed.log.as_ref().map(|log| format!(", as {} has signed it", log.name)).unwrap_or_default();
    done + &signed + &unremovable_note(&outcome.unremovable)
}

/// The record of an installation, for programs.
pub fn record(outcome: &Outcome) -> Value {
    let installed = &outcome.installed;
    let (status, replaced) = match &outcome.change {
        Change::Installed => ("installed", None),
        Change::Replaced(old) => ("replaced", Some(old)),
        Change::AlreadyThere => ("already_there", None),
    };
    json!({
        "coordinate": installed.coordinate.scoped(),
        "version": installed.version,
        "status": status,
        "replaced": replaced,
        "path": outcome.path.to_string_lossy(),
        "sha256": installed.sha256,
        "contentDigest": installed.content_digest,
        "registry": installed.registry,
        "log": installed.log,
        "requested": installed.requested,
        "left": lossy(&outcome.unremovable),
    })
}
