//! The versions of a skill for `apm`, by version 1 of its registry protocol.

use registry::names::{Digest, Version};
use registry::public::{Skill, VersionStatus};
use registry::time::Timestamp;
use serde::{Serialize, Serializer};

use crate::json::json;

#[derive(Serialize)]
struct Versions<'a> {
    /// Namespace and slug, with a slash between.
    package: String,
    versions: Vec<Entry<'a>>,
}

#[derive(Serialize)]
struct Entry<'a> {
    version: &'a Version,
    #[serde(serialize_with = "with_algorithm")]
    digest: Digest,
    published_at: Timestamp,
    size_bytes: u64,
}

fn with_algorithm<S: Serializer>(digest: &Digest, to: S) -> Result<S::Ok, S::Error> {
    to.collect_str(&format_args!("sha256:{digest}"))
}

/// The versions that are not yanked, the last published first. The package of a yanked one stays at its
/// address, so what a lock file names can be installed again.
pub(crate) fn versions(skill: &Skill) -> Vec<u8> {
    let offered =
        skill.versions.iter().rev().filter(|entry| matches!(entry.status, VersionStatus::Published));
    let versions = offered
        .map(|entry| Entry {
            version: &entry.version,
            digest: entry.sha256,
            published_at: entry.published_at,
            size_bytes: entry.package_size,
        })
        .collect();
    let c = &skill.coordinate;
    json(&Versions { package: format!("{}/{}", c.namespace, c.slug), versions })
}
