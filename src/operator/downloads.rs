//! `skillmirror downloads`: shows the numbers of downloads.

use std::collections::HashMap;
use std::process::ExitCode;

use clap::Args;
use client::SkillReference;
use registry::names::Coordinate;
use registry::public::Skill;
use serde_json::{Value, json};

use crate::Failure;
use crate::config::Config;
use crate::open_registry::{Opened, open_existing};
use crate::output::{self, borderless, table_text};
use crate::skill_argument::SkillName;

/// What to show.
#[derive(Args)]
pub struct Arguments {
    /// Show this skill by version and UTC day: hello, @namespace/hello or namespace--hello
    /// [default: all skills, most downloaded first]
    #[arg(value_name = "SKILL")]
    skill: Option<SkillName>,
    /// Print one JSON array
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub fn run(config: &Config, arguments: &Arguments) -> Result<ExitCode, Failure> {
    let opened = open_existing(config)?;
    let (header, rows): (&[&str], _) = match &arguments.skill {
        None => (&["skill", "downloads"], totals(&opened)?),
        Some(SkillName(coordinate)) => (&["version", "day", "downloads"], days(&opened, coordinate)?),
    };
    if arguments.json {
        let record = |row: Vec<Value>| header.iter().map(|name| (*name).to_owned()).zip(row).collect();
        let records: Vec<Value> = rows.into_iter().map(|row| Value::Object(record(row))).collect();
        output::print(&format!("{}\n", Value::Array(records)))?;
        return Ok(ExitCode::SUCCESS);
    }
    if rows.is_empty() {
        output::print("no downloads counted yet\n")?;
        return Ok(ExitCode::SUCCESS);
    }
    let cell = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    let header = header.iter().map(|name| name.to_uppercase());
    let rows = rows.iter().map(|row| row.iter().map(cell).collect::<Vec<_>>());
    output::print(&table_text(borderless(header, rows)))?;
    Ok(ExitCode::SUCCESS)
}

fn totals(opened: &Opened) -> Result<Vec<Vec<Value>>, Failure> {
    let (totals, _) = opened.local.download_totals_since(0)?;
    let public = opened.registry.public();
    let catalog = public.read();
    let skills: HashMap<_, &Skill> = catalog.skills().map(|skill| (skill.id, skill)).collect();
    let mut known: Vec<_> = totals
        .into_iter()
        .filter_map(|(id, count)| Some((std::cmp::Reverse(count), &skills.get(&id)?.coordinate)))
        .collect();
    known.sort();
    Ok(known.into_iter().map(|(count, skill)| vec![json!(skill), json!(count.0)]).collect())
}

fn days(opened: &Opened, coordinate: &Coordinate) -> Result<Vec<Vec<Value>>, Failure> {
    let public = opened.registry.public();
    let catalog = public.read();
    let skill = catalog.skill(coordinate);
    let skill =
        skill.ok_or_else(|| format!("no skill `{}` is public", SkillReference::argument(coordinate)))?;
    let mut rows = Vec::new();
    for found in opened.local.download_days(skill.id)? {
        let version = skill.versions.iter().find(|version| version.id == found.version);
        if let Some(version) = version {
            rows.push(vec![json!(version.version), json!(found.day.to_string()), json!(found.count)]);
        }
    }
    Ok(rows)
}
