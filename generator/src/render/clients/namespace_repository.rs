//! The repository of a namespace: a marketplace, a text for people, and the skills in folders of plugins.

use std::fmt::Write as _;

use registry::names::Namespace;

use super::marketplace::in_repository;
use crate::documents::client_lists::skills_of_repository;
use crate::git::Repository;
use crate::render::RenderContext;

/// The repository of a namespace. `None` if it has none.
pub(crate) fn repository(context: RenderContext<'_>, name: &Namespace) -> Option<Repository> {
    let mut skills = skills_of_repository(context, name)?;
    skills.sort_by_key(|(skill, _)| &skill.coordinate.slug);
    let mut readme =
        format!("# Skills of @{name}\n\nA registry made this repository. Do not push to it.\n\n");
    for (skill, latest) in &skills {
        let slug = &skill.coordinate.slug;
        // Writing to a text cannot fail.
        let _ = writeln!(readme, "- [{slug}](plugins/{slug}/skills/{slug}/SKILL.md) {}", latest.version);
    }
    let marketplace = in_repository(context, name, skills.clone());
    let texts = vec![(".claude-plugin/marketplace.json", marketplace), ("README.md", readme.into_bytes())];
    Some(Repository::of_namespace(name, &skills, texts))
}
