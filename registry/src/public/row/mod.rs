//! The stored JSON of public changes.
//!
//! A stored row is one JSON object: `revision`, `at`, `kind`, `v`, then the
//! fields of the kind. `v` is the schema number of the kind. Journals and mirrors
//! keep this format permanently: a new shape gets a new `v`, and
//! [`DecodedRow::decode`] converts old shapes. `registry/golden/` has a row of
//! every `v` ever written.

mod check;
pub(super) mod decode_error;
mod header;

use serde::Serialize;
use serde::de::{DeserializeOwned, Error as _};

use super::{Contents, PublicChange, PublicRecord, Published};
use crate::public::{PublicRow, Revision};
use crate::time::Timestamp;
pub use decode_error::DecodeError;
use header::RowHeader;

/// Encodes the JSON that is stored for `record` and that mirrors read.
pub fn encode(revision: Revision, at: Timestamp, record: &PublicRecord) -> serde_json::Result<String> {
    use PublicChange as Change;
    let row = Row { revision, at, contents: record.contents.as_deref() };
    match &record.change {
        Change::NamespaceCreated(body) => row.encode("namespace_created", 1, body),
        Change::NamespaceUpdated(body) => row.encode("namespace_updated", 1, body),
        Change::Published(body) => row.encode("published", body.schema(), &**body),
        Change::Yanked(body) => row.encode("yanked", 1, body),
        Change::Unyanked(body) => row.encode("unyanked", 1, body),
        Change::Scanned(body) => row.encode("scanned", 1, &**body),
        Change::TagSet(body) => row.encode("tag_set", 1, body),
        Change::TagRemoved(body) => row.encode("tag_removed", 1, body),
        Change::SkillRemoved(body) => row.encode("skill_removed", 1, body),
        Change::SkillRestored(body) => row.encode("skill_restored", 1, body),
        Change::AdvisoryPublished(body) => row.encode("advisory_published", 1, &**body),
        Change::AdvisoryWithdrawn(body) => row.encode("advisory_withdrawn", 1, body),
        Change::AuthorChanged(body) => row.encode("author_changed", 1, body),
        Change::BundleSet(body) => row.encode("bundle_set", 1, &**body),
        Change::BundleRemoved(body) => row.encode("bundle_removed", 1, body),
        Change::PersonRenamed(body) => row.encode("person_renamed", 1, body),
        Change::HistoryRestored(body) => row.encode("history_restored", 1, body),
        Change::Redacted(body) => row.encode("redacted", 1, body),
        Change::RowRedacted(body) => row.encode("row_redacted", 1, body),
    }
}

struct Row<'a> {
    revision: Revision,
    at: Timestamp,
    contents: Option<&'a Contents>,
}

impl Row<'_> {
    fn encode(&self, kind: &'static str, v: u32, body: &impl Serialize) -> serde_json::Result<String> {
        #[derive(Serialize)]
        struct Encoded<'a, T: Serialize> {
            revision: Revision,
            at: Timestamp,
            kind: &'static str,
            v: u32,
            #[serde(flatten)]
            body: &'a T,
            #[serde(flatten)]
            contents: Option<&'a Contents>,
        }
        let Self { revision, at, contents } = *self;
        serde_json::to_string(&Encoded { revision, at, kind, v, body, contents })
    }
}

/// The error for a kind or schema number that this release does not have.
pub(crate) fn unknown_kind(kind: &str, v: u32) -> serde_json::Error {
    serde_json::Error::custom(format!("this release does not know the kind `{kind}` of schema {v}"))
}

/// A decoded row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DecodedRow {
    /// The row's number.
    pub revision: Revision,
    /// The row's time.
    pub at: Timestamp,
    /// The change that it records.
    pub change: PublicChange,
}

impl DecodedRow {
    /// Decodes a stored row of any schema number ever written.
    pub fn decode(row: &PublicRow) -> Result<Self, DecodeError> {
        decode(row).map_err(|cause| DecodeError { revision: row.revision, cause })
    }
}

fn decode(row: &PublicRow) -> serde_json::Result<DecodedRow> {
    use PublicChange as Change;
    let RowHeader { revision, at, kind, v } = RowHeader::read(&row.json)?;
    if revision != row.revision {
        return Err(serde_json::Error::custom(format!("it says that it is revision {revision}")));
    }
    let change = match (&*kind, v) {
        ("namespace_created", 1) => Change::NamespaceCreated(body(row)?),
        ("namespace_updated", 1) => Change::NamespaceUpdated(body(row)?),
        ("published", 1) => Change::Published(published_v1(row)?),
        ("published", 2) => Change::Published(published_v2(row)?),
        ("published", 3) => Change::Published(body(row)?),
        ("yanked", 1) => Change::Yanked(body(row)?),
        ("unyanked", 1) => Change::Unyanked(body(row)?),
        ("scanned", 1) => Change::Scanned(body(row)?),
        ("tag_set", 1) => Change::TagSet(body(row)?),
        ("tag_removed", 1) => Change::TagRemoved(body(row)?),
        ("skill_removed", 1) => Change::SkillRemoved(body(row)?),
        ("skill_restored", 1) => Change::SkillRestored(body(row)?),
        ("advisory_published", 1) => Change::AdvisoryPublished(body(row)?),
        ("advisory_withdrawn", 1) => Change::AdvisoryWithdrawn(body(row)?),
        ("author_changed", 1) => Change::AuthorChanged(body(row)?),
        ("bundle_set", 1) => Change::BundleSet(body(row)?),
        ("bundle_removed", 1) => Change::BundleRemoved(body(row)?),
        ("person_renamed", 1) => Change::PersonRenamed(body(row)?),
        ("history_restored", 1) => Change::HistoryRestored(body(row)?),
        ("redacted", 1) => Change::Redacted(body(row)?),
        ("row_redacted", 1) => Change::RowRedacted(body(row)?),
        (kind, v) => return Err(unknown_kind(kind, v)),
    };
    Ok(DecodedRow { revision, at, change })
}

fn body<T: DeserializeOwned>(row: &PublicRow) -> serde_json::Result<T> {
    serde_json::from_str(&row.json)
}

/// Schema 1 of `published` had no headings and no body words.
fn published_v1(row: &PublicRow) -> serde_json::Result<Box<Published>> {
    let published = Published { headings: Vec::new(), body_words: Vec::new(), ..*published_v2(row)? };
    Ok(Box::new(published))
}

/// Schema 2 of `published` had no provenance, no attestation and no requirements.
fn published_v2(row: &PublicRow) -> serde_json::Result<Box<Published>> {
    let published =
        Published { provenance: None, attestation_sha256: None, requires: Vec::new(), ..body(row)? };
    Ok(Box::new(published))
}
