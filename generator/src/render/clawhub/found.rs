//! Skills that a query or the beginning of a slug finds. Only servers answer these.

use registry::names::{Coordinate, Handle, Version};
use registry::public::{NamespaceEntry, PublicCatalog, Skill};
use serde::Serialize;

use super::records::{Item, Items, Millis, summary};
use crate::json::json;
use crate::render::RenderContext;
use crate::search::Query;

#[derive(Serialize)]
struct Results<'a> {
    results: Vec<Found<'a>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Found<'a> {
    score: u64,
    slug: &'a Coordinate,
    display_name: &'a str,
    summary: String,
    version: Option<&'a Version>,
    updated_at: Millis,
    owner_handle: &'a Handle,
}

impl<'a> Found<'a> {
    fn new(skill: &'a Skill, score: u64) -> Self {
        let shown = skill.display_version();
        Self {
            score,
            slug: &skill.coordinate,
            display_name: shown.map_or("", |version| &version.name),
            summary: summary(shown),
            version: skill.latest().map(|latest| &latest.version),
            updated_at: Millis(skill.updated_at),
            owner_handle: &skill.author,
        }
    }
}

/// The first `limit` skills that a query finds. If `exact`, only those with the query as slug or name.
pub fn search(context: RenderContext<'_>, q: &str, limit: usize, exact: bool) -> Vec<u8> {
    let catalog = context.catalog;
    let index = context.search.current(catalog);
    // In memory, no piece of the index can be missing or damaged.
    let found = index.find(&Query::new(q), None).unwrap_or_else(|why| {
        tracing::error!(%why, "cannot read the search index in memory");
        Default::default()
    });
    let hits = found.hits.iter().filter(|hit| !exact || hit.exactness > 0);
    let results = hits.filter_map(|hit| {
        let skill = catalog.skill_by_id(registry::public::Id(hit.id))?;
        Some(Found::new(skill, hit.score))
    });
    json(&Results { results: results.take(limit).collect() })
}

/// The first `limit` listed skills whose canonical slugs begin with `prefix`, in the order of these
/// slugs, after the slug `cursor`.
pub fn prefixed(catalog: &PublicCatalog, prefix: &str, limit: usize, cursor: &str) -> Vec<u8> {
    let namespaces = catalog.namespaces().filter(|entry| entry.is_listed());
    let slugs = namespaces.filter(|entry| may_have(entry, prefix)).flat_map(NamespaceEntry::skills);
    let slugs = slugs.map(|slug| (slug.to_string(), slug));
    let mut slugs: Vec<_> =
        slugs.filter(|(text, _)| text.starts_with(prefix) && text.as_str() > cursor).collect();
    slugs.sort_unstable();
    let next_cursor = match slugs.len() > limit {
        true => limit.checked_sub(1).and_then(|last| slugs.get(last)).map(|(text, _)| text.clone()),
        false => None,
    };
    let items = slugs.iter().take(limit).filter_map(|(_, slug)| catalog.skill(slug)).map(Item::new).collect();
    json(&Items { items, next_cursor })
}

/// Whether slugs of a namespace may begin with `prefix`.
fn may_have(entry: &NamespaceEntry, prefix: &str) -> bool {
    let name = &entry.state.slug;
    let before = format!("{name}--");
    name.is_global() || before.starts_with(prefix) || prefix.starts_with(&before)
}
