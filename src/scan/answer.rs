//! The answers of scanners: SARIF 2.1.0, or one line of JSON. Fields that are not named here are ignored.

use std::collections::BTreeSet;
use std::path::Path;

use client::decoded_uri;
use registry::package::{Finding, Level, bounded_findings, is_unseen};
use serde::Deserialize;

/// The most characters of a rule, and of a message.
const MAX_RULE: usize = 128;
const MAX_MESSAGE: usize = 1000;

#[derive(Deserialize)]
struct Sarif {
    version: String,
    runs: Vec<Run>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Run {
    tool: Tool,
    // The field is null if the scan failed before it could find anything.
    results: Option<Vec<SarifResult>>,
    #[serde(default)]
    invocations: Vec<Invocation>,
}

#[derive(Deserialize)]
struct Tool {
    driver: Driver,
}

#[derive(Deserialize)]
struct Driver {
    #[serde(default)]
    rules: Vec<SarifRule>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct SarifRule {
    id: String,
    default_configuration: Option<Configuration>,
}

#[derive(Deserialize)]
struct Configuration {
    level: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Invocation {
    execution_successful: bool,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct SarifResult {
    rule_id: Option<String>,
    kind: Option<String>,
    level: Option<String>,
    message: Message,
    #[serde(default)]
    locations: Vec<Location>,
}

#[derive(Deserialize)]
struct Message {
    text: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Location {
    physical_location: Option<Place>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Place {
    artifact_location: Option<Artifact>,
    region: Option<Region>,
}

#[derive(Deserialize)]
struct Artifact {
    uri: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Region {
    start_line: Option<u64>,
}

/// One line of JSON.
#[derive(Deserialize)]
struct Line {
    findings: Vec<LineFinding>,
}

#[derive(Deserialize)]
struct LineFinding {
    rule: String,
    level: Level,
    message: String,
    path: Option<String>,
    line: Option<u64>,
}

/// Whose answer is read.
pub(super) struct Answer<'a> {
    /// The folder that the scanner got.
    pub(super) folder: &'a Path,
    /// The files of the package.
    pub(super) paths: BTreeSet<&'a str>,
}

impl Answer<'_> {
    /// Reads an answer. The error follows the name of the scanner.
    pub(super) fn read(
        &self,
        output: &[u8],
        is_sarif: bool,
        succeeded: bool,
    ) -> Result<Vec<Finding>, String> {
        let findings = match is_sarif {
            true => self.of_sarif(output)?,
            false if output.trim_ascii().is_empty() && succeeded => Vec::new(),
            false => {
                let read: Line = serde_json::from_slice(output)
                    .map_err(|why| format!("has not printed a line of findings ({why})"))?;
                let finding = |found: LineFinding| {
                    self.finding(&found.rule, found.level, &found.message, found.path.as_deref(), found.line)
                };
                read.findings.into_iter().map(finding).collect()
            }
        };
        Ok(bounded_findings(findings))
    }

    fn of_sarif(&self, output: &[u8]) -> Result<Vec<Finding>, String> {
        let read: Sarif =
            serde_json::from_slice(output).map_err(|why| format!("has not printed SARIF ({why})"))?;
        if read.version != "2.1.0" || read.runs.is_empty() {
            return Err("has not printed a run of SARIF 2.1.0".into());
        }
        let mut findings = Vec::new();
        for run in read.runs {
            if run.invocations.iter().any(|invocation| !invocation.execution_successful) {
                return Err("says that its run failed".into());
            }
            let results = run.results.ok_or("has printed a run without results")?;
            let rules = run.tool.driver.rules;
            findings.extend(results.into_iter().filter_map(|result| self.of_result(result, &rules)));
        }
        Ok(findings)
    }

    /// A result as a finding. None for one of the level `none`, which those have by default that are no failure.
    fn of_result(&self, result: SarifResult, rules: &[SarifRule]) -> Option<Finding> {
        if result.level.is_none() && result.kind.as_deref().is_some_and(|kind| kind != "fail") {
            return None;
        }
        let id = result.rule_id.unwrap_or_default();
        let of_rule =
            || rules.iter().find(|rule| rule.id == id)?.default_configuration.as_ref()?.level.clone();
        let level = match result.level.or_else(of_rule).as_deref() {
            Some("none") => return None,
            Some("note") => Level::Note,
            Some("error") => Level::Error,
            // The default of the format.
            _ => Level::Warning,
        };
        let place = result.locations.into_iter().find_map(|location| location.physical_location);
        let (artifact, region) = place.map_or((None, None), |place| (place.artifact_location, place.region));
        let path = artifact.and_then(|artifact| artifact.uri).map(|uri| decoded_uri(&uri));
        let message = result.message.text.unwrap_or_default();
        Some(self.finding(&id, level, &message, path.as_deref(), region.and_then(|region| region.start_line)))
    }

    /// A finding. A path that the package does not have is left out, so a scanner cannot name other files.
    fn finding(
        &self,
        rule: &str,
        level: Level,
        message: &str,
        path: Option<&str>,
        at: Option<u64>,
    ) -> Finding {
        let (rule, message) = (line(rule, MAX_RULE), line(message, MAX_MESSAGE));
        let or = |text: String, other: &str| if text.is_empty() { other.to_owned() } else { text };
        let mut finding = Finding::new(&or(rule, "unnamed"), or(message, "no message")).at_level(level);
        if let Some(path) = path.and_then(|path| self.inside(path)) {
            finding = finding.in_file(path);
            if let Some(at) = at.filter(|at| (1..=u64::from(u32::MAX)).contains(at)) {
                finding = finding.at_line(at);
            }
        }
        finding
    }
}

impl<'a> Answer<'a> {
    /// The file of the package that a path means: from the folder, from the one above, or absolute. None for any other.
    fn inside(&self, path: &str) -> Option<&'a str> {
        let path = path.strip_prefix("file://").unwrap_or(path);
        let path = path.strip_prefix(self.folder.to_str()?).map_or(path, |path| path.trim_start_matches('/'));
        let path = path.trim_start_matches("./");
        let above = || path.strip_prefix(self.folder.file_name()?.to_str()?)?.strip_prefix('/');
        self.paths.get(path).or_else(|| self.paths.get(above()?)).copied()
    }
}

/// A text as one line of at most `most` characters, without what hides or moves text.
pub(super) fn line(text: &str, most: usize) -> String {
    let shown = text.chars().map(|c| if c.is_control() || is_unseen(c) { ' ' } else { c });
    let shown: String = shown.take(most * 4).collect();
    let words: Vec<&str> = shown.split_whitespace().collect();
    words.join(" ").chars().take(most).collect()
}
