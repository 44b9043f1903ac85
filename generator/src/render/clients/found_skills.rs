//! Search results for `npx skills find`, version 1.7.

use registry::names::{Coordinate, PublicUrl, Slug};
use registry::public::Skill;
use serde::Serialize;

use crate::address::FoundSkills;
use crate::documents::client_lists::live;
use crate::json::json;
use crate::render::{RenderContext, search::found};
use crate::search::Query;

/// Search results in the form that `npx skills find` reads.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
pub struct FoundSkillList<'a> {
    skills: Vec<FoundSkill<'a>>,
}

/// A found skill.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
pub struct FoundSkill<'a> {
    /// Namespace and slug, with a slash between.
    id: String,
    name: &'a Slug,
    /// What `npx skills add` takes. The client prints it with `@` and the name after it, so it ends
    /// in `#`: what follows is then a fragment, which `add` ignores.
    source: String,
    /// The number of downloads.
    installs: u64,
}

impl<'a> FoundSkill<'a> {
    fn new(skill: &'a Skill, site: &PublicUrl) -> Self {
        let Coordinate { namespace, slug } = &skill.coordinate;
        Self {
            id: format!("{namespace}/{slug}"),
            name: slug,
            source: format!("{}/{namespace}/{slug}#", site.as_str()),
            installs: skill.counters.downloads,
        }
    }
}

/// The skills that match a query, best match first; without words, the most recently updated. `None`
/// without a public URL.
pub(crate) fn found_skills(context: RenderContext<'_>, asked: &FoundSkills) -> Option<Vec<u8>> {
    let (catalog, site) = (context.catalog, context.settings.public_url.as_ref()?);
    let FoundSkills { q, owner, limit } = asked;
    let (query, take) = (Query::new(q), usize::try_from(*limit).unwrap_or(usize::MAX));
    let skills = if query.is_blank() {
        live(catalog, owner.as_ref(), take).into_iter().map(|(skill, _)| skill).collect()
    } else {
        found(catalog, &context.search.current(catalog), &query, owner.as_ref()).skills
    };
    Some(found_list(&skills, *limit, site))
}

/// The first found skills.
pub(crate) fn found_list(skills: &[&Skill], limit: u64, site: &PublicUrl) -> Vec<u8> {
    let take = usize::try_from(limit).unwrap_or(usize::MAX);
    let skills = skills.iter().take(take).map(|skill| FoundSkill::new(skill, site));
    json(&FoundSkillList { skills: skills.collect() })
}
