//! The skills whose counters the manifest lists.

use registry::public::{PublicCatalog, Sort};

use super::format::manifest::{MAX_OF_EACH, PopularSkill};

/// The live skills with the most downloads and with the most stars, by id.
pub fn popular(catalog: &PublicCatalog) -> Vec<PopularSkill> {
    let lists = [Sort::Downloads, Sort::Stars].map(|sort| catalog.list(None, sort, 0, usize::MAX));
    let live =
        lists.into_iter().flat_map(|list| list.filter(|skill| catalog.is_live(skill)).take(MAX_OF_EACH));
    let of = |skill: &registry::public::Skill| PopularSkill {
        id: skill.id.0,
        stars: skill.counters.stars,
        downloads: skill.counters.downloads,
    };
    let mut popular: Vec<_> = live.map(of).collect();
    popular.retain(|skill| skill.stars + skill.downloads > 0);
    popular.sort_unstable();
    popular.dedup();
    popular
}
