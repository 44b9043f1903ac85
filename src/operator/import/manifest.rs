//! `manifest.jsonl`: names and versions of the packages beside it.

use std::path::{Component, Path};

use registry::names::{Namespace, Slug};
use registry::time::Timestamp;
use serde::Deserialize;

use super::item::Item;

/// A line: a skill and its versions. Other fields are not looked at.
#[derive(Deserialize)]
struct Line {
    ns: String,
    slug: String,
    versions: Vec<Version>,
}

#[derive(Deserialize)]
struct Version {
    version: String,
    /// Relative to the manifest.
    zip: String,
    /// Unix seconds.
    #[serde(default)]
    published: Option<i64>,
}

/// Reads a manifest: the skills in its order, the versions of each in the
/// order in which they were published. The error names the line.
pub fn read(manifest: &Path) -> Result<Vec<Item>, String> {
    let text = std::fs::read_to_string(manifest).map_err(|why| format!("manifest.jsonl: {why}"))?;
    let folder = manifest.parent().unwrap_or(Path::new("."));
    let mut items = Vec::new();
    for (number, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let fail = |why: &dyn std::fmt::Display| format!("manifest.jsonl, line {}: {why}", number + 1);
        let Line { ns, slug, mut versions } = serde_json::from_str(line).map_err(|why| fail(&why))?;
        // One name that cannot be used refuses its skill, not all the others.
        let names = ns.parse().and_then(|ns: Namespace| Ok((ns, slug.parse::<Slug>()?)));
        versions.sort_by_key(|version| version.published);
        for Version { version, zip, published } in versions {
            let is_inside = Path::new(&zip).components().all(|part| matches!(part, Component::Normal(_)));
            let mut item = Item::at(folder.join(zip));
            if !is_inside {
                item.refusal = Some(fail(&"`zip` leads out of the manifest's folder"));
            }
            match (&names, published.map(Timestamp::from_unix)) {
                (Err(why), _) => item.refusal = Some(fail(why)),
                (_, Some(None)) => item.refusal = Some(fail(&"`published` is no Unix time")),
                (Ok((namespace, slug)), published) => {
                    item.namespace = Some(namespace.clone());
                    item.slug = Some(slug.clone());
                    item.published = published.flatten();
                }
            }
            item.version = Some(version);
            items.push(item);
        }
    }
    Ok(items)
}
