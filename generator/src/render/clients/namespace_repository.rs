//! The repository of a namespace: a marketplace, a text for people, and the skills in folders of plugins.

use std::fmt::Write as _;

use registry::names::{BundleName, Namespace};
use registry::public::{Skill, VersionEntry};
use registry::time::Timestamp;

use super::marketplace::{Listing, in_repository};
use crate::documents::client_lists::{skills_of_bundle_repository, skills_of_repository};
use crate::git::Repository;
use crate::render::RenderContext;

/// The repository of a namespace. `None` if it has none.
pub(crate) fn repository(context: RenderContext<'_>, name: &Namespace) -> Option<Repository> {
    let mut skills = skills_of_repository(context, name)?;
    skills.sort_by_key(|(skill, _)| &skill.coordinate.slug);
    let marketplace = in_repository(context, &Listing::Namespace(name), skills.clone());
    Some(of(&format!("@{name}"), name, Timestamp::default(), &skills, marketplace))
}

/// The repository of a bundle. `None` if it has none.
pub(crate) fn bundle_repository(context: RenderContext<'_>, name: &BundleName) -> Option<Repository> {
    let skills = skills_of_bundle_repository(context, name)?;
    let entry = context.catalog.bundle(name)?;
    let marketplace = in_repository(context, &Listing::Bundle(&entry.bundle), skills.clone());
    Some(of(&name.to_string(), &name.namespace, entry.updated_at, &skills, marketplace))
}

fn of(
    name: &str,
    by: &Namespace,
    since: Timestamp,
    skills: &[(&Skill, &VersionEntry)],
    marketplace: Vec<u8>,
) -> Repository {
    let mut readme = format!("# Skills of {name}\n\nA registry made this repository. Do not push to it.\n\n");
    for (skill, latest) in skills {
        let slug = &skill.coordinate.slug;
        // Writing to a text cannot fail.
        let _ = writeln!(readme, "- [{slug}](plugins/{slug}/skills/{slug}/SKILL.md) {}", latest.version);
    }
    let texts = vec![(".claude-plugin/marketplace.json", marketplace), ("README.md", readme.into_bytes())];
    Repository::of_skills(name, by, since, skills, texts)
}
