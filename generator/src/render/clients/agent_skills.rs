//! The indexes from which `npx skills` installs: agent skills discovery, version 0.2.
//!
//! A reader downloads every skill of an index. So there is one for each skill, one for each small
//! namespace, and none for the registry. URLs are relative to the index, so that it is right at
//! every address of the tree.

use registry::names::{BundleName, Digest, Namespace, Slug, Version};
use registry::public::{PublicCatalog, Skill, VersionEntry};
use serde::Serialize;

use crate::address::Document;
use crate::documents::client_lists::skills_of_index;
use crate::json::json;

/// Readers ignore an index with another value.
const SCHEMA: &str = "https://schemas.agentskills.io/discovery/0.2.0/schema.json";

/// Readers ignore skills with a longer description, in UTF-16 code units.
const MAX_DESCRIPTION: usize = 1024;

#[derive(Serialize)]
struct Index<'a> {
    #[serde(rename = "$schema")]
    schema: &'static str,
    skills: Vec<Entry<'a>>,
}

#[derive(Serialize)]
struct Entry<'a> {
    name: &'a Slug,
    #[serde(rename = "type")]
    kind: &'static str,
    description: &'a str,
    /// The package, relative to the index.
    url: String,
    digest: String,
    /// Readers that do not know it ignore it.
    version: &'a Version,
}

impl<'a> Entry<'a> {
    /// `root` is the path from the index to the root of the tree.
    fn new(root: &str, skill: &'a Skill, latest: &'a VersionEntry) -> Self {
        let package = Document::Package(skill.coordinate.clone(), latest.version.clone());
        Self {
            name: &skill.coordinate.slug,
            kind: "archive",
            description: described(skill, latest),
            url: format!("{root}{}", package.name()),
            digest: sha256(latest.sha256),
            version: &latest.version,
        }
    }
}

fn sha256(digest: Digest) -> String {
    format!("sha256:{digest}")
}

/// The beginning of the description, or the name if it is empty.
pub(super) fn described<'a>(skill: &'a Skill, latest: &'a VersionEntry) -> &'a str {
    let text =
        if latest.description.is_empty() { skill.coordinate.slug.as_str() } else { &latest.description };
    let mut units = 0;
    let end = text.char_indices().find(|(_, c)| {
        units += c.len_utf16();
        units > MAX_DESCRIPTION
    });
    end.map_or(text, |(end, _)| &text[..end])
}

/// The index of one skill.
pub(crate) fn of_skill(skill: &Skill, latest: &VersionEntry) -> Vec<u8> {
    index("../../../../", vec![(skill, latest)])
}

/// The index of a bundle. `None` if it has none.
pub(crate) fn of_bundle(catalog: &PublicCatalog, name: &BundleName) -> Option<Vec<u8>> {
    let skills = catalog.bundle(name)?.versions(catalog);
    (!skills.is_empty()).then(|| index("../../../../", skills))
}

/// The index of a namespace. `None` if it has none.
pub(crate) fn of_namespace(catalog: &PublicCatalog, name: &Namespace) -> Option<Vec<u8>> {
    let mut skills = skills_of_index(catalog, name)?;
    skills.sort_by_key(|(skill, _)| &skill.coordinate.slug);
    Some(index("../../../", skills))
}

fn index(root: &str, skills: Vec<(&Skill, &VersionEntry)>) -> Vec<u8> {
    let skills = skills.into_iter().map(|(skill, shown)| Entry::new(root, skill, shown)).collect();
    json(&Index { schema: SCHEMA, skills })
}
