//! `skillmirror scan`: lets the scanners judge a version now.

use std::process::ExitCode;
use std::sync::Arc;

use clap::Args;
use registry::names::Version;
use registry::ops::verdicts::Judged;
use registry::public::VerdictSummary;
use serde::Serialize;
use server::scan_status::ScanStatus;

use crate::Failure;
use crate::arguments::skill_argument::SkillMaybeVersion;
use crate::config::Config;
use crate::output::{Items, Printer, borderless, table_text};
use crate::scan::{Scanner, Worker};
use crate::storage::open_registry::open_existing;

/// Let the scanners judge a version now
///
/// The registry's own rules and the scanners of the settings read its package. A verdict that differs from the last one
/// is recorded, also beside a running server.
#[derive(Args)]
#[command(after_help = "
    scan @tools/lint                     # The latest version
    scan hello@1.2.0                     # Another version
    scan hello --config registry.toml    # With the scanners of these settings
")]
pub struct Arguments {
    /// The skill: hello, @namespace/hello, hello@1.2.0
    #[arg(value_name = "SKILL[@VERSION]")]
    skill: SkillMaybeVersion,
}

/// What a scanner said.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Said {
    scanner: String,
    version: Version,
    /// None: it did not answer.
    verdict: Option<VerdictSummary>,
    why: Option<String>,
}

impl Said {
    fn cells(&self) -> Vec<String> {
        let number = |number: fn(&VerdictSummary) -> u32| {
            self.verdict.as_ref().map_or_else(|| "-".to_owned(), |verdict| number(verdict).to_string())
        };
        let why = self.why.as_ref().map_or_else(String::new, |why| format!("did not answer: it {why}"));
        vec![
            self.scanner.clone(),
            number(|it| it.errors),
            number(|it| it.warnings),
            number(|it| it.notes),
            why,
        ]
    }
}

/// Runs the command.
pub fn run(config: &Config, arguments: &Arguments, printer: Printer) -> Result<ExitCode, Failure> {
    let registry = open_existing(config)?.registry;
    let SkillMaybeVersion { skill: coordinate, version } = &arguments.skill;
    let found = registry.read(|catalog| {
        let skill = catalog.public.skill(coordinate)?;
        let entry = version.as_ref().map_or_else(|| skill.latest(), |version| skill.version(version))?;
        Some((entry.version.clone(), entry.sha256))
    });
    let (version, sha256) =
        found.ok_or_else(|| format!("no such version of {} is public", coordinate.scoped()))?;
    let judged = Judged::Version { skill: coordinate.clone(), version: version.clone(), sha256 };
    let (mut items, mut answered) = (Vec::new(), true);
    for scanner in Scanner::all(config)? {
        let name = scanner.name.clone();
        let worker = Worker {
            registry: Arc::clone(&registry),
            scanner,
            limits: config.package_limits(),
            status: Arc::new(ScanStatus::default()),
        };
        let verdict = worker.scanner.version().and_then(|of_scanner| worker.judge(&of_scanner, &judged));
        answered &= verdict.is_ok();
        let (verdict, why) = match verdict {
            Ok(verdict) => (Some(verdict), None),
            Err(why) => (None, Some(why)),
        };
        items.push(Said { scanner: name, version: version.clone(), verdict, why });
    }
    let header = ["SCANNER", "ERRORS", "WARNINGS", "NOTES", ""];
    printer.report(table_text(borderless(header, items.iter().map(Said::cells))), &Items { items })?;
    Ok(if answered { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
