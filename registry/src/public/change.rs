//! What can happen in public, and its stored JSON.
//!
//! A stored row is one JSON object: `revision`, `at`, `kind`, `v`, then the
//! fields of the kind. `v` is the schema number of the kind. It is a format
//! that journals and mirrors keep for ever: a new shape gets a new `v`, and
//! [`DecodedRow::decode`] brings old ones up to date, one function a kind.
//! `registry/golden/` holds a row of every `v` ever written.

use serde::{Deserialize, Serialize};

use super::Id;
use super::row_header::RowHeader;
use crate::journal::{PublicRow, Revision};
use crate::names::{Coordinate, Digest, Handle, Namespace, Slug, TagName, Version};
use crate::package::{FileRecord, Finding, Fingerprints};
use crate::time::Timestamp;

/// Who someone is in public.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Person {
    /// The unchanging handle.
    pub handle: Handle,
    /// The name to show.
    pub display_name: String,
}

/// Built-in or made by people.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum NamespaceKind {
    /// The one that every registry begins with.
    Global,
    /// Any other.
    Team,
}

/// What may happen in a namespace.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
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

/// Which version a promoted skill was copied from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Origin {
    /// The source's namespace.
    pub namespace: Namespace,
    /// The source's slug.
    pub slug: Slug,
    /// The copied version.
    pub version: Version,
}

/// A version became public. It carries all that its documents show, so that
/// whoever replays it needs nothing else but the package.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Published {
    /// The skill's id, given at its first submission.
    pub skill_id: Id,
    /// The version's id, given at its submission.
    pub version_id: Id,
    /// Whose skill it is.
    pub namespace: Namespace,
    /// Its name there.
    pub slug: Slug,
    /// The version.
    pub version: Version,
    /// Who published the skill first.
    pub author: Person,
    /// Who published this version.
    pub published_by: Person,
    /// The name to show.
    pub name: String,
    /// One paragraph, 1 to 1024 characters.
    pub description: String,
    /// At most 32 of at most 64 characters.
    pub keywords: Vec<String>,
    /// As the front matter says it.
    pub license: Option<String>,
    /// An http(s) URL.
    pub homepage: Option<String>,
    /// What changed; may be empty.
    pub changelog: String,
    /// Tags that point to this version from now on.
    pub tags: Vec<TagName>,
    /// Where a promoted skill came from.
    pub promoted_from: Option<Origin>,
    /// When an imported version was published originally.
    pub source_published_at: Option<Timestamp>,
    /// Files in the package.
    pub file_count: u64,
    /// Bytes of all files.
    pub unpacked_size: u64,
    /// Bytes of the canonical archive.
    pub package_size: u64,
    /// Digest of the canonical archive.
    pub sha256: Digest,
    /// Digest of the content, whatever the archive.
    pub content_digest: Digest,
    /// The content fingerprints that third-party clients compute.
    pub fingerprints: Fingerprints,
}

impl Published {
    /// The skill's full name.
    pub fn coordinate(&self) -> Coordinate {
        Coordinate::new(self.namespace.clone(), self.slug.clone())
    }
}

/// The large half of a publication: in the row, not in memory.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Contents {
    /// The front matter as JSON.
    pub metadata: serde_json::Map<String, serde_json::Value>,
    /// What was odd about the package, without anything about secrets.
    pub warnings: Vec<Finding>,
    /// The files, sorted by the bytes of their paths.
    pub files: Vec<FileRecord>,
}

impl Contents {
    /// Reads the large half out of a `published` row.
    pub fn decode(row: &PublicRow) -> Result<Self, DecodeError> {
        serde_json::from_str(&row.json).map_err(|why| DecodeError::of(row, why))
    }
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
}

/// A change on its way into a row.
#[derive(Debug, Clone, PartialEq)]
pub enum PublicRecord {
    /// A namespace was made.
    NamespaceCreated(NamespaceState),
    /// A namespace is another one now.
    NamespaceUpdated(NamespaceState),
    /// A version became public.
    Published(Box<Published>, Box<Contents>),
}

#[derive(Serialize)]
struct Header {
    revision: Revision,
    at: Timestamp,
    kind: &'static str,
    v: u32,
}

#[derive(Serialize)]
struct Encoded<'a, A: Serialize, B: Serialize> {
    #[serde(flatten)]
    header: Header,
    #[serde(flatten)]
    body: &'a A,
    #[serde(flatten)]
    rest: Option<&'a B>,
}

/// The exact JSON that is stored for `record` and that mirrors read.
pub fn encode(revision: Revision, at: Timestamp, record: &PublicRecord) -> serde_json::Result<String> {
    let header = |kind| Header { revision, at, kind, v: 1 };
    let none = None::<&()>;
    match record {
        PublicRecord::NamespaceCreated(body) => {
            serde_json::to_string(&Encoded { header: header("namespace_created"), body, rest: none })
        }
        PublicRecord::NamespaceUpdated(body) => {
            serde_json::to_string(&Encoded { header: header("namespace_updated"), body, rest: none })
        }
        PublicRecord::Published(body, contents) => serde_json::to_string(&Encoded {
            header: header("published"),
            body: &**body,
            rest: Some(&**contents),
        }),
    }
}

/// A stored row could not be understood.
#[derive(Debug, Clone, thiserror::Error)]
#[error(
    "revision {revision} cannot be read: {why}. It was written by a newer release or is damaged: \
     start the release that wrote it, or restore a backup of the data folder"
)]
pub struct DecodeError {
    /// The row.
    pub revision: Revision,
    /// What is wrong with it.
    pub why: String,
}

impl DecodeError {
    fn of(row: &PublicRow, why: impl ToString) -> Self {
        Self { revision: row.revision, why: why.to_string() }
    }
}

/// A stored row, understood.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DecodedRow {
    /// Its number.
    pub revision: Revision,
    /// Its time.
    pub at: Timestamp,
    /// What happened.
    pub change: PublicChange,
}

impl DecodedRow {
    /// Understands a stored row of any schema number ever written.
    pub fn decode(row: &PublicRow) -> Result<Self, DecodeError> {
        let fail = |why| DecodeError::of(row, why);
        let header = RowHeader::read(&row.json).map_err(|e| DecodeError::of(row, e))?;
        if header.revision != row.revision {
            return Err(fail(format!("it says that it is revision {}", header.revision)));
        }
        let read = |why: serde_json::Error| DecodeError::of(row, why);
        let change = match (&*header.kind, header.v) {
            ("namespace_created", 1) => {
                PublicChange::NamespaceCreated(serde_json::from_str(&row.json).map_err(read)?)
            }
            ("namespace_updated", 1) => {
                PublicChange::NamespaceUpdated(serde_json::from_str(&row.json).map_err(read)?)
            }
            ("published", 1) => PublicChange::Published(serde_json::from_str(&row.json).map_err(read)?),
            (kind, v) => {
                return Err(fail(format!("this release does not know the kind `{kind}` of schema {v}")));
            }
        };
        Ok(Self { revision: header.revision, at: header.at, change })
    }
}
