//! `manifest.jsonl`: the names and versions of the packages next to it.

use std::path::{Component, Path};

use registry::data_fault::json_fault;
use registry::names::{Namespace, Slug};
use registry::time::Timestamp;
use serde::Deserialize;

use super::found_package::{FoundPackage, IS_LINK};

/// A line: a skill and its versions. Other fields are ignored.
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

/// Reads a manifest. The skills keep its order; the versions of each are sorted by the time of
/// publication. The error names the line.
pub fn read(manifest: &Path) -> Result<Vec<FoundPackage>, String> {
    let text = std::fs::read_to_string(manifest).map_err(|why| format!("manifest.jsonl: {why}"))?;
    let folder = manifest.parent().unwrap_or(Path::new("."));
    let mut packages = Vec::new();
    for (number, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let fail = |why: &dyn std::fmt::Display| format!("manifest.jsonl, line {}: {why}", number + 1);
        let Line { ns, slug, mut versions } =
            serde_json::from_str(line).map_err(|why| fail(&json_fault(&why)))?;
        // An invalid name refuses only its own skill.
        let names = ns.parse().and_then(|ns: Namespace| Ok((ns, slug.parse::<Slug>()?)));
        versions.sort_by_key(|version| version.published);
        for Version { version, zip, published } in versions {
            let is_inside = Path::new(&zip).components().all(|part| matches!(part, Component::Normal(_)));
            let has_link = has_link(folder, Path::new(&zip));
            let mut package = FoundPackage::at(folder.join(zip));
            if !is_inside {
                package.refusal = Some(fail(&"`zip` is outside the folder of the manifest"));
            }
            match (&names, published.map(Timestamp::from_unix)) {
                (Err(why), _) => package.refusal = Some(fail(why)),
                (_, Some(None)) => package.refusal = Some(fail(&"`published` is not a Unix time")),
                (Ok((namespace, slug)), published) => {
                    package.namespace = Some(namespace.clone());
                    package.slug = Some(slug.clone());
                    package.published = published.flatten();
                }
            }
            if is_inside && has_link {
                package.refusal = Some(IS_LINK.into());
            }
            package.version = Some(version);
            packages.push(package);
        }
    }
    Ok(packages)
}

/// Whether a part of the path `inner` below `folder` is a symbolic link.
fn has_link(folder: &Path, inner: &Path) -> bool {
    let parts = inner.ancestors().filter(|part| !part.as_os_str().is_empty());
    parts.into_iter().any(|part| folder.join(part).is_symlink())
}
