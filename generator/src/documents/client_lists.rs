//! Which skills the lists for clients of others have.

use ::registry::names::{BundleName, Namespace};
use ::registry::public::{NamespaceEntry, PublicCatalog, Skill, Sort, VersionEntry};

use crate::context::RenderContext;
use crate::git::Repository;
use crate::settings::NamespaceRepositories;

/// The largest namespace with an index for `npx skills`.
const MAX_SKILLS: usize = 50;

/// The first `max` live skills of a namespace or of the registry, latest change first, with their
/// latest versions.
pub(crate) fn live<'a>(
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

/// The live skills of a namespace that has an index, in no order: one that is not archived and has
/// 1 to 50 of them.
pub(crate) fn skills_of_index<'a>(
    catalog: &'a PublicCatalog,
    name: &Namespace,
) -> Option<Vec<(&'a Skill, &'a VersionEntry)>> {
    catalog.namespace(name).filter(|entry| entry.is_listed())?;
    let skills = live(catalog, Some(name), MAX_SKILLS + 1);
    (1..=MAX_SKILLS).contains(&skills.len()).then_some(skills)
}

/// The live skills of a namespace that is one git repository, in no order. `None` if it is archived, has none, or
/// is above the bounds of the settings or of a pack.
pub(crate) fn skills_of_repository<'a>(
    context: RenderContext<'a>,
    name: &Namespace,
) -> Option<Vec<(&'a Skill, &'a VersionEntry)>> {
    context.catalog.namespace(name).filter(|entry| entry.is_listed())?;
    let max = usize::try_from(context.settings.namespace_repositories.skills).unwrap_or(usize::MAX);
    within_bounds(context, live(context.catalog, Some(name), max.saturating_add(1)))
}

/// The skills of a bundle that is one git repository, by slug, with the same bounds.
pub(crate) fn skills_of_bundle_repository<'a>(
    context: RenderContext<'a>,
    name: &BundleName,
) -> Option<Vec<(&'a Skill, &'a VersionEntry)>> {
    within_bounds(context, context.catalog.bundle(name)?.versions(context.catalog))
}

/// The skills, if one repository may have them.
fn within_bounds<'a>(
    context: RenderContext<'a>,
    skills: Vec<(&'a Skill, &'a VersionEntry)>,
) -> Option<Vec<(&'a Skill, &'a VersionEntry)>> {
    let NamespaceRepositories { skills: max, bytes } = context.settings.namespace_repositories;
    let max = usize::try_from(max).unwrap_or(usize::MAX);
    let entries = || skills.iter().map(|(_, entry)| *entry);
    let is_within = (1..=max).contains(&skills.len())
        && entries().map(|entry| entry.package_size).fold(0, u64::saturating_add) <= bytes
        && Repository::is_possible(entries());
    is_within.then_some(skills)
}

/// Whether a namespace or the registry has a marketplace. Its addresses are whole URLs, so the public
/// URL must be known. A namespace needs a live skill, and must not be archived.
pub(crate) fn has_marketplace(context: RenderContext<'_>, namespace: Option<&Namespace>) -> bool {
    let is_listed = |name| context.catalog.namespace(name).is_some_and(NamespaceEntry::is_listed);
    let has_skills = |name| is_listed(name) && !live(context.catalog, Some(name), 1).is_empty();
    context.settings.public_url.is_some() && namespace.is_none_or(has_skills)
}
