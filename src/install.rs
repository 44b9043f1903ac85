//! `skillmirror install`: skills of a registry, into a folder of skills.

use std::process::ExitCode;

use clap::Args;
use client::install::{Change, Force, InstallError, Outcome, Place, install};
use client::{SkillReference, Source};
use serde_json::{Value, json};

use crate::chosen_registry::{ChosenRegistry, ClientOptions};
use crate::download_bar::DownloadBar;
use crate::one_by_one::OneByOne;
use crate::skills_folder::{SkillsFolder, left_behind};

/// What to install, and where.
#[derive(Args)]
pub struct Arguments {
    /// hello, @namespace/hello or namespace--hello, perhaps with @VERSION or @TAG behind
    #[arg(required = true, value_name = "SKILL")]
    skills: Vec<String>,
    #[command(flatten)]
    folder: SkillsFolder,
    /// Overwrite what was changed since it was installed, and take a skill from
    /// another registry than before
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    options: ClientOptions,
}

/// Runs the command. Each skill is installed, or fails, by itself.
pub fn run(arguments: &Arguments) -> ExitCode {
    let begun = arguments.folder.place().and_then(|place| Ok((place, arguments.options.choose()?)));
    let outcomes = match begun {
        Ok((place, chosen)) => arguments.install(&place, &chosen),
        Err(why) => OneByOne::not_begun(why),
    };
    outcomes.finish(arguments.options.json)
}

impl Arguments {
    fn install(&self, place: &Place, chosen: &ChosenRegistry) -> OneByOne {
        // One for all, so that connections are used again.
        let source = chosen.source();
        let mut outcomes = OneByOne::default();
        for skill in &self.skills {
            match self.install_one(place, &source, skill) {
                Ok(outcome) => outcomes.done(&sentence(&outcome), record(&outcome)),
                Err(InstallError::Source(why)) => outcomes.failed(skill, &chosen.explain(why).into()),
                Err(why) => outcomes.failed(skill, &why),
            }
        }
        outcomes
    }

    fn install_one(&self, place: &Place, source: &Source, skill: &str) -> Result<Outcome, InstallError> {
        let reference: SkillReference = skill.parse()?;
        let force = if self.force { Force::Yes } else { Force::No };
        let mut bar = DownloadBar::new();
        install(place, source, &reference, force, &mut |so_far, all| bar.show(so_far, all))
    }
}

fn sentence(outcome: &Outcome) -> String {
    let installed = &outcome.installed;
    let skill = format!("{} {}", SkillReference::argument(&installed.coordinate), installed.version);
    let path = outcome.path.display();
    let done = match &outcome.change {
        Change::Installed => format!("installed {skill} in {path}"),
        Change::Replaced(before) if *before == installed.version => {
            format!("installed {skill} anew in {path}")
        }
        Change::Replaced(before) => format!("installed {skill} in {path}, in the place of {before}"),
        Change::AlreadyThere => format!("{skill} is already in {path}"),
    };
    done + &left_behind(&outcome.left)
}

fn record(outcome: &Outcome) -> Value {
    let installed = &outcome.installed;
    let (status, replaced) = match &outcome.change {
        Change::Installed => ("installed", None),
        Change::Replaced(before) => ("replaced", Some(before)),
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
        "requested": installed.requested,
        "left": outcome.left.iter().map(|path| path.to_string_lossy()).collect::<Vec<_>>(),
    })
}
