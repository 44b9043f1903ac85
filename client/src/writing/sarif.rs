//! Findings as SARIF 2.1.0, the format that code scanning reads.

use std::path::Path;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};
use registry::package::{Finding, Level, finding_codes};
use serde_json::{Value, json};

use super::Checked;

/// Characters of a path that stay in a URI.
const OUTSIDE_PATHS: &AsciiSet =
    &NON_ALPHANUMERIC.remove(b'/').remove(b'.').remove(b'-').remove(b'_').remove(b'~');

/// The findings about these folders and zips as one SARIF document: code scanning takes only one of each
/// tool for a commit. Places are relative to the working folder if the path is. In a zip they are in the
/// message, because a place is a file.
pub fn document(checked: &[(&Path, Checked)]) -> Value {
    let mut results = Vec::new();
    for (path, checked) in checked {
        results.extend(checked.errors.iter().map(|finding| result(finding, "error", path)));
        let level = |finding: &Finding| finding.level.map_or("warning", Level::as_str);
        results.extend(checked.warnings.iter().map(|finding| result(finding, level(finding), path)));
    }
    let rules = finding_codes::ALL
        .iter()
        .zip(finding_codes::MEANINGS)
        .map(|(code, meaning)| json!({"id": code, "shortDescription": {"text": meaning.trim()}}));
    json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": {"driver": {
                "name": "skillmirror",
                "version": env!("CARGO_PKG_VERSION"),
                "rules": rules.collect::<Vec<_>>(),
            }},
            "columnKind": "unicodeCodePoints",
            "results": results,
        }],
    })
}

fn result(finding: &Finding, level: &str, path: &Path) -> Value {
    let is_folder = path.is_dir();
    let message = if is_folder { finding.message.clone() } else { finding.to_string() };
    // Code scanning shows only findings with a file.
    let file = match &finding.path {
        _ if !is_folder => path.to_owned(),
        Some(file) => path.join(file),
        None => path.join("SKILL.md"),
    };
    let mut place = json!({"artifactLocation": {"uri": uri(&file)}});
    if let Some(line) = finding.line.filter(|_| is_folder) {
        place["region"] = json!({"startLine": line});
        if let Some(column) = finding.column {
            place["region"]["startColumn"] = column.into();
        }
    }
    let rule = finding_codes::ALL.iter().position(|code| *code == finding.code);
    let mut result = json!({
        "ruleId": finding.code,
        "level": level,
        "message": {"text": message},
        "locations": [{"physicalLocation": place}],
    });
    if let Some(rule) = rule {
        result["ruleIndex"] = rule.into();
    }
    result
}

/// A path as a URI: relative, or of a file.
fn uri(path: &Path) -> String {
    let text = path.to_string_lossy();
    let text = text.strip_prefix("./").unwrap_or(&text);
    let encoded = utf8_percent_encode(text, OUTSIDE_PATHS);
    if path.is_absolute() { format!("file://{encoded}") } else { encoded.to_string() }
}

/// The text that a URI encodes. Invalid bytes become replacement characters.
pub fn decoded_uri(uri: &str) -> String {
    percent_decode_str(uri).decode_utf8_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_become_uris() {
        for (path, expected) in [
            ("SKILL.md", "SKILL.md"),
            ("./a b/ä.md", "a%20b/%C3%A4.md"),
            ("../x/SKILL.md", "../x/SKILL.md"),
            ("/srv/a:b", "file:///srv/a%3Ab"),
        ] {
            assert_eq!(uri(Path::new(path)), expected);
            assert!(path.ends_with(decoded_uri(expected).trim_start_matches("file://")));
        }
    }
}
