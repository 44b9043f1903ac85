//! Documents for clients and agents that others made. `docs/clients.md` says which reads what.

mod agent_skills;
mod found_skills;
mod llms_txt;
mod marketplace;

pub(crate) use agent_skills::{of_namespace, of_skill, skills_of_index};
pub use found_skills::FoundSkillList;
pub(crate) use found_skills::{found_list, found_skills};
pub(crate) use llms_txt::llms_txt;
pub(crate) use marketplace::{has_marketplace, marketplace};

use registry::names::Namespace;
use registry::public::{PublicCatalog, Skill, Sort, VersionEntry};

/// The first `max` live skills of a namespace or of the registry, latest change first, with their
/// latest versions.
fn live<'a>(
    catalog: &'a PublicCatalog,
    namespace: Option<&Namespace>,
    max: usize,
) -> Vec<(&'a Skill, &'a VersionEntry)> {
    let with_latest = |skill: &'a Skill| Some((skill, skill.latest()?));
    match namespace {
        None => catalog.live(0, max).filter_map(with_latest).collect(),
        Some(_) => {
            let listed = catalog.list(namespace, Sort::Updated, 0, usize::MAX);
            listed.filter_map(with_latest).take(max).collect()
        }
    }
}
