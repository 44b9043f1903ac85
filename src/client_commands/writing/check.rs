//! `skillmirror check`: says everything that publishing would, without a registry.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Args, ValueEnum};
use client::ClientError;
use client::writing::{Accepted, CheckRequest, Checked, check, move_keys, rename_entry_file, sarif};
use indicatif::HumanBytes;
use registry::package::{Finding, Level, SKILL_MD};
use serde_json::{Value, json};

use super::{package_at, package_path};
use crate::client_commands::{Report, report_or_error};
use crate::output::{Severity, count, escape_line, print_note, severity, shortened};

/// Say everything that publishing would, without a registry
///
/// Reads each folder as `publish` does: the files that ignore files leave, the front matter, secrets and
/// size limits. The exit code is 1 if there are errors, and 0 if there are only warnings. A warning also
/// names the clients that would refuse the skill.
#[derive(Args)]
#[command(after_help = "
    check                                         # The skill in this folder
    check pdf-forms --format json                 # Another folder, or a zip, for programs
    check skills/* --format sarif > check.sarif   # Several, for code scanning of GitHub and GitLab
    check --portable                              # In CI: fail if a client does not load the skill
    check --fix                                   # Move keys such as `version` to `metadata`
")]
pub struct Arguments {
    /// Skill folders, or zips of them
    #[arg(value_name = "DIR|ZIP", default_value = ".")]
    paths: Vec<PathBuf>,
    /// How to print what was found
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t = Format::Text)]
    format: Format,
    /// Accept this file, though its name says that it holds secrets (repeatable)
    #[arg(long, value_name = "PATH", value_parser = package_path)]
    allow_file: Vec<String>,
    /// Fail, too, if a client does not load the skill
    #[arg(long)]
    portable: bool,
    /// First rename `skill.md` to `SKILL.md`, and move keys in it to `metadata`, where all clients accept them
    #[arg(long)]
    fix: bool,
    /// The same as --format json
    #[arg(long, conflicts_with = "format")]
    json: bool,
}

/// How findings are printed.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// A line for each finding, with path, line and column
    Text,
    /// One JSON document
    Json,
    /// SARIF 2.1.0, for code scanning
    Sarif,
}

/// Runs the command. The exit code is 1 if a package has errors.
pub fn run(arguments: &Arguments) -> ExitCode {
    let format = if arguments.json { Format::Json } else { arguments.format };
    let checked = arguments.paths.iter().map(|path| arguments.check(path, format)).collect();
    let checked: Vec<(&Path, Checked)> = match checked {
        Ok(checked) => checked,
        Err(why) => return report_or_error(Err(why), format != Format::Text),
    };
    let report = Report {
        text: checked.iter().map(|(path, checked)| text(checked, path)).collect(),
        json: if format == Format::Sarif {
            sarif::document(&checked)
        } else {
            let packages = checked.iter().map(|(path, checked)| record(checked, path));
            json!({"packages": packages.collect::<Vec<_>>()})
        },
    };
    let printed = report_or_error(Ok(report), format != Format::Text);
    let is_good =
        |checked: &Checked| checked.errors.is_empty() && (!arguments.portable || checked.is_portable());
    if checked.iter().all(|(_, checked)| is_good(checked)) { printed } else { ExitCode::FAILURE }
}

impl Arguments {
    /// Checks one package. The path that is returned is the folder if `path` is a SKILL.md.
    fn check<'p>(&self, path: &'p Path, format: Format) -> Result<(&'p Path, Checked), ClientError> {
        let path = package_at(path, format != Format::Text);
        if self.fix {
            if let Some(name) = rename_entry_file(path)? {
                print_note(format_args!("renamed {} to SKILL.md", escape_line(path.join(name).display())));
            }
            let moved = move_keys(path)?;
            if !moved.is_empty() {
                let place = escape_line(path.join(SKILL_MD).display());
                print_note(format_args!("moved to `metadata` in {place}: {}", moved.join(", ")));
            }
        }
        let request = CheckRequest { path, allowed_files: &self.allow_file, is_named: false };
        Ok((path, check(&request)?))
    }
}

/// A line for each finding, and the result.
fn text(checked: &Checked, path: &Path) -> String {
    let mut text = String::new();
    for (kind, findings) in [(Severity::Error, &checked.errors), (Severity::Warning, &checked.warnings)] {
        for finding in findings {
            let _ = writeln!(text, "{}", line(kind, finding, path));
        }
    }
    let shown = escape_line(path.display());
    let errors = count(checked.errors.len(), "error");
    let warnings = count(checked.warnings.len(), "warning");
    let result = match &checked.accepted {
        None => format!("{shown}: {errors}, {warnings}: it would be refused\n"),
        Some(Accepted { package, archive, .. }) => {
            let files = count(package.files.len(), "file");
            let (unpacked, packed) = (HumanBytes(package.unpacked_size()), HumanBytes(archive.size));
            let waits = checked.warnings.iter().any(|finding| finding.level == Some(Level::Error));
            let waits = if waits { "; by default, it would wait for a person" } else { "" };
            format!("{shown}: no errors, {warnings}; {files}, {unpacked} ({packed} packed){waits}\n")
        }
    };
    text + &result + &left_out(&checked.left_out)
}

/// A finding as compilers print it, so that editors find the place.
fn line(kind: Severity, finding: &Finding, path: &Path) -> String {
    let mut place = match &finding.path {
        Some(file) if path == Path::new(".") => escape_line(file),
        Some(file) => escape_line(path.join(file).display()),
        None => escape_line(path.display()),
    };
    for number in [finding.line, finding.column].into_iter().flatten() {
        let _ = write!(place, ":{number}");
    }
    // Warnings are of the level `warning` unless they have another.
    let level = finding.level.filter(|level| *level != Level::Warning);
    let level = level.map_or_else(String::new, |level| format!(", level {}", level.as_str()));
    format!("{place}: {}: {} [{}{level}]", severity(kind), escape_line(&finding.message), finding.code)
}

/// A sentence about what is not published. Empty if that is nothing.
pub fn left_out(paths: &[String]) -> String {
    if paths.is_empty() { String::new() } else { format!("left out: {}\n", shortened(paths)) }
}

fn record(checked: &Checked, path: &Path) -> Value {
    let findings = |findings: &[Finding]| -> Vec<Value> {
        let finding = |found: &Finding| {
            json!({
                "path": found.path, "line": found.line, "column": found.column,
                "code": found.code, "message": found.message, "level": found.level,
            })
        };
        findings.iter().map(finding).collect()
    };
    let package = checked.accepted.as_ref().map(|Accepted { package, archive, .. }| {
        let files = package
            .files
            .iter()
            .map(|file| json!({"path": file.path, "size": file.size, "executable": file.executable}));
        json!({
            "slug": package.manifest.slug(),
            "version": package.manifest.version.as_ref().map(|read| &read.version),
            "files": files.collect::<Vec<_>>(),
            "unpackedSize": package.unpacked_size(),
            "packageSize": archive.size,
            "sha256": archive.sha256,
            "contentDigest": package.content_digest,
        })
    });
    json!({
        "path": path.to_string_lossy(),
        "errors": findings(&checked.errors),
        "warnings": findings(&checked.warnings),
        "package": package,
        "leftOut": checked.left_out,
    })
}
