//! Versions of a skill: which there are, what is in one, and which one a fingerprint is. Only servers
//! answer these.

use registry::names::{Coordinate, Digest, Handle, TagName, Version};
use registry::public::{PublicCatalog, Skill, VersionEntry};
use serde::Serialize;

use super::records::{Items, Millis, ResolvedVersion, VersionRecord};
use crate::address::{Document, Pointer};
use crate::json::json;
use crate::render::skills::contents;
use crate::render::{RenderContext, RenderError};

/// The last `limit` offered versions, last published first. `None` if there is no such skill.
pub fn versions(catalog: &PublicCatalog, c: &Coordinate, limit: usize) -> Option<Vec<u8>> {
    let offered = catalog.skill(c)?.versions.iter().rev().filter(|entry| !entry.is_yanked());
    let items: Vec<_> = offered.take(limit).map(VersionRecord::new).collect();
    Some(json(&Items { items, next_cursor: None }))
}

#[derive(Serialize)]
struct VersionAnswer<'a> {
    version: VersionRecord<'a>,
    skill: SkillName<'a>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct SkillName<'a> {
    slug: &'a Coordinate,
    display_name: &'a str,
}

/// An offered version with its files. `None` if there is no such version.
pub fn version(
    context: RenderContext<'_>,
    c: &Coordinate,
    version: &Version,
) -> Result<Option<Vec<u8>>, RenderError> {
    let Some(entry) = context.catalog.skill(c).and_then(|skill| skill.offered(version)) else {
        return Ok(None);
    };
    let files = contents(context, entry)?.files;
    let version = VersionRecord::new(entry).with_files(files);
    Ok(Some(json(&VersionAnswer { version, skill: SkillName { slug: c, display_name: &entry.name } })))
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Resolution<'a> {
    #[serde(rename = "match")]
    matching: Option<ResolvedVersion<'a>>,
    latest_version: Option<ResolvedVersion<'a>>,
}

/// The version with a fingerprint of any client, and the latest one. `None` if there is no such skill.
pub fn resolve(catalog: &PublicCatalog, c: &Coordinate, fingerprint: Option<Digest>) -> Option<Vec<u8>> {
    let skill = catalog.skill(c)?;
    let resolved = |entry: &'_ VersionEntry| entry.version.clone();
    let matching = fingerprint.and_then(|fingerprint| with_fingerprint(skill, fingerprint)).map(resolved);
    let latest = skill.latest().map(resolved);
    let record = |version| ResolvedVersion { version };
    Some(json(&Resolution {
        matching: matching.as_ref().map(record),
        latest_version: latest.as_ref().map(record),
    }))
}

/// The latest version if it has the fingerprint, otherwise the highest that has it. Clients install
/// again what is lower than the latest. Offered versions come before yanked ones.
fn with_fingerprint(skill: &Skill, fingerprint: Digest) -> Option<&VersionEntry> {
    let has = |entry: &&VersionEntry| {
        let prints = &entry.fingerprints;
        [prints.all, prints.text].contains(&fingerprint)
    };
    let rank = |entry: &&VersionEntry| (!entry.is_yanked(), entry.version.clone());
    skill.latest().filter(has).or_else(|| skill.versions.iter().filter(has).max_by_key(rank))
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Verification<'a> {
    schema: &'static str,
    ok: bool,
    decision: &'static str,
    reasons: Vec<String>,
    slug: &'a Coordinate,
    display_name: &'a str,
    page_url: String,
    publisher_handle: &'a Handle,
    publisher_display_name: String,
    publisher_profile_url: Option<()>,
    version: &'a Version,
    resolved_from: &'static str,
    tag: Option<&'a TagName>,
    created_at: Millis,
    card: Card,
    artifact: Artifact,
    provenance: Provenance<'a>,
    security: Security,
    signature: Signature,
}

/// The text about a skill, which is about the version that is shown by default.
#[derive(Serialize)]
struct Card {
    available: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    url: Option<String>,
}

#[derive(Serialize)]
struct Artifact {
    sha256: Digest,
    size: u64,
    fingerprint: Digest,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Provenance<'a> {
    source: &'static str,
    published_by: &'a Handle,
}

#[derive(Serialize)]
struct Security {
    status: &'static str,
}

/// The number of the version's leaf in the transparency log.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Signature {
    log_index: Option<u64>,
}

/// What the registry knows of a version: who published it, with which digest, and whether it is still
/// offered. `None` if there is no such version.
pub fn verify(context: RenderContext<'_>, c: &Coordinate, asked: Option<&Pointer>) -> Option<Vec<u8>> {
    let RenderContext { catalog, settings, .. } = context;
    let skill = catalog.skill(c)?;
    let (entry, resolved_from, tag) = match asked {
        None => (skill.latest()?, "latest", None),
        Some(Pointer::Version(version)) => (skill.version(version)?, "version", None),
        Some(Pointer::Tag(tag)) => (skill.tagged(tag)?, "tag", Some(tag)),
    };
    let ok = !entry.is_yanked();
    let base = settings.public_url.as_ref().map(ToString::to_string).unwrap_or_default();
    let prints = &entry.fingerprints;
    let is_shown = skill.display_version().is_some_and(|shown| shown.version == entry.version);
    let markdown = Document::SkillMarkdown(c.clone()).request();
    let card = settings.public_url.as_ref().filter(|_| is_shown).map(|url| format!("{url}{markdown}"));
    Some(json(&Verification {
        schema: "clawhub.skill.verify.v1",
        ok,
        decision: if ok { "pass" } else { "fail" },
        reasons: if ok { Vec::new() } else { vec!["The version was yanked.".into()] },
        slug: c,
        display_name: &entry.name,
        page_url: format!("{base}/{}/{}/", c.namespace, c.slug),
        publisher_handle: &entry.published_by,
        publisher_display_name: catalog.person(&entry.published_by).display_name,
        publisher_profile_url: None,
        version: &entry.version,
        resolved_from,
        tag,
        created_at: Millis(entry.published_at),
        card: Card { available: card.is_some(), url: card },
        artifact: Artifact { sha256: entry.sha256, size: entry.package_size, fingerprint: prints.all },
        provenance: Provenance { source: "registry", published_by: &entry.published_by },
        security: Security { status: "not-scanned" },
        signature: Signature { log_index: catalog.log().index_of(entry.revision) },
    }))
}
