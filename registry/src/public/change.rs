//! The public changes. [`encode`](super::encode()) has their stored JSON.

use serde::{Deserialize, Serialize};

use super::{
    AdvisoryPublished, AdvisoryWithdrawn, Bundle, Contents, Person, Published, ScanVerdict, SkillName,
};
use crate::names::{BundleName, Coordinate, Digest, Namespace, TagName, Version};
use crate::public::{Epoch, Revision};
use crate::roles::words;

/// Whether a namespace is built in or was created by people.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum NamespaceKind {
    /// The namespace `global`, which every registry has.
    Global,
    /// Any other namespace.
    Team,
}

/// What is allowed in a namespace.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum NamespaceStatus {
    /// Everything is allowed.
    Active,
    /// Only reads, stars and ratings are allowed.
    Frozen,
    /// Only reads, stars and ratings are allowed, and its skills are not in lists
    /// and search.
    Archived,
}

words!(NamespaceStatus, "status of a namespace", Active = "active", Frozen = "frozen", Archived = "archived");

/// The complete state of a namespace after a change.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct NamespaceState {
    /// The name.
    pub slug: Namespace,
    /// The display name.
    pub display_name: String,
    /// The description, which may be empty.
    pub description: String,
    /// Whether it is built in or was created by people.
    #[serde(rename = "type")]
    pub kind: NamespaceKind,
    /// What is allowed in it.
    pub status: NamespaceStatus,
    /// Whether publications of plain members wait for review.
    pub review_required: bool,
}

impl PublicChange {
    /// The version that this publishes, yanks, judges or gives a tag.
    pub fn version(&self) -> Option<(Coordinate, &Version)> {
        match self {
            Self::Published(published) => Some((published.coordinate(), &published.version)),
            Self::Yanked(yanked) => Some((yanked.skill.coordinate(), &yanked.version)),
            Self::Scanned(scanned) => Some((scanned.skill.coordinate(), &scanned.version)),
            Self::TagSet(set) => Some((set.skill.coordinate(), &set.version)),
            _ => None,
        }
    }
}

/// A version was yanked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Yanked {
    /// The skill.
    #[serde(flatten)]
    pub skill: SkillName,
    /// The version.
    pub version: Version,
    /// The reason, in the words of the person who yanked it.
    pub reason: Option<String>,
}

/// A yanked version is offered again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Unyanked {
    /// The skill.
    #[serde(flatten)]
    pub skill: SkillName,
    /// The version.
    pub version: Version,
}

/// A scanner judged a public version.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Scanned {
    /// The skill.
    #[serde(flatten)]
    pub skill: SkillName,
    /// The version.
    pub version: Version,
    /// The digest of the package that was judged.
    pub sha256: Digest,
    /// The verdict.
    #[serde(flatten)]
    pub verdict: ScanVerdict,
}

/// A tag was created or moved.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TagSet {
    /// The skill.
    #[serde(flatten)]
    pub skill: SkillName,
    /// The tag.
    pub tag: TagName,
    /// The version that the tag now points to.
    pub version: Version,
    /// The person who set the tag.
    pub updated_by: Person,
}

/// A tag was removed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TagRemoved {
    /// The skill.
    #[serde(flatten)]
    pub skill: SkillName,
    /// The tag.
    pub tag: TagName,
}

/// A skill has another author.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AuthorChanged {
    /// The skill.
    #[serde(flatten)]
    pub skill: SkillName,
    /// The new author.
    pub author: Person,
}

/// A backup was restored. The row's number is higher than all that were used before, so no number
/// means two things.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct HistoryRestored {
    /// The last revision in the backup.
    pub backup_revision: Revision,
    /// The earlier names of the history.
    pub earlier_epochs: Vec<Epoch>,
}

/// The text of this row was removed. A later row says why.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Redacted {
    /// The sha256 of the JSON that the row had.
    pub sha256: Digest,
}

/// The text of an earlier row was removed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RowRedacted {
    /// The number of that row.
    pub row: Revision,
    /// The reason.
    pub reason: String,
}

/// A public change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PublicChange {
    /// A namespace was created.
    NamespaceCreated(NamespaceState),
    /// A namespace has a new state.
    NamespaceUpdated(NamespaceState),
    /// A version became public.
    Published(Box<Published>),
    /// A version was yanked.
    Yanked(Yanked),
    /// A yanked version is offered again.
    Unyanked(Unyanked),
    /// A scanner judged a version.
    Scanned(Box<Scanned>),
    /// A tag was created or moved.
    TagSet(TagSet),
    /// A tag was removed.
    TagRemoved(TagRemoved),
    /// A skill and all its versions were removed. They can be restored.
    SkillRemoved(SkillName),
    /// A removed skill was restored.
    SkillRestored(SkillName),
    /// An advisory was published.
    AdvisoryPublished(Box<AdvisoryPublished>),
    /// An advisory was withdrawn.
    AdvisoryWithdrawn(AdvisoryWithdrawn),
    /// A skill has another author.
    AuthorChanged(AuthorChanged),
    /// A bundle was made or changed.
    BundleSet(Box<Bundle>),
    /// A bundle was removed.
    BundleRemoved(BundleName),
    /// A person has another display name.
    PersonRenamed(Person),
    /// A backup was restored.
    HistoryRestored(HistoryRestored),
    /// The row has no text any more.
    Redacted(Redacted),
    /// The text of another row was removed.
    RowRedacted(RowRedacted),
}

/// A change to be stored in a row, with the part that is only kept in the row.
#[derive(Debug, Clone, PartialEq)]
pub struct PublicRecord {
    /// The change.
    pub(super) change: PublicChange,
    /// The large part of a publication.
    pub(super) contents: Option<Box<Contents>>,
}

impl PublicRecord {
    /// A publication.
    pub fn published(published: Box<Published>, contents: Box<Contents>) -> Self {
        Self { change: PublicChange::Published(published), contents: Some(contents) }
    }

    /// The change.
    pub fn change(&self) -> &PublicChange {
        &self.change
    }
}

impl From<PublicChange> for PublicRecord {
    /// Any change except a publication, which has contents.
    fn from(change: PublicChange) -> Self {
        Self { change, contents: None }
    }
}
