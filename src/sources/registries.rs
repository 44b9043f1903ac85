//! Other registries: of this kind, and those that speak the protocol of ClawHub.

use registry::names::{Digest, Slug, Version};
use serde::Deserialize;
use serde_json::value::RawValue;
use url::Url;

use super::fetcher::Fetcher;
use super::offer::{Content, Entries, MAX_ENTRIES, Offer, is_wanted};
use super::too_many;
use crate::config::source::SourceSection;

/// The most pages of a list.
const MAX_PAGES: u64 = 1_000;

#[derive(Deserialize)]
struct SkillPage {
    items: Vec<ListedSkill>,
    total: usize,
}

#[derive(Deserialize)]
struct ListedSkill {
    slug: Slug,
    version: Option<Version>,
}

#[derive(Deserialize)]
struct VersionDocument {
    sha256: Digest,
}

/// The latest versions of the skills in some namespaces of a registry of this kind. Reads the files of its tree, which
/// servers and static hosts have at the same addresses. Unwanted skills are left out before they are asked for.
pub fn registry(fetcher: &Fetcher, base: &Url, source: &SourceSection) -> Result<Vec<Offer>, String> {
    let max = source.max_skills;
    let mut offers = Vec::new();
    for namespace in &source.namespaces {
        let (mut page, mut seen) = (1, 0);
        let mut listed = Vec::new();
        loop {
            let url = below(base, &format!("api/v1/skills/_list/{namespace}/updated-{page}.json"))?;
            let SkillPage { items, total } = fetcher.json(&url)?;
            seen += items.len();
            let is_last = items.is_empty() || seen >= total || page == MAX_PAGES;
            listed.extend(items.into_iter().filter(|skill| is_wanted(skill.slug.as_str(), &source.skills)));
            if is_last || listed.len() > max {
                break;
            }
            page += 1;
        }
        if offers.len() + listed.len() > max {
            return Err(too_many(max));
        }
        for ListedSkill { slug, version } in listed {
            // All versions of a skill may be yanked.
            let Some(version) = version else { continue };
            let path = format!("api/v1/skills/{namespace}/{slug}/versions/{version}");
            let sha256 =
                fetcher.json(&below(base, &format!("{path}.json"))?).map(|read: VersionDocument| read.sha256);
            let archive = below(base, &format!("{path}/download.zip"))?;
            let content = sha256.as_ref().map(|_| Content::Archive(archive.clone())).map_err(Clone::clone);
            offers.push(Offer {
                id: format!("{namespace}/{slug}"),
                version: Some(version.to_string()),
                is_version_firm: true,
                digest: sha256.ok(),
                ..Offer::of(slug.as_str(), archive.into(), content)
            });
        }
    }
    Ok(offers)
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ClawhubPage {
    items: Entries,
    #[serde(default)]
    next_cursor: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ClawhubSkill {
    slug: String,
    latest_version: Option<ClawhubVersion>,
}

#[derive(Deserialize)]
struct ClawhubVersion {
    version: String,
}

/// The latest versions of the skills of a ClawHub registry, whose `/api/v1` is below `base`. It names no digests of
/// packages, so each check reads all of them.
pub fn clawhub(fetcher: &Fetcher, base: &Url, source: &SourceSection) -> Result<Vec<Offer>, String> {
    let (mut offers, mut cursor) = (Vec::new(), None::<String>);
    for _ in 0..MAX_PAGES {
        let mut url = below(base, "api/v1/skills")?;
        // Ours pages only lists with a prefix.
        url.query_pairs_mut().extend_pairs([("limit", "200"), ("prefix", "")]);
        if let Some(cursor) = &cursor {
            url.query_pairs_mut().append_pair("cursor", cursor);
        }
        let ClawhubPage { items, next_cursor } = fetcher.json(&url)?;
        let wanted = items.wanted(MAX_ENTRIES, &source.skills)?;
        offers.extend(wanted.into_iter().filter_map(|(name, item)| packed(base, &name, &item)));
        let is_last = next_cursor.is_none() || next_cursor == cursor;
        cursor = next_cursor;
        if is_last || offers.len() > source.max_skills {
            break;
        }
    }
    Ok(offers)
}

/// The offer of a listed skill. None if it has no version.
fn packed(base: &Url, name: &str, item: &RawValue) -> Option<Offer> {
    let refused = |why: String| Some(Offer::of(name, base.to_string(), Err(why)));
    let skill: ClawhubSkill = match serde_json::from_str(item.get()) {
        Ok(skill) => skill,
        Err(why) => return refused(format!("its entry in the list is invalid: {why}")),
    };
    let version = skill.latest_version?.version;
    let is_slug =
        |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-');
    if !is_slug(&skill.slug) || version.parse::<Version>().is_err() {
        return refused("its slug or version is not one".to_owned());
    }
    let place = below(base, &format!("api/v1/skills/{}", skill.slug)).ok()?;
    let mut archive = below(base, "api/v1/download").ok()?;
    archive.query_pairs_mut().extend_pairs([("slug", &skill.slug), ("version", &version)]);
    let offer = Offer::of(&skill.slug, place.into(), Ok(Content::Archive(archive)));
    Some(Offer { version: Some(version), is_version_firm: true, ..offer })
}

/// An address below that of a source.
fn below(base: &Url, path: &str) -> Result<Url, String> {
    let base = base.as_str().trim_end_matches('/');
    format!("{base}/{path}").parse().map_err(|why: url::ParseError| why.to_string())
}
