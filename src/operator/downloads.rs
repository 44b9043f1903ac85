//! `skillmirror downloads`: shows the numbers of downloads.

use std::collections::HashMap;
use std::process::ExitCode;

use clap::Args;
use client::SkillReference;
use registry::names::{Coordinate, Version};
use registry::public::Skill;
use serde::Serialize;

use crate::Failure;
use crate::arguments::skill_argument::SkillName;
use crate::config::Config;
use crate::output::{Items, Printer, borderless, table_text};
use crate::storage::open_registry::{Opened, open_existing};

/// Show how often skills were downloaded
#[derive(Args)]
#[command(after_help = "
    downloads              # All skills, the most downloaded first
    downloads @tools/lint  # One skill by version and day
    downloads --json       # For programs
")]
pub struct Arguments {
    /// Show this skill by version and UTC day: hello, @namespace/hello or namespace--hello
    /// [default: all skills, most downloaded first]
    #[arg(value_name = "SKILL")]
    skill: Option<SkillName>,
}

/// Downloads of a skill, or of a version on a UTC day.
#[derive(Serialize)]
#[serde(untagged)]
enum Count {
    OfSkill { skill: Coordinate, downloads: u64 },
    OfDay { version: Version, day: String, downloads: u64 },
}

impl Count {
    fn cells(&self) -> Vec<String> {
        match self {
            Self::OfSkill { skill, downloads } => vec![skill.to_string(), downloads.to_string()],
            Self::OfDay { version, day, downloads } => {
                vec![version.to_string(), day.clone(), downloads.to_string()]
            }
        }
    }
}

/// Runs the command.
pub fn run(config: &Config, arguments: &Arguments, printer: Printer) -> Result<ExitCode, Failure> {
    let opened = open_existing(config)?;
    let (header, items): (&[&str], _) = match &arguments.skill {
        None => (&["SKILL", "DOWNLOADS"], totals(&opened)?),
        Some(SkillName(coordinate)) => (&["VERSION", "DAY", "DOWNLOADS"], days(&opened, coordinate)?),
    };
    let text = match items.is_empty() {
        true => "no downloads counted yet\n".to_owned(),
        false => table_text(borderless(header, items.iter().map(Count::cells))),
    };
    printer.report(text, &Items { items })?;
    Ok(ExitCode::SUCCESS)
}

fn totals(opened: &Opened) -> Result<Vec<Count>, Failure> {
    let (totals, _) = opened.local.download_totals_since(0)?;
    let public = opened.registry.public();
    let catalog = public.read();
    let skills: HashMap<_, &Skill> = catalog.skills().map(|skill| (skill.id, skill)).collect();
    let mut known: Vec<_> = totals
        .into_iter()
        .filter_map(|(id, count)| Some((std::cmp::Reverse(count), &skills.get(&id)?.coordinate)))
        .collect();
    known.sort();
    Ok(known
        .into_iter()
        .map(|(count, skill)| Count::OfSkill { skill: skill.clone(), downloads: count.0 })
        .collect())
}

fn days(opened: &Opened, coordinate: &Coordinate) -> Result<Vec<Count>, Failure> {
    let public = opened.registry.public();
    let catalog = public.read();
    let skill = catalog.skill(coordinate);
    let skill =
        skill.ok_or_else(|| format!("no skill `{}` is public", SkillReference::argument(coordinate)))?;
    let mut rows = Vec::new();
    for found in opened.local.download_days(skill.id)? {
        let version = skill.versions.iter().find(|version| version.id == found.version);
        if let Some(version) = version {
            let (version, day) = (version.version.clone(), found.day.to_string());
            rows.push(Count::OfDay { version, day, downloads: found.count });
        }
    }
    Ok(rows)
}
