//! The skills of a lock file as a bill of materials: CycloneDX 1.6 in JSON.

use std::collections::BTreeMap;

use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::{Value, json};

use super::{Lock, LockedSkill};

/// Makes the document. A skill in several folders is one component. It has no time and no serial number, so that
/// equal lock files have equal documents.
pub fn bill_of_materials(lock: &Lock, program_version: &str) -> Value {
    let mut components: BTreeMap<_, Vec<&LockedSkill>> = BTreeMap::new();
    for skill in lock.skills.values() {
        let key =
            (skill.coordinate.scoped(), skill.version.to_string(), skill.registry.to_string(), skill.sha256);
        components.entry(key).or_default().push(skill);
    }
    let tool = json!({ "type": "application", "name": "skillmirror", "version": program_version });
    json!({
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": { "tools": { "components": [tool] } },
        "components": components.values().filter_map(|same| component(same)).collect::<Vec<_>>(),
    })
}

/// A component: one version from one registry, and the folders that have it.
fn component(same: &[&LockedSkill]) -> Option<Value> {
    let LockedSkill { coordinate: c, version, registry, sha256, content_digest, .. } = same.first()?;
    let package =
        format!("{registry}/api/v1/skills/{}/{}/versions/{version}/download.zip", c.namespace, c.slug);
    let encoded = |text: &str| utf8_percent_encode(text, NON_ALPHANUMERIC).to_string();
    // A package of no known ecosystem (package-url specification, type `generic`).
    let purl = format!(
        "pkg:generic/{}/{}@{}?checksum=sha256:{sha256}&download_url={}",
        c.namespace,
        c.slug,
        version.to_string().replace('+', "%2B"),
        encoded(&package)
    );
    let property = |name: &str, value: &str| json!({ "name": format!("skillmirror:{name}"), "value": value });
    let folders = same.iter().map(|skill| property("path", skill.place.as_str()));
    let digest = property("contentDigest", &content_digest.to_string());
    Some(json!({
        "type": "data",
        "bom-ref": purl,
        "group": c.namespace,
        "name": c.slug,
        "version": version,
        "hashes": [{ "alg": "SHA-256", "content": sha256 }],
        "purl": purl,
        "externalReferences": [{ "type": "distribution", "url": package }],
        "properties": folders.chain([digest]).collect::<Vec<_>>(),
    }))
}
