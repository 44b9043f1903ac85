//! The stored JSON of what happened in public.
//!
//! A stored row is one JSON object: `revision`, `at`, `kind`, `v`, then the
//! fields of the kind. `v` is the schema number of the kind. It is a format
//! that journals and mirrors keep for ever: a new shape gets a new `v`, and
//! [`DecodedRow::decode`] brings old ones up to date, one function a kind.
//! `registry/golden/` holds a row of every `v` ever written.

mod header;

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::{PublicChange, PublicRecord, Published};
use crate::journal::{PublicRow, Revision};
use crate::time::Timestamp;
use header::RowHeader;

#[derive(Serialize)]
struct Encoded<'a, A: Serialize, B: Serialize> {
    revision: Revision,
    at: Timestamp,
    kind: &'static str,
    v: u32,
    #[serde(flatten)]
    body: &'a A,
    #[serde(flatten)]
    rest: Option<&'a B>,
}

/// The exact JSON that is stored for `record` and that mirrors read.
pub fn encode(revision: Revision, at: Timestamp, record: &PublicRecord) -> serde_json::Result<String> {
    use PublicChange as Change;
    let row = Row { revision, at, rest: record.contents.as_deref() };
    match &record.change {
        Change::NamespaceCreated(body) => row.encode("namespace_created", 1, body),
        Change::NamespaceUpdated(body) => row.encode("namespace_updated", 1, body),
        Change::Published(body) => row.encode("published", 2, &**body),
        Change::Yanked(body) => row.encode("yanked", 1, body),
        Change::Unyanked(body) => row.encode("unyanked", 1, body),
        Change::TagSet(body) => row.encode("tag_set", 1, body),
        Change::TagRemoved(body) => row.encode("tag_removed", 1, body),
        Change::SkillRemoved(body) => row.encode("skill_removed", 1, body),
        Change::SkillRestored(body) => row.encode("skill_restored", 1, body),
        Change::AuthorChanged(body) => row.encode("author_changed", 1, body),
        Change::PersonRenamed(body) => row.encode("person_renamed", 1, body),
    }
}

struct Row<'a, B> {
    revision: Revision,
    at: Timestamp,
    rest: Option<&'a B>,
}

impl<B: Serialize> Row<'_, B> {
    fn encode(&self, kind: &'static str, v: u32, body: &impl Serialize) -> serde_json::Result<String> {
        let Self { revision, at, rest } = *self;
        serde_json::to_string(&Encoded { revision, at, kind, v, body, rest })
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
    pub(super) fn of(row: &PublicRow, why: impl ToString) -> Self {
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
        use PublicChange as Change;
        let fail = |why| DecodeError::of(row, why);
        let header = RowHeader::read(&row.json).map_err(|e| DecodeError::of(row, e))?;
        if header.revision != row.revision {
            return Err(fail(format!("it says that it is revision {}", header.revision)));
        }
        let change = match (&*header.kind, header.v) {
            ("namespace_created", 1) => Change::NamespaceCreated(body(row)?),
            ("namespace_updated", 1) => Change::NamespaceUpdated(body(row)?),
            ("published", 1) => Change::Published(published_v1(row)?),
            ("published", 2) => Change::Published(body(row)?),
            ("yanked", 1) => Change::Yanked(body(row)?),
            ("unyanked", 1) => Change::Unyanked(body(row)?),
            ("tag_set", 1) => Change::TagSet(body(row)?),
            ("tag_removed", 1) => Change::TagRemoved(body(row)?),
            ("skill_removed", 1) => Change::SkillRemoved(body(row)?),
            ("skill_restored", 1) => Change::SkillRestored(body(row)?),
            ("author_changed", 1) => Change::AuthorChanged(body(row)?),
            ("person_renamed", 1) => Change::PersonRenamed(body(row)?),
            (kind, v) => {
                return Err(fail(format!("this release does not know the kind `{kind}` of schema {v}")));
            }
        };
        Ok(Self { revision: header.revision, at: header.at, change })
    }
}

fn body<T: DeserializeOwned>(row: &PublicRow) -> Result<T, DecodeError> {
    serde_json::from_str(&row.json).map_err(|why| DecodeError::of(row, why))
}

/// Schema 1 of `published`: it had no headings.
fn published_v1(row: &PublicRow) -> Result<Box<Published>, DecodeError> {
    body::<Published>(row).map(|published| Box::new(published.without_headings()))
}
