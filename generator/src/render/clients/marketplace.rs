//! Marketplaces for Claude Code and its kin: each skill is a plugin, whose archive is its package, or which is a
//! folder of the same git repository.

use std::collections::BTreeMap;

use registry::names::{BundleName, Coordinate, Digest, Namespace, PublicUrl, Version};
use registry::public::{Bundle, Skill, VersionEntry};
use serde::Serialize;

use crate::address::{Document, WebPage};
use crate::documents::client_lists::{has_marketplace, live};
use crate::json::json;
use crate::render::RenderContext;

/// The most skills of a marketplace: the most recently changed ones. The marketplaces of
/// namespaces have more.
pub(super) const MAX_PLUGINS: usize = 10_000;

#[derive(Serialize)]
struct Marketplace<'a> {
    name: String,
    description: String,
    owner: Owner<'a>,
    plugins: Vec<Plugin<'a>>,
    /// The names of removed skills, each with that of the plugin that it was promoted to, if there is one. Who has
    /// installed one gets the other, or learns that it is gone.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    renames: BTreeMap<String, Option<String>>,
}

#[derive(Serialize)]
struct Owner<'a> {
    name: &'a str,
}

#[derive(Serialize)]
struct Plugin<'a> {
    name: String,
    #[serde(rename = "displayName", skip_serializing_if = "Option::is_none")]
    title: Option<&'a str>,
    version: &'a Version,
    description: &'a str,
    author: Owner<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    category: Option<&'a Namespace>,
    /// The package is a skill and no plugin: it has no manifest of its own.
    strict: bool,
    skills: [&'static str; 1],
    source: Source,
    #[serde(skip_serializing_if = "Option::is_none")]
    homepage: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    license: Option<&'a str>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    keywords: &'a [String],
}

#[derive(Serialize)]
#[serde(untagged)]
enum Source {
    Archive { source: &'static str, url: String, sha256: Digest },
    Folder(String),
}

impl<'a> Plugin<'a> {
    /// Without what its marketplace says of it.
    fn new(name: String, skill: &'a Skill, latest: &'a VersionEntry, source: Source) -> Self {
        let is_folder = matches!(source, Source::Folder(_));
        Self {
            name,
            title: Some(&*latest.name).filter(|title| *title != skill.coordinate.slug.as_str()),
            version: &latest.version,
            description: &latest.description,
            author: Owner { name: skill.author.as_str() },
            category: None,
            strict: false,
            skills: [if is_folder { "./skills/" } else { "./" }],
            source,
            homepage: None,
            license: latest.license.as_deref(),
            keywords: &latest.keywords,
        }
    }
}

/// What a marketplace has.
pub(super) enum Listing<'a> {
    Registry,
    Namespace(&'a Namespace),
    Bundle(&'a Bundle),
}

impl Listing<'_> {
    /// Whether it has the plugins of a namespace that were removed, to say what became of them.
    fn knows(&self, c: &Coordinate) -> bool {
        match self {
            Self::Registry => true,
            Self::Namespace(name) => c.namespace == **name,
            Self::Bundle(_) => false,
        }
    }
}

/// The marketplace of a namespace or of the registry. `None` if there is none.
pub(crate) fn marketplace(context: RenderContext<'_>, namespace: Option<&Namespace>) -> Option<Vec<u8>> {
    if !has_marketplace(context, namespace) {
        return None;
    }
    let listing = namespace.map_or(Listing::Registry, Listing::Namespace);
    of_archives(context, &listing, live(context.catalog, namespace, MAX_PLUGINS))
}

/// The marketplace of a bundle. `None` if there is no such bundle, if no member has a version that fits, or without a public URL.
pub(crate) fn bundle_marketplace(context: RenderContext<'_>, name: &BundleName) -> Option<Vec<u8>> {
    let entry = context.catalog.bundle(name)?;
    let skills = entry.versions(context.catalog);
    if skills.is_empty() {
        return None;
    }
    of_archives(context, &Listing::Bundle(&entry.bundle), skills)
}

fn of_archives(
    context: RenderContext<'_>,
    listing: &Listing<'_>,
    skills: Vec<(&Skill, &VersionEntry)>,
) -> Option<Vec<u8>> {
    let site = context.settings.public_url.as_ref()?;
    let archive = |c: &Coordinate, latest: &VersionEntry| {
        let package = Document::Package(c.clone(), latest.version.clone());
        Source::Archive { source: "archive", url: url(site, &package.name()), sha256: latest.sha256 }
    };
    Some(of(context, listing, skills, archive))
}

/// The marketplace in the git repository of a namespace or bundle, with skills of it.
pub(super) fn in_repository(
    context: RenderContext<'_>,
    listing: &Listing<'_>,
    skills: Vec<(&Skill, &VersionEntry)>,
) -> Vec<u8> {
    of(context, listing, skills, |c, _| Source::Folder(format!("./plugins/{}", c.slug)))
}

fn of(
    context: RenderContext<'_>,
    listing: &Listing<'_>,
    skills: Vec<(&Skill, &VersionEntry)>,
    source: impl Fn(&Coordinate, &VersionEntry) -> Source,
) -> Vec<u8> {
    let RenderContext { catalog, settings, .. } = context;
    let site = settings.public_url.as_ref();
    // Unique in its marketplace.
    let is_all = matches!(listing, Listing::Registry);
    let name_of = |c: &Coordinate| if is_all { c.to_string() } else { c.slug.to_string() };
    let mut plugins: Vec<_> = skills
        .into_iter()
        .map(|(skill, latest)| {
            let c = &skill.coordinate;
            let page = Document::Page(WebPage::Skill(c.clone())).request();
            Plugin {
                category: Some(&c.namespace).filter(|_| is_all),
                homepage: site.map(|site| url(site, &page)),
                ..Plugin::new(name_of(c), skill, latest, source(c, latest))
            }
        })
        .collect();
    plugins.sort_by(|a, b| a.name.cmp(&b.name));
    let registry = settings.marketplace_name();
    let (name, place) = match listing {
        Listing::Registry => (registry.clone(), String::new()),
        Listing::Namespace(name) => (format!("{registry}--{name}"), format!("@{name} at ")),
        Listing::Bundle(Bundle { name, .. }) => {
            (format!("{registry}--{}--{}", name.namespace, name.name), format!("{name} at "))
        }
    };
    let owner = site.map_or(registry, PublicUrl::without_scheme);
    let description = format!("Skills of {place}{owner}");
    let removed = catalog.all_removed().map(|skill| &skill.coordinate);
    let removed = removed.filter(|c| listing.knows(c));
    let mut removed: Vec<_> = removed.collect();
    removed.sort();
    let is_listed = |name: &String| plugins.binary_search_by(|plugin| plugin.name.cmp(name)).is_ok();
    let promoted = |c: &Coordinate| {
        let copies = catalog.promoted_from(c).map(|copy| &copy.coordinate);
        let mut copies = copies.filter(|copy| listing.knows(copy));
        copies.next().map(name_of).filter(is_listed)
    };
    let renames = removed.into_iter().take(MAX_PLUGINS).map(|c| (name_of(c), promoted(c))).collect();
    json(&Marketplace { name, description, owner: Owner { name: &owner }, plugins, renames })
}

fn url(site: &PublicUrl, path: &str) -> String {
    format!("{}/{}", site.as_str(), path.trim_start_matches('/'))
}
