//! Advisories: lists, and the OSV schema 1.7 (<https://ossf.github.io/osv-schema/>).

use registry::api::public::{AdvisoryRecord, FullList};
use registry::names::{Coordinate, PublicUrl, UpperBound, VersionRange};
use registry::public::{Advisory, PublicCatalog};
use serde_json::{Value, json};

use super::RenderContext;
use crate::address::{Document, WebPage};

/// The most advisories of the index from all and again from the staff, and the most of the page and the feed. Each is reached from its skill, too.
const MAX_INDEXED: usize = 1_000;
pub(super) const MAX_SHOWN: usize = 100;

/// The advisories of a skill, last published first. None if it never had one.
pub(crate) fn of_skill(context: RenderContext<'_>, c: &Coordinate) -> Option<Vec<u8>> {
    let mut all: Vec<_> = context.catalog.advisories().of_skill(c).map(AdvisoryRecord::new).collect();
    all.reverse();
    (!all.is_empty()).then(|| crate::json::json(&FullList::from(all)))
}

/// The ids and times of the last changed advisories.
pub(crate) fn index(context: RenderContext<'_>) -> Vec<u8> {
    let last = context.catalog.advisories().indexed(MAX_INDEXED);
    let items = last.map(|advisory| json!({ "id": osv_id(advisory), "modified": advisory.modified_at() }));
    crate::json::json(&json!({ "items": items.collect::<Vec<_>>() }))
}

/// The id that the schema gives to databases that it does not list.
fn osv_id(advisory: &Advisory) -> String {
    format!("x_{}", advisory.id)
}

/// An advisory after the OSV schema. The schema lists the ecosystems that `package` may name. Skills are not among them,
/// so that field is left out, and `database_specific` names the skill.
pub(crate) fn osv(context: RenderContext<'_>, advisory: &Advisory) -> Vec<u8> {
    let (published, c) = (&advisory.published, advisory.coordinate());
    let ranges = published.affected.iter().map(|range| json!({ "type": "SEMVER", "events": events(range) }));
    let registry = context.settings.public_url.as_ref().map(|url| url.as_str());
    let mut record = json!({
        "schema_version": "1.7.0",
        "id": osv_id(advisory),
        "published": advisory.published_at,
        "modified": advisory.modified_at(),
        "summary": published.title,
        "details": published.text,
        "affected": [{
            "ranges": ranges.collect::<Vec<_>>(),
            "database_specific": {
                "skill": c.scoped(), "registry": registry, "ranges": published.affected, "fixedIn": published.fixed_in,
            },
        }],
        "database_specific": { "severity": published.level.as_str().to_uppercase(), "issuer": published.issuer },
    });
    if let Some((at, reason)) = &advisory.withdrawn {
        record["withdrawn"] = json!(at);
        record["database_specific"]["withdrawalReason"] = json!(reason);
    }
    crate::json::json(&record)
}

/// A range as events. `fixed` is the first version after it, `0` stands for the first of all.
fn events(range: &VersionRange) -> Vec<Value> {
    let introduced = range.lower().map_or_else(|| "0".to_owned(), ToString::to_string);
    let end = match range.upper() {
        UpperBound::None => None,
        UpperBound::Before(version) => Some(json!({ "fixed": version })),
        UpperBound::UpTo(version) => Some(json!({ "last_affected": version })),
    };
    [json!({ "introduced": introduced })].into_iter().chain(end).collect()
}

/// The entries of the feed of advisories, last changed first.
pub(super) fn entries(catalog: &PublicCatalog, url: &PublicUrl) -> Vec<Value> {
    let page = format!("{}{}", url.as_str(), Document::Page(WebPage::Advisories).request());
    let entry = |advisory: &Advisory| {
        let published = &advisory.published;
        let withdrawn = if advisory.withdrawn.is_some() { " (withdrawn)" } else { "" };
        json!({
            "title": format!("{} {}: {}{withdrawn}", advisory.coordinate().scoped(), advisory.id, published.title),
            "url": format!("{page}#{}", advisory.id),
            "updated": advisory.modified_at(),
            "author": url.without_scheme(),
            "text": published.text,
        })
    };
    catalog.advisories().last_changed().take(MAX_SHOWN).map(entry).collect()
}
