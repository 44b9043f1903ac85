//! `skillmirror policy`: the rules about what may be installed.

use std::process::ExitCode;

use clap::{Args, Subcommand};
use client::history::SignedHistory;
use client::install::{InstallError, Release};
use client::policy::{Decision, Policy};
use client::project::{Sources, read_lock};
use client::{ClientError, SkillReference, Source};
use serde_json::{Value, json};

use super::installed::batch_report::{BatchReport, Quiet};
use super::installed::outcome::explain;
use super::registry_options::RegistryOptions;
use super::{Report, report_or_error};
use crate::output::{borderless, escape_line, table_text};

/// Show the rules about what may be installed
///
/// They are in `skillmirror-policy.toml` of the project, `policy.toml` in the user's configuration folder, and
/// `/etc/skillmirror/policy.toml`. All of them hold together.
#[derive(Subcommand)]
#[command(after_help = "
    policy list                # All rules, with the files that they are from
    policy check               # What each rule says about the skills of this project
    policy check hello --json  # About a skill that may be installed, for programs
")]
pub enum Command {
    /// List all rules, with the files that they are from
    #[command(after_help = "policy list --json  # For programs")]
    List {
        /// Print one JSON document, and failures as JSON
        #[arg(long)]
        json: bool,
    },
    Check(CheckArguments),
}

/// Explain what each rule decides about skills
///
/// The exit code is 1 if a rule refuses any. Nothing is installed.
#[derive(Args)]
#[command(after_help = "
    policy check                 # The skills that skills.lock records
    policy check hello@1 --json  # A skill that may be installed, for programs
")]
pub struct CheckArguments {
    /// The skills, as `install` takes them [default: all that skills.lock records]
    #[arg(value_name = "SKILL")]
    skills: Vec<String>,
    #[command(flatten)]
    options: RegistryOptions,
}

/// Runs the command.
pub fn run(command: &Command) -> ExitCode {
    match command {
        Command::List { json } => report_or_error(list(), *json),
        Command::Check(arguments) => arguments.run(),
    }
}

fn list() -> Result<Report, ClientError> {
    let policy = Policy::load()?;
    let rules = policy.rules();
    let text = match rules.is_empty() {
        true => "there is no rule: everything may be installed\n".to_owned(),
        false => {
            let cells = rules
                .iter()
                .map(|rule| [rule.name.to_owned(), rule.value.clone(), escape_line(rule.place())]);
            table_text(borderless(["RULE", "VALUE", "FROM"], cells))
        }
    };
    let item = |rule: &client::policy::PlacedRule| json!({ "rule": rule.name, "value": rule.value, "file": rule.file.to_string_lossy(), "line": rule.line });
    Ok(Report { text, json: json!({ "items": rules.iter().map(item).collect::<Vec<_>>() }) })
}

/// The lines of a table.
#[derive(Default)]
struct Rows(Vec<[String; 6]>);

impl CheckArguments {
    fn run(&self) -> ExitCode {
        let mut report = BatchReport::with_notices(self.options.json, Quiet::default());
        let mut rows = Rows::default();
        if let Err(why) = self.check(&mut rows, &mut report) {
            report.all_failed(&self.skills, &why);
        }
        if !rows.0.is_empty() {
            report.show(&table_text(borderless(HEADER, rows.0)));
        }
        report.finish(self.options.json)
    }

    fn check(&self, rows: &mut Rows, report: &mut BatchReport) -> Result<(), InstallError> {
        let policy = Policy::load()?;
        if policy.rules().is_empty() {
            report.show("there is no rule: everything may be installed\n");
            return Ok(());
        }
        if self.skills.is_empty() {
            return self.check_lock(&policy, rows, report);
        }
        let chosen = self.options.choose()?;
        let source = chosen.source()?;
        for skill in &self.skills {
            let found = skill.parse().map_err(InstallError::from);
            let found = found.and_then(|reference: SkillReference| Release::resolve(&source, &reference));
            if let Err(why) = found.and_then(|release| rows.add(&policy, &source, &release, report)) {
                report.failed(skill, &explain(&chosen, why));
            }
        }
        Ok(())
    }

    fn check_lock(
        &self,
        policy: &Policy,
        rows: &mut Rows,
        report: &mut BatchReport,
    ) -> Result<(), InstallError> {
        let lock = read_lock()?.ok_or(InstallError::NoProject)?;
        let copy = self.options.is_named().then(|| self.options.choose()).transpose()?;
        let mut sources = Sources::new(copy.as_ref());
        let mut seen = Vec::new();
        for skill in lock.skills.values() {
            let version_of = (&skill.coordinate, &skill.version, skill.registry.to_string());
            if seen.contains(&version_of) {
                continue;
            }
            seen.push(version_of);
            sources.open(&skill.registry)?;
            let source = sources.get(&skill.registry)?;
            let checked =
                skill.release(source).and_then(|release| rows.add(policy, source, &release, report));
            if let Err(why) = checked {
                report.failed(&skill.coordinate.scoped(), &why);
            }
        }
        Ok(())
    }
}

impl Rows {
    /// Adds what each rule decides about a release.
    fn add(
        &mut self,
        policy: &Policy,
        source: &Source,
        release: &Release,
        report: &mut BatchReport,
    ) -> Result<(), InstallError> {
        let proved = release.prove(SignedHistory::of(source)?.as_ref())?;
        for decision in policy.decisions(&release.subject(source, proved.is_some(), policy))? {
            if !decision.is_accepted {
                report.exit_with_failure();
            }
            report.add(item(release, &decision));
            let Decision { rule, is_accepted, fact } = &decision;
            let name = SkillReference::argument(&release.coordinate);
            let said = if *is_accepted { "accepted" } else { "refused" };
            let fact = escape_line(fact);
            let from = escape_line(rule.place());
            self.0.push([name, release.version.to_string(), said.to_owned(), rule.to_string(), fact, from]);
        }
        Ok(())
    }
}

const HEADER: [&str; 6] = ["SKILL", "VERSION", "DECISION", "RULE", "FACT", "FROM"];

fn item(release: &Release, Decision { rule, is_accepted, fact }: &Decision<'_>) -> Value {
    json!({
        "coordinate": release.coordinate.scoped(), "version": release.version, "accepted": is_accepted,
        "rule": rule.name, "value": rule.value, "fact": fact, "file": rule.file.to_string_lossy(), "line": rule.line,
    })
}
