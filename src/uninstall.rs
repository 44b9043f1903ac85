//! `skillmirror uninstall`: installed skills, out of a folder of skills.

use std::process::ExitCode;

use clap::Args;
use client::install::{Force, InstallError, Place, Uninstalled, uninstall};
use client::{ClientError, SkillReference};
use registry::names::Slug;
use serde_json::json;

use crate::one_by_one::OneByOne;
use crate::skills_folder::{SkillsFolder, left_behind};

/// What to take away, and from where.
#[derive(Args)]
pub struct Arguments {
    /// The name of a skill's folder, or its full name, @namespace/hello
    #[arg(required = true, value_name = "SKILL")]
    skills: Vec<String>,
    #[command(flatten)]
    folder: SkillsFolder,
    /// Take away what was changed since it was installed, too
    #[arg(long)]
    force: bool,
    /// Print one JSON document, and failures as JSON
    #[arg(long)]
    json: bool,
}

/// Runs the command. Each skill is taken away, or stays, by itself.
pub fn run(arguments: &Arguments) -> ExitCode {
    let outcomes = match arguments.folder.place() {
        Ok(place) => arguments.uninstall(&place),
        Err(why) => OneByOne::not_begun(why),
    };
    outcomes.finish(arguments.json)
}

impl Arguments {
    fn uninstall(&self, place: &Place) -> OneByOne {
        let mut outcomes = OneByOne::default();
        for skill in &self.skills {
            match self.uninstall_one(place, skill) {
                Ok(Uninstalled { installed, path, left }) => {
                    let name = SkillReference::argument(&installed.coordinate);
                    let line = format!("uninstalled {name} {} from {}", installed.version, path.display());
                    let line = line + &left_behind(&left);
                    let path = path.to_string_lossy();
                    let (coordinate, version) = (installed.coordinate.scoped(), &installed.version);
                    let left: Vec<_> = left.iter().map(|path| path.to_string_lossy()).collect();
                    let item =
                        json!({"coordinate": coordinate, "version": version, "path": path, "left": left});
                    outcomes.done(&line, item);
                }
                Err(why) => outcomes.failed(skill, &why),
            }
        }
        outcomes
    }

    fn uninstall_one(&self, place: &Place, skill: &str) -> Result<Uninstalled, InstallError> {
        let force = if self.force { Force::Yes } else { Force::No };
        // A name alone is that of a folder, whosever skill is in it.
        if let Ok(slug) = skill.parse::<Slug>() {
            return uninstall(place, &slug, None, force);
        }
        let SkillReference { coordinate, pointer } = skill.parse()?;
        if pointer.is_some() {
            let (text, why) = (skill.to_owned(), "there is one version of a skill in a folder".to_owned());
            return Err(ClientError::Reference { text, why }.into());
        }
        uninstall(place, &coordinate.slug, Some(&coordinate), force)
    }
}
