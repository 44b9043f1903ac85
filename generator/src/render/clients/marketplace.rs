//! Marketplaces for Claude Code: each skill is a plugin whose archive is its package.

use std::collections::BTreeMap;

use registry::names::{Coordinate, Digest, Namespace, PublicUrl, Version};
use registry::public::{Skill, VersionEntry};
use serde::Serialize;

use crate::address::{Document, WebPage};
use crate::documents::client_lists::{has_marketplace, live};
use crate::install_commands::marketplace_name;
use crate::json::json;
use crate::render::RenderContext;

/// The most skills of a marketplace: the most recently changed ones. The marketplaces of
/// namespaces have more.
pub(super) const MAX_PLUGINS: usize = 10_000;

#[derive(Serialize)]
struct Marketplace<'a> {
    name: String,
    description: String,
    owner: Owner,
    plugins: Vec<Plugin<'a>>,
    /// The names of removed skills, each without a new one. Who has installed one learns that it is gone.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    renames: BTreeMap<String, ()>,
}

#[derive(Serialize)]
struct Owner {
    name: String,
}

#[derive(Serialize)]
struct Plugin<'a> {
    name: String,
    #[serde(rename = "displayName", skip_serializing_if = "Option::is_none")]
    title: Option<&'a str>,
    version: &'a Version,
    description: &'a str,
    /// The package is a skill and no plugin: it has no manifest of its own.
    strict: bool,
    skills: [&'static str; 1],
    source: Source,
    homepage: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    license: Option<&'a str>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    keywords: &'a [String],
}

#[derive(Serialize)]
struct Source {
    source: &'static str,
    url: String,
    sha256: Digest,
}

impl<'a> Plugin<'a> {
    fn new(name: String, skill: &'a Skill, latest: &'a VersionEntry, site: &PublicUrl) -> Self {
        let c = &skill.coordinate;
        let package = Document::Package(c.clone(), latest.version.clone());
        let url = |path: &str| format!("{}/{}", site.as_str(), path.trim_start_matches('/'));
        Self {
            name,
            title: Some(&*latest.name).filter(|title| *title != c.slug.as_str()),
            version: &latest.version,
            description: &latest.description,
            strict: false,
            skills: ["./"],
            source: Source { source: "archive", url: url(&package.name()), sha256: latest.sha256 },
            homepage: url(&Document::Page(WebPage::Skill(c.clone())).request()),
            license: latest.license.as_deref(),
            keywords: &latest.keywords,
        }
    }
}

/// The marketplace of a namespace or of the registry. `None` if there is none.
pub(crate) fn marketplace(context: RenderContext<'_>, namespace: Option<&Namespace>) -> Option<Vec<u8>> {
    if !has_marketplace(context, namespace) {
        return None;
    }
    let site = context.settings.public_url.as_ref()?;
    let skills = live(context.catalog, namespace, MAX_PLUGINS);
    // Unique in its marketplace.
    let name_of = |c: &Coordinate| if namespace.is_some() { c.slug.to_string() } else { c.to_string() };
    let skills = skills.into_iter();
    let mut plugins: Vec<_> =
        skills.map(|(skill, latest)| Plugin::new(name_of(&skill.coordinate), skill, latest, site)).collect();
    plugins.sort_by(|a, b| a.name.cmp(&b.name));
    let registry = marketplace_name(site);
    let name = namespace.map_or(registry.clone(), |namespace| format!("{registry}--{namespace}"));
    let owner = Owner { name: site.without_scheme() };
    let place = namespace.map(|namespace| format!("@{namespace} at ")).unwrap_or_default();
    let description = format!("Skills of {place}{}", owner.name);
    let removed = context.catalog.all_removed().map(|skill| &skill.coordinate);
    let removed = removed.filter(|c| namespace.is_none_or(|namespace| c.namespace == *namespace));
    let mut removed: Vec<_> = removed.collect();
    removed.sort();
    let renames = removed.into_iter().take(MAX_PLUGINS).map(|c| (name_of(c), ())).collect();
    Some(json(&Marketplace { name, description, owner, plugins, renames }))
}
