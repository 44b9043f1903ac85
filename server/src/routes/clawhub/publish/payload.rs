//! What a client wants to publish.

use registry::catalog::Catalog;
use registry::names::{Coordinate, Handle, TagName, TolerantVersion};

use super::super::super::prelude::*;
use super::super::body::is_same;
use super::uploads::FileEntry;

/// The description of a publication. The name that the skill is shown with, its license and its
/// categories come from its front matter. Sources and forks are claims that nobody can check.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Payload {
    slug: String,
    #[serde(default)]
    version: Option<String>,
    #[serde(default)]
    changelog: Option<String>,
    #[serde(default)]
    tags: Vec<String>,
    #[serde(default)]
    owner_handle: Option<String>,
    #[serde(default)]
    migrate_owner: bool,
    #[serde(default)]
    pub(super) files: Vec<FileEntry>,
}

/// The fields of a publication, parsed.
pub(super) struct Wanted {
    pub(super) skill: Coordinate,
    pub(super) version: Option<(TolerantVersion, String)>,
    pub(super) changelog: String,
    pub(super) tags: Vec<TagName>,
}

impl Payload {
    pub(super) fn wanted(&self) -> Result<Wanted, Problem> {
        let skill: Coordinate = parse_field("slug", self.slug.trim())?;
        let version = self
            .version
            .as_ref()
            .map(|text| parse_field("version", text).map(|version| (version, text.clone())));
        // All clients send `latest` unless told otherwise. It follows the versions by itself.
        let tags = self.tags.iter().map(|tag| parse_field::<TagName>("tags", tag.trim()));
        let tags: Vec<_> = tags.collect::<Result<_, _>>()?;
        Ok(Wanted {
            skill,
            version: version.transpose()?,
            changelog: self.changelog.clone().unwrap_or_default(),
            tags: tags.into_iter().filter(|tag| !tag.is_latest()).collect(),
        })
    }

    /// Refuses a publication in the name of somebody else. Clients name the caller unless told
    /// otherwise.
    pub(super) fn check_owner(
        &self,
        catalog: Catalog<'_>,
        skill: &Coordinate,
        caller: &Handle,
    ) -> Result<(), Problem> {
        let Some(owner) = self.owner_handle.as_deref().filter(|owner| !owner.trim().is_empty()) else {
            return Ok(());
        };
        let author = catalog.public.skill(skill).map(|skill| &skill.author);
        match author.filter(|author| !is_same(author, owner)) {
            Some(author) if self.migrate_owner => Err(Problem::conflict(format!(
                "{skill} belongs to {author}: publishing does not move it, so let {author} transfer it."
            ))),
            // In `global` that person may not publish it at all, which is said later.
            Some(author) if is_same(caller, owner) && !skill.namespace.is_global() => Err(Problem::conflict(
                format!("{skill} belongs to {author}: publish it with --owner {author}."),
            )),
            Some(_) | None if is_same(caller, owner) => Ok(()),
            None if author.is_some() => Ok(()),
            _ => Err(Problem::forbidden(format!(
                "You are {caller} and cannot publish as {}: leave --owner out. To publish in a team, write it into the slug: team--{}.",
                owner.trim_start_matches('@'),
                skill.slug
            ))),
        }
    }
}
