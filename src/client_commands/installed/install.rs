//! `skillmirror install`: installs skills from a registry into a folder.

use std::process::ExitCode;

use clap::Args;
use client::history::SignedHistory;
use client::install::{Change, InstallError, InstallRequest, Outcome, SkillsFolder, install};
use client::registry_choice::RegistryChoice;
use client::skills::resolve::parse_reference;
use client::{SkillReference, Source};
use serde_json::{Value, json};

use super::batch_report::BatchReport;
use super::download_bar::DownloadBar;
use super::{SkillsFolderOptions, lossy, unremovable_note};
use crate::client_commands::registry_options::RegistryOptions;

/// What to install, and where.
#[derive(Args)]
pub struct Arguments {
    /// The skill: hello, @namespace/hello or namespace--hello, optionally with @VERSION or @TAG
    #[arg(required = true, value_name = "SKILL")]
    skills: Vec<String>,
    #[command(flatten)]
    folder: SkillsFolderOptions,
    /// Overwrite skills that differ from what the registry has published, that came from another
    /// registry, or whose version now has other content
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    options: RegistryOptions,
}

/// Runs the command. A skill that fails does not keep the others from being installed.
pub fn run(arguments: &Arguments) -> ExitCode {
    let started = arguments.folder.open().and_then(|folder| Ok((folder, arguments.options.choose()?)));
    let report = match started {
        Ok((folder, chosen)) => arguments.install(&folder, &chosen),
        Err(why) => BatchReport::of_failure(&why.into()),
    };
    report.finish(arguments.options.json)
}

impl Arguments {
    fn install(&self, folder: &SkillsFolder, chosen: &RegistryChoice) -> BatchReport {
        // One source for all skills, so that connections are reused.
        let source = match chosen.source() {
            Ok(source) => source,
            Err(why) => return BatchReport::of_failure(&chosen.explain(why).into()),
        };
        let history = match SignedHistory::of(&source) {
            Ok(history) => history,
            Err(why) => return BatchReport::of_failure(&why.into()),
        };
        let mut report = BatchReport::default();
        for skill in &self.skills {
            match self.install_one(folder, &source, history.as_ref(), skill) {
                Ok(outcome) => report.done(&sentence(&outcome), record(&outcome)),
                Err(InstallError::Source(why)) => report.failed(skill, &chosen.explain(why).into()),
                Err(why) => report.failed(skill, &why),
            }
        }
        report
    }

    fn install_one(
        &self,
        folder: &SkillsFolder,
        source: &Source,
        history: Option<&SignedHistory<'_>>,
        skill: &str,
    ) -> Result<Outcome, InstallError> {
        let reference = parse_reference(source, skill)?;
        let request = InstallRequest { folder, source, history, reference: &reference, force: self.force };
        let mut bar = DownloadBar::new();
        install(&request, &mut |received, total| bar.show(received, total))
    }
}

fn sentence(outcome: &Outcome) -> String {
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
