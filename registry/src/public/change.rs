//! What can happen in public. [`super::row`](super::encode()) has its stored JSON.

use serde::{Deserialize, Serialize};

use super::{Contents, Published};
use crate::names::{Coordinate, Handle, Namespace, Slug, TagName, Version};

/// Who someone is in public.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Person {
    /// The unchanging handle.
    pub handle: Handle,
    /// The name to show.
    pub display_name: String,
}

/// Built-in or made by people.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum NamespaceKind {
    /// The one that every registry begins with.
    Global,
    /// Any other.
    Team,
}

/// What may happen in a namespace.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum NamespaceStatus {
    /// Everything.
    Active,
    /// Reads, stars and ratings.
    Frozen,
    /// The same, and its skills are left out of lists and search.
    Archived,
}

/// A namespace after the change, whole.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct NamespaceState {
    /// Its name.
    pub slug: Namespace,
    /// The name to show.
    pub display_name: String,
    /// What it is for; may be empty.
    pub description: String,
    /// Built-in or made by people.
    #[serde(rename = "type")]
    pub kind: NamespaceKind,
    /// What may happen in it.
    pub status: NamespaceStatus,
    /// Whether plain members' publications wait for approval.
    pub review_required: bool,
}

/// The name of a skill that something happened to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SkillName {
    /// Whose skill it is.
    pub namespace: Namespace,
    /// Its name there.
    pub slug: Slug,
}

impl From<&Coordinate> for SkillName {
    fn from(coordinate: &Coordinate) -> Self {
        Self { namespace: coordinate.namespace.clone(), slug: coordinate.slug.clone() }
    }
}

impl SkillName {
    /// The skill's full name.
    pub fn coordinate(&self) -> Coordinate {
        Coordinate::new(self.namespace.clone(), self.slug.clone())
    }
}

/// A version is offered no more.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Yanked {
    /// Of which skill.
    #[serde(flatten)]
    pub skill: SkillName,
    /// Which.
    pub version: Version,
    /// Why, in the words of who did it.
    pub reason: Option<String>,
}

/// A yanked version is offered again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Unyanked {
    /// Of which skill.
    #[serde(flatten)]
    pub skill: SkillName,
    /// Which.
    pub version: Version,
}

/// A tag was made or moved.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TagSet {
    /// Of which skill.
    #[serde(flatten)]
    pub skill: SkillName,
    /// Which.
    pub tag: TagName,
    /// Where it points to from now on.
    pub version: Version,
    /// Who did it.
    pub updated_by: Person,
}

/// A tag is gone.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TagRemoved {
    /// Of which skill.
    #[serde(flatten)]
    pub skill: SkillName,
    /// Which.
    pub tag: TagName,
}

/// A skill is someone else's from now on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AuthorChanged {
    /// Which.
    #[serde(flatten)]
    pub skill: SkillName,
    /// Whose it is.
    pub author: Person,
}

/// One thing that happened in public.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PublicChange {
    /// A namespace was made.
    NamespaceCreated(NamespaceState),
    /// A namespace is another one now.
    NamespaceUpdated(NamespaceState),
    /// A version became public.
    Published(Box<Published>),
    /// A version is offered no more.
    Yanked(Yanked),
    /// A yanked version is offered again.
    Unyanked(Unyanked),
    /// A tag was made or moved.
    TagSet(TagSet),
    /// A tag is gone.
    TagRemoved(TagRemoved),
    /// A skill and all its versions are gone, until they are restored.
    SkillRemoved(SkillName),
    /// A removed skill is back as it was.
    SkillRestored(SkillName),
    /// A skill has another author.
    AuthorChanged(AuthorChanged),
    /// Someone is shown by another name.
    PersonRenamed(Person),
}

/// A change on its way into a row: with what is kept in the row alone.
#[derive(Debug, Clone, PartialEq)]
pub struct PublicRecord {
    /// What happens.
    pub(super) change: PublicChange,
    /// The large half of a publication.
    pub(super) contents: Option<Box<Contents>>,
}

impl PublicRecord {
    /// A publication.
    pub fn published(published: Box<Published>, contents: Box<Contents>) -> Self {
        Self { change: PublicChange::Published(published), contents: Some(contents) }
    }

    /// What happens.
    pub fn change(&self) -> &PublicChange {
        &self.change
    }
}

macro_rules! records {
    ($($variant:ident($body:ty)),+) => {$(
        impl From<$body> for PublicRecord {
            fn from(body: $body) -> Self {
                Self { change: PublicChange::$variant(body), contents: None }
            }
        }
    )+};
}
records!(Yanked(Yanked), Unyanked(Unyanked), TagSet(TagSet), TagRemoved(TagRemoved));
records!(AuthorChanged(AuthorChanged), PersonRenamed(Person));

impl PublicRecord {
    /// A namespace is made.
    pub fn namespace_created(state: NamespaceState) -> Self {
        Self { change: PublicChange::NamespaceCreated(state), contents: None }
    }

    /// A namespace changes.
    pub fn namespace_updated(state: NamespaceState) -> Self {
        Self { change: PublicChange::NamespaceUpdated(state), contents: None }
    }

    /// A skill is removed.
    pub fn skill_removed(skill: SkillName) -> Self {
        Self { change: PublicChange::SkillRemoved(skill), contents: None }
    }

    /// A removed skill is restored.
    pub fn skill_restored(skill: SkillName) -> Self {
        Self { change: PublicChange::SkillRestored(skill), contents: None }
    }
}
