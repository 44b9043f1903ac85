//! The page of a skill.

use std::cmp::Reverse;

use registry::api::public::{AdvisoryNote, ScanFinding, SkillDetail, VersionRecord};
use registry::names::{Coordinate, TagName, Version};
use registry::public::{Contents, PromotionSource, Skill, VersionEntry};
use registry::time::Timestamp;
use serde_json::{Value, json};

use super::facts::{facts, published_at};
use super::version::risks_and_notes;
use super::{Links, path_from_root, with};
use crate::address::Document;
use crate::install_commands::{SITE, install_commands};
use crate::pages::{file_anchor, front_matter};

/// The page lists this many versions; a document has them all.
const MAX_VERSIONS: usize = 100;

impl Links<'_> {
    /// The content of a skill's page, except for the readme. `shown` is the latest version, or else
    /// the highest, `contents` are its contents, and `found` is what scanners found in it.
    pub(super) fn skill(
        &self,
        skill: &Skill,
        shown: &VersionEntry,
        contents: Contents,
        found: &[ScanFinding],
    ) -> Value {
        let c = &skill.coordinate;
        let source = skill.promoted_from.as_ref().map(|source| self.source(source));
        let more = json!({ "coordinate": c.scoped(), "promotedFrom": source });
        // The shown version comes first, so that it is always on the page.
        let mut versions: Vec<_> = skill.versions.iter().collect();
        versions.sort_by_key(|entry| Reverse((entry.version == shown.version, &entry.version)));
        let versions = versions.into_iter().take(MAX_VERSIONS);
        // Links of the readme lead to the anchors of files on the page of the version.
        let files = contents.files.iter().enumerate().map(|(number, file)| {
            let anchor = file_anchor(number);
            json!({ "path": file.path, "size": file.size, "executable": file.executable, "anchor": anchor })
        });
        let tags = tags(skill).map(|(name, version)| json!({ "name": name, "version": version }));
        let (risks, notes) = risks_and_notes(&contents, found);
        let mut content = json!({
            "skill": with(&SkillDetail::new(self.catalog, skill, self.base()), more),
            "facts": facts(skill, shown, &contents),
            "isLatest": skill.latest().is_some(),
            "shown": self.version(skill, shown),
            // Without `@`, which PowerShell would read as its own.
            "argument": if c.namespace.is_global() { c.slug.to_string() } else { format!("{}/{}", c.namespace, c.slug) },
            "otherClients": self.other_clients(c),
            "markdownHref": self.href(&Document::SkillMarkdown(c.clone())),
            "tags": tags.collect::<Vec<_>>(),
            "versionsTotal": skill.versions.len(),
            "versionsHref": self.href(&Document::Versions(c.clone())),
            "advisories": self.advisories_of(c, &shown.version),
            "risks": risks,
            "notes": notes,
            "firstPublishedAt": skill.versions.iter().map(published_at).min(),
            "updatedAt": updated_at(skill, shown),
            "frontMatter": front_matter(&contents.metadata),
            "recordHref": self.href(&Document::Skill(c.clone())),
        });
        // `json!` would copy them.
        content["versions"] = versions.map(|entry| self.version(skill, entry)).collect();
        content["files"] = files.collect();
        content
    }

    /// The commands of the clients that others made, each cut where the address of the site belongs.
    fn other_clients(&self, c: &Coordinate) -> Vec<Value> {
        let commands =
            install_commands(c, self.settings.public_url.as_ref(), Some(&self.settings.marketplace_name()))
                .into_iter()
                .skip(1);
        let parts = commands.map(|other| {
            let parts = other.command.as_deref().and_then(|command| command.split_once(SITE));
            let (before, after) = parts.unzip();
            json!({ "client": other.client, "condition": other.condition, "before": before, "after": after })
        });
        parts.collect()
    }

    /// The path of the public URL.
    pub(super) fn base(&self) -> &str {
        self.settings.path()
    }

    fn version(&self, skill: &Skill, entry: &VersionEntry) -> Value {
        let package = Document::Package(skill.coordinate.clone(), entry.version.clone());
        let tags = tags(skill).filter(|(_, version)| **version == entry.version).map(|(name, _)| name);
        let more = json!({
            "href": href_of_version(&entry.version),
            "packageHref": self.href(&package),
            "packagePath": path_from_root(&package),
            "tags": tags.collect::<Vec<_>>(),
            "hasAdvisory": !AdvisoryNote::of(self.catalog, &skill.coordinate, &entry.version).is_empty(),
        });
        with(&VersionRecord::new(self.catalog, skill, entry, self.base()), more)
    }

    /// The skill that this one was promoted from. It has no link if it has been removed.
    fn source(&self, source: &PromotionSource) -> Value {
        let c = source.coordinate();
        let href = self.catalog.skill(&c).map(|_| self.href_of_skill(&c));
        json!({ "coordinate": c.scoped(), "version": source.version, "href": href })
    }
}

/// The address of a version's page, from the page of its skill.
pub(super) fn href_of_version(version: &Version) -> String {
    format!("{version}/")
}

/// When a skill was last updated. If `shown` was imported, that is its last publication, because
/// the time of the import says nothing about the skill.
fn updated_at(skill: &Skill, shown: &VersionEntry) -> Option<Timestamp> {
    match shown.source_published_at {
        Some(_) => skill.versions.iter().map(published_at).max(),
        None => Some(skill.updated_at),
    }
}

/// All tags of a skill, each with its version. `latest` comes first, unless all versions are yanked.
fn tags(skill: &Skill) -> impl Iterator<Item = (TagName, &Version)> {
    let latest = skill.latest().map(|entry| (TagName::latest(), &entry.version));
    latest.into_iter().chain(skill.tags.iter().map(|(name, entry)| (name.clone(), &entry.version)))
}
