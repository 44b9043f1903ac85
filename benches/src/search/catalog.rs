//! A catalog of skills that were never published, to build an index from.

use registry::journal::{PublicRow, Revision};
use registry::names::{Digest, Namespace};
use registry::public::{DecodeError, DecodedRow, History, PublicCatalog};
use serde_json::{Value, json};
use std::collections::BTreeSet;

use super::Skill;
use crate::Failure;

/// The row of the first skill; the namespaces' rows come before.
const FIRST: Revision = 1_000_000;

/// The time of every row.
const AT: &str = "2026-01-31T12:00:00Z";

/// The catalog after the publication of each skill, in their order, by way of
/// the rows that a journal would hold.
pub(super) fn catalog(skills: &[Skill]) -> Result<PublicCatalog, Failure> {
    let global = Namespace::global().to_string();
    let namespaces: BTreeSet<_> = skills.iter().map(|skill| &*skill.namespace).chain([&*global]).collect();
    let namespaces =
        namespaces.into_iter().zip(1..).map(|(slug, at)| row(at, ("namespace_created", 1), &namespace(slug)));
    let skills =
        skills.iter().zip(FIRST..).map(|(skill, at)| row(at, ("published", 2), &published(at, skill)));
    Ok(PublicCatalog::replay(namespaces.chain(skills), || History::new("0".repeat(32)))?)
}

/// The position of a skill in the list that the catalog was made from.
pub(super) fn number(row: Revision) -> usize {
    row.saturating_sub(FIRST) as usize
}

fn row(revision: Revision, (kind, v): (&str, u32), body: &Value) -> Result<DecodedRow, DecodeError> {
    // The head of a row comes first, as it is written.
    let head = format!(r#"{{"revision":{revision},"at":"{AT}","kind":"{kind}","v":{v},"#);
    let row = PublicRow::new(revision, head + body.to_string().trim_start_matches('{'));
    DecodedRow::decode(&row)
}

fn namespace(slug: &str) -> Value {
    let kind = if slug == Namespace::global().as_str() { "global" } else { "team" };
    json!({
        "slug": slug, "displayName": slug, "description": "", "type": kind, "status": "active",
        "reviewRequired": false,
    })
}

fn published(at: Revision, skill: &Skill) -> Value {
    let digest = Digest::of(skill.slug.as_bytes()).to_string();
    let somebody = json!({ "handle": "ann", "displayName": "Ann" });
    json!({
        "skillId": at.to_string(), "versionId": at.to_string(),
        "namespace": skill.namespace, "slug": skill.slug, "version": "1.0.0",
        "author": somebody, "publishedBy": somebody,
        "name": skill.name, "description": skill.description, "keywords": skill.keywords,
        "headings": skill.headings, "bodyWords": skill.body_words,
        "license": null, "homepage": null, "changelog": "", "tags": [],
        "promotedFrom": null, "sourcePublishedAt": null,
        "fileCount": 1, "unpackedSize": 1, "packageSize": 1, "sha256": digest, "contentDigest": digest,
        "fingerprints": { "text": digest, "all": digest },
        "metadata": {}, "warnings": [], "files": [],
    })
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::search::generated;

    #[test]
    fn all_skills_are_live_and_have_their_numbers() {
        let skills = generated::make(&[], 30);
        let catalog = catalog(&skills).unwrap();
        assert_eq!(catalog.skills().filter(|skill| catalog.is_live(skill)).count(), 30);
        for skill in catalog.skills() {
            let given = skills.get(number(skill.id.0)).unwrap();
            assert_eq!(skill.coordinate.slug.as_str(), given.slug);
            assert_eq!(&*skill.display_version().unwrap().description, given.description);
        }
    }
}
