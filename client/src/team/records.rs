//! The JSON records of the signed-in API, with the fields that the client uses. Other fields are
//! ignored. Names of people and their texts are shown only after escaping.

use registry::names::{Coordinate, Digest, Namespace, Slug, TagName, Version};
use registry::package::Finding;
use registry::public::Id;
use serde::Deserialize;
use serde::de::IgnoredAny;

use crate::source::records::{Author, FileEntry, SkillRecord};

/// An answer whose fields the client does not use.
#[derive(Debug, Deserialize)]
pub struct Ignored(#[allow(dead_code, reason = "only parsed")] IgnoredAny);

/// A namespace.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct NamespaceRecord {
    /// Its name in addresses.
    pub slug: Namespace,
    /// Its name for people.
    pub display_name: String,
    /// What it is for. May be empty.
    pub description: String,
    /// `active`, `frozen` or `archived`.
    pub status: String,
    /// Whether versions of plain members wait for review.
    pub review_required: bool,
    /// The number of skills.
    pub skill_count: u64,
}

/// A member of a namespace.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct MemberRecord {
    /// The permanent name.
    pub handle: String,
    /// The name for people.
    pub display_name: String,
    /// `member`, `admin` or `owner`.
    pub role: String,
    /// When they joined, RFC 3339.
    pub created_at: String,
}

/// An invitation to own a namespace.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct InvitationRecord {
    /// The namespace.
    pub namespace: Namespace,
    /// The owner who invites.
    pub from: Author,
    /// The invited person.
    pub to: Author,
    /// Until when it can be accepted, RFC 3339.
    pub expires_at: String,
}

/// A submission for review, or the wish to copy a version to `global`.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ReviewRecord {
    /// The id.
    pub id: Id,
    /// `publish` or `promotion`.
    pub kind: String,
    /// `pending`, `approved`, `rejected` or `withdrawn`.
    pub status: String,
    /// The namespace of the skill.
    pub namespace: Namespace,
    /// The name of the skill in the namespace.
    pub slug: Slug,
    /// The version.
    pub version: Version,
    /// The digest of the package.
    pub sha256: Digest,
    /// The submitter.
    pub submitted_by: Author,
    /// RFC 3339.
    pub submitted_at: String,
    /// The reviewer, after the decision.
    pub decided_by: Option<Author>,
    /// The reason for the decision.
    pub comment: Option<String>,
    /// Handles of submitter and author, as far as their accounts are disabled.
    #[serde(default)]
    pub disabled_accounts: Vec<String>,
}

impl ReviewRecord {
    /// The skill.
    pub fn coordinate(&self) -> Coordinate {
        Coordinate::new(self.namespace.clone(), self.slug.clone())
    }
}

/// A tag that an approval sets.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ReviewTag {
    /// The tag.
    pub name: TagName,
    /// The version that it points to now.
    pub current_version: Option<Version>,
}

/// A review with everything that an approval makes public.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ReviewDetail {
    /// The review.
    #[serde(flatten)]
    pub review: ReviewRecord,
    /// What is new. May be empty.
    pub changelog: String,
    /// The tags that an approval sets.
    pub tags: Vec<ReviewTag>,
    /// The files of the package.
    pub files: Vec<FileEntry>,
    /// The front matter.
    pub metadata: serde_json::Map<String, serde_json::Value>,
    /// All warnings, also those about secrets.
    pub warnings: Vec<Finding>,
    /// Other names that readers could take the name for.
    pub looks_like: Vec<String>,
}

/// A tag of a skill.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TagRecord {
    /// The tag.
    pub name: TagName,
    /// The version that it points to.
    pub version: Version,
    /// When it was last set, RFC 3339.
    pub updated_at: String,
    /// The person who set the tag. None for `latest`, which nobody sets.
    pub updated_by: Option<Author>,
}

/// A token without its text.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TokenRecord {
    /// The id.
    pub id: Id,
    /// The name that its owner gave it.
    pub name: String,
    /// The beginning of its text.
    pub prefix: String,
    /// What it allows.
    pub scopes: Vec<String>,
    /// RFC 3339.
    pub created_at: String,
    /// RFC 3339. None if it never expires.
    pub expires_at: Option<String>,
    /// RFC 3339. None if it was never used.
    pub last_used_at: Option<String>,
}

/// The offer of a skill to another author.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TransferRecord {
    /// The namespace of the skill.
    pub namespace: Namespace,
    /// The name of the skill in the namespace.
    pub slug: Slug,
    /// The person who offers it.
    pub from: Author,
    /// The person to whom it is offered.
    pub to: Author,
    /// A note.
    pub message: Option<String>,
    /// Until when it can be accepted, RFC 3339.
    pub expires_at: String,
}

impl TransferRecord {
    /// The skill.
    pub fn coordinate(&self) -> Coordinate {
        Coordinate::new(self.namespace.clone(), self.slug.clone())
    }
}

/// The numbers of versions of a skill, as its submitter may know them.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct OwnCounts {
    /// Published and not yanked.
    pub published: u64,
    /// Waiting for review.
    pub pending_review: u64,
    /// Rejected.
    pub rejected: u64,
    /// Yanked.
    pub yanked: u64,
}

/// A skill that the caller wrote or submitted.
#[derive(Debug, Deserialize)]
pub struct OwnSkill {
    /// The skill.
    #[serde(flatten)]
    pub skill: SkillRecord,
    /// The numbers of its versions.
    pub counts: OwnCounts,
}

/// The caller's membership in a namespace.
#[derive(Debug, Deserialize)]
pub struct OwnNamespace {
    /// The namespace.
    pub slug: Namespace,
    /// `member`, `admin` or `owner`.
    pub role: String,
}

/// The caller's account.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AccountRecord {
    /// The permanent name.
    pub handle: String,
    /// The name for people.
    pub display_name: String,
    /// `user`, `moderator` or `admin`.
    pub role: String,
    /// The memberships.
    pub namespaces: Vec<OwnNamespace>,
}

/// The number of stars after the caller's star.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Starred {
    /// All stars.
    pub star_count: u64,
}

/// The ratings after the caller's rating.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Rated {
    /// The mean rating, 1 to 5.
    pub rating_average: Option<f64>,
    /// The number of ratings.
    pub rating_count: u64,
}
