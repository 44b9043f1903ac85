use std::collections::BTreeSet;
use std::convert::Infallible;

use proptest::prelude::*;
use serde_json::{Value, json};

use super::*;
use crate::names::Coordinate;
use crate::public::{Id, PublicRow, Revision, Sort};

const NAMESPACES: [&str; 2] = ["global", "team"];
const SLUGS: [&str; 4] = ["hello", "he11o", "bye", "tables"];

/// A row's kind, schema number and body.
type Change = (&'static str, u32, Value);

fn namespace(slug: &str, status: &str) -> Value {
    let kind = if slug == "global" { "global" } else { "team" };
    json!({
        "slug": slug, "displayName": slug, "description": "", "type": kind, "status": status,
        "reviewRequired": false,
    })
}

fn published(namespace: &str, slug: &str, version: u32, name: &str) -> Value {
    let digest = "0".repeat(64);
    let somebody = json!({ "handle": "ann", "displayName": "Ann" });
    let id = (slug.len() + 100 * namespace.len() + usize::from(slug.contains('1')) * 1_000).to_string();
    json!({
        "skillId": id, "versionId": format!("{id}{version}"), "namespace": namespace, "slug": slug,
        "version": format!("{version}.0.0"), "author": somebody, "publishedBy": somebody, "name": name,
        "description": "Says it.", "keywords": [], "headings": [], "license": null, "homepage": null,
        "changelog": "", "tags": [], "promotedFrom": null, "sourcePublishedAt": null,
        "fileCount": 1, "unpackedSize": 1, "packageSize": 1, "sha256": digest, "contentDigest": digest,
        "fingerprints": { "text": digest, "all": digest },
        "metadata": {}, "warnings": [], "files": [],
    })
}

fn change() -> impl Strategy<Value = Change> {
    let skill = (prop::sample::select(&NAMESPACES[..]), prop::sample::select(&SLUGS[..]));
    (skill, 0..8_u32, 1..4_u32, "[A-Ca-c]{1,2}").prop_map(|((space, slug), kind, version, name)| {
        let skill = json!({ "namespace": space, "slug": slug });
        let of_version = json!({
            "namespace": space, "slug": slug, "version": format!("{version}.0.0"), "reason": null,
        });
        match kind {
            0 => ("skill_removed", 1, skill),
            1 => ("skill_restored", 1, skill),
            2 => ("yanked", 1, of_version),
            3 if version == 1 => ("namespace_updated", 1, namespace(space, "archived")),
            3 => ("namespace_updated", 1, namespace(space, "active")),
            _ => ("published", 2, published(space, slug, version, &name)),
        }
    })
}

/// Leaves out what no registry does: nobody publishes versions of a removed skill.
fn possible(changes: Vec<Change>) -> Vec<Change> {
    let mut removed = BTreeSet::new();
    let is_possible = |(kind, _, body): &Change| {
        let skill = format!("{}/{}", body["namespace"], body["slug"]);
        match *kind {
            "published" => !removed.contains(&skill),
            "skill_removed" => {
                removed.insert(skill);
                true
            }
            "skill_restored" => removed.remove(&skill),
            _ => true,
        }
    };
    changes.into_iter().filter(is_possible).collect()
}

fn row(revision: Revision, (kind, v, body): Change) -> (PublicRow, DecodedRow) {
    let head = format!(r#"{{"revision":{revision},"at":"2026-01-31T12:00:00Z","kind":"{kind}","v":{v},"#);
    let row = PublicRow::new(revision, head + body.to_string().trim_start_matches('{'));
    let decoded = DecodedRow::decode(&row).unwrap();
    (row, decoded)
}

/// All that depends on an order, and the history.
fn shown(catalog: &PublicCatalog) -> impl PartialEq + std::fmt::Debug {
    let ids = |sort, namespace: Option<&str>| -> Vec<Id> {
        let namespace = namespace.map(|name| name.parse().unwrap());
        catalog.list(namespace.as_ref(), sort, 0, 100).map(|skill| skill.id).collect()
    };
    let lists = Sort::ALL.map(|sort| [None, Some("global"), Some("team")].map(|name| ids(sort, name)));
    let live: Vec<_> = catalog.live(0, 100).map(|skill| skill.id).collect();
    let like = SLUGS.map(|slug| {
        let name: Coordinate = slug.parse().unwrap();
        catalog.skills_like(&name).map(ToString::to_string).collect::<Vec<_>>()
    });
    let spaces_like = ["global", "team", "tearn"]
        .map(|name| catalog.namespaces_like(name).map(ToString::to_string).collect::<Vec<_>>());
    let page = catalog.feed().last().map(|page| page.digest);
    (lists, live, catalog.live_total(), like, spaces_like, page, catalog.log().root().0, catalog.revision())
}

proptest! {
    #[test]
    fn replay_equals_one_apply_for_each_row(changes in prop::collection::vec(change(), 0..60)) {
        let spaces = NAMESPACES.map(|name| ("namespace_created", 1, namespace(name, "active")));
        let rows: Vec<_> = (1..).zip(spaces.into_iter().chain(possible(changes))).map(|(at, change)| row(at, change)).collect();
        let epoch = "0".repeat(32);
        let mut applied = PublicCatalog::new(epoch.clone());
        let mut history = History::new(epoch);
        for (row, decoded) in &rows {
            applied.apply(row, decoded.clone());
            history.push(row);
        }
        let decoded = rows.into_iter().map(|(_, decoded)| Ok::<_, Infallible>(decoded));
        let replayed = PublicCatalog::replay(decoded, || history).unwrap();
        prop_assert_eq!(shown(&replayed), shown(&applied));
    }
}
