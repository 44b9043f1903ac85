//! The skills of a folder of real packages.

use std::fs;
use std::path::Path;

use registry::package::{Limits, Package, ReadOptions, Strictness};
use serde_json::Value;

use super::skill::Skill;
use crate::Failure;

/// Reads the latest version of each skill that `manifest.jsonl` in the folder
/// lists: a line of JSON each, with `ns`, `slug` and `versions`, of which the
/// last published one counts: its `zip` in the same folder. Packages that the
/// registry would refuse are left out.
pub(super) fn read(folder: &Path) -> Result<Vec<Skill>, Failure> {
    let text = fs::read_to_string(folder.join("manifest.jsonl"))?;
    let mut skills = Vec::new();
    for line in text.lines() {
        let line: Value = serde_json::from_str(line)?;
        let (namespace, slug) = (text_of(&line, "ns")?, text_of(&line, "slug")?);
        let versions = line.get("versions").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
        let latest = versions.iter().max_by_key(|version| version.get("published").and_then(Value::as_i64));
        let zip =
            fs::read(folder.join(text_of(latest.ok_or("a skill of the corpus has no version")?, "zip")?))?;
        let options = ReadOptions {
            source_name: Some(slug),
            strictness: Strictness::Tolerant,
            limits: &Limits::default(),
            allowed_files: &[],
        };
        if let Ok(package) = Package::from_zip(&zip, &options) {
            skills.push(skill(namespace, slug, &package));
        }
    }
    Ok(skills)
}

fn text_of<'v>(line: &'v Value, field: &str) -> Result<&'v str, Failure> {
    line.get(field)
        .and_then(Value::as_str)
        .ok_or_else(|| format!("a line of the corpus has no {field}").into())
}

fn skill(namespace: &str, slug: &str, package: &Package) -> Skill {
    let manifest = &package.manifest;
    Skill {
        namespace: namespace.to_owned(),
        slug: slug.to_owned(),
        name: manifest.title.clone().unwrap_or_else(|| slug.to_string()),
        keywords: manifest.keywords.clone(),
        description: manifest.description.clone(),
        headings: manifest.headings.clone(),
        body_words: manifest.body_words.clone(),
        prose: String::from_utf8_lossy(package.read("SKILL.md").unwrap_or_default()).into_owned(),
    }
}
