//! The objects of a journal, and their keys. `docs/journal-bucket.md` has the format.

use registry::data_fault::json_fault;
use registry::journal::{Epoch, PublicRow, Revision, Row};
use registry::names::Digest;
use registry::time::Timestamp;
use serde::{Deserialize, Serialize};

/// The object that says which history the bucket has.
pub(super) const JOURNAL: &str = "journal.json";

/// The number of the format.
const FORMAT: u32 = 1;

/// What [`JOURNAL`] says.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Header {
    format: u32,
    /// The name of the history.
    pub(super) epoch: Epoch,
    /// Whether the rows come from another journal. They are all there when [`finished`] exists.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(super) copied: bool,
}

impl Header {
    pub(super) fn new(epoch: Epoch, copied: bool) -> Self {
        Self { format: FORMAT, epoch, copied }
    }

    /// Reads the object.
    ///
    /// Errors: why it cannot be used.
    pub(super) fn read(bytes: &[u8]) -> Result<Self, String> {
        let header: Self =
            serde_json::from_slice(bytes).map_err(|why| format!("{JOURNAL}: {}", json_fault(&why)))?;
        if header.format != FORMAT {
            let format = header.format;
            return Err(format!(
                "{JOURNAL} has format {format}, and this release knows {FORMAT}: use a newer release"
            ));
        }
        let is_epoch = |text: &str| {
            text.len() == 32 && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
        };
        if !is_epoch(&header.epoch) {
            return Err(format!("{JOURNAL} has no epoch of 32 hexadecimal digits"));
        }
        Ok(header)
    }
}

/// The object under the number of a row.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) enum Entry {
    /// The row.
    Row(StoredRow),
    /// No row may be appended, for [`super::frozen::LIFETIME`] or until the next entry. The text names
    /// the process that wants that.
    Freeze(String),
    /// Rows may be appended again.
    Thaw(String),
}

/// A row and its link.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct StoredRow {
    pub(super) revision: Revision,
    /// Seconds since 1970.
    at: i64,
    private: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    public: Option<String>,
    /// The link of the digest chain.
    pub(super) link: Digest,
}

impl StoredRow {
    pub(super) fn new(row: &Row, link: Digest) -> Self {
        Self {
            revision: row.revision,
            at: row.at.as_unix(),
            private: row.private.clone(),
            public: row.public.as_ref().map(|public| public.json.clone()),
            link,
        }
    }

    /// The row.
    ///
    /// Errors: what is wrong with it, as a sentence.
    pub(super) fn row(self) -> Result<Row, String> {
        let revision = self.revision;
        let at = Timestamp::from_unix(self.at).ok_or_else(|| format!("row {revision} has no valid time"))?;
        let public = self.public.map(|json| PublicRow::new(revision, json));
        Ok(Row { revision, at, private: self.private, public })
    }
}

/// Rows that are in one object.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Segment {
    /// The number of its first row.
    pub(super) first: Revision,
    /// The number of its last row.
    pub(super) last: Revision,
}

impl Segment {
    pub(super) fn key(self, epoch: &str) -> String {
        format!("{}/{:020}-{:020}", segments(epoch), self.first, self.last)
    }

    /// The segment of a key, without its folder.
    pub(super) fn read(name: &str) -> Option<Self> {
        let (first, last) = name.split_once('-')?;
        Some(Self { first: number(first)?, last: number(last)? }).filter(|found| found.first <= found.last)
    }
}

/// The text of a segment: each row on a line.
pub(super) fn lines(rows: &[StoredRow]) -> serde_json::Result<Vec<u8>> {
    let mut text = Vec::new();
    for row in rows {
        serde_json::to_writer(&mut text, row)?;
        text.push(b'\n');
    }
    Ok(text)
}

/// The folder of the rows.
pub(super) fn rows(epoch: &str) -> String {
    format!("journal/{epoch}")
}

/// The folder of the segments.
pub(super) fn segments(epoch: &str) -> String {
    format!("segments/{epoch}")
}

/// The object that ends a copy.
pub(super) fn finished(epoch: &str) -> String {
    format!("finished/{epoch}")
}

/// The key of an entry under the number of a row. All but the first one have an index.
pub(super) fn entry_key(epoch: &str, revision: Revision, index: u32) -> String {
    match index {
        0 => format!("{}/{revision:020}", rows(epoch)),
        index => format!("{}/{revision:020}-{index:04}", rows(epoch)),
    }
}

/// The row that an entry belongs to, by its key without the folder.
pub(super) fn revision_of(name: &str) -> Option<Revision> {
    number(name.split_once('-').map_or(name, |(number, _)| number))
}

/// The index of an entry, by its key without the folder. 0 if it has none.
pub(super) fn index_of(name: &str) -> u32 {
    name.split_once('-').and_then(|(_, index)| index.parse().ok()).unwrap_or_default()
}

fn number(text: &str) -> Option<u64> {
    let is_number = text.len() == 20 && text.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| text.parse().ok()).flatten()
}
