//! `skills/list`: the skills of the mirror feed, the latest publication first.
//!
//! Every host has the feed, and its rows have what an entry needs. A row counts if its version is the
//! latest one of the skill now, so that each skill has one row. The cursor is the number of a feed
//! page; full pages never change.

use std::collections::HashSet;

use generator::address::Document;
use registry::api::public::{Head, NamespaceRecord, Resolved};
use registry::data_fault::json_fault;
use registry::names::{Coordinate, Namespace};
use registry::public::{
    Contents, DecodedRow, NamespaceStatus, PublicChange, PublicRow, Published, ROWS_PER_PAGE, Revision,
};
use rmcp::model::Skill;
use serde::Deserialize;
use serde_json::value::RawValue;

use crate::entry::entry;
use crate::failure::Failure;
use crate::release::read;
use crate::source::SkillSource;

/// The most feed pages that one request reads: old ones have few rows that are still current.
const MAX_PAGES: u64 = 8;

/// A page of skills with this many skills is full. The last feed page that is read may exceed it.
const FULL: usize = 32;

/// A page of skills.
#[derive(Debug)]
pub(crate) struct Listing {
    pub skills: Vec<Skill>,
    /// How many other skills of the page break a rule of the extension, so that clients would refuse them.
    pub left_out: usize,
    /// The cursor of the next page. `None` after the last one.
    pub next: Option<String>,
}

/// A publication that the feed has, with the rest of its row.
struct Publication {
    published: Box<Published>,
    contents: Contents,
}

/// A page of the feed, whose rows stay as they are.
#[derive(Deserialize)]
struct FeedPage<'a> {
    #[serde(borrow)]
    changes: Vec<&'a RawValue>,
}

/// The number and kind of a row of the feed.
#[derive(Deserialize)]
struct FeedRow {
    revision: Revision,
    kind: String,
}

/// Reads the page of skills at `cursor`.
pub(crate) fn list(source: &dyn SkillSource, cursor: Option<&str>) -> Result<Listing, Failure> {
    let [head] = read(source, [Document::Head])?;
    let damaged =
        |why: &str| Failure::Unavailable(format!("{} has no valid mirror feed: {why}", source.name()));
    let head = head.ok_or_else(|| damaged("it has no head"))?;
    let head: Head = serde_json::from_slice(&head).map_err(|why| damaged(&json_fault(&why)))?;
    let mut page = match cursor {
        None => head.pages,
        Some(cursor) => number(cursor).filter(|page| *page <= head.pages).ok_or_else(|| {
            Failure::Invalid("the cursor is not one of this list: begin again without a cursor".into())
        })?,
    };
    let mut listing = Listing { skills: Vec::new(), left_out: 0, next: None };
    for _ in 0..MAX_PAGES {
        if page == 0 {
            break;
        }
        let [text] = read(source, [Document::Feed(page)])?;
        let text = text.ok_or_else(|| damaged(&format!("it has no page {page}")))?;
        let found = publications(&text).map_err(|why| damaged(&format!("page {page} {why}")))?;
        for entry in current(source, found)? {
            match entry {
                Ok(skill) => listing.skills.push(skill),
                Err(_) => listing.left_out += 1,
            }
        }
        page -= 1;
        listing.next = (page > 0).then(|| page.to_string());
        if listing.skills.len() >= FULL {
            break;
        }
    }
    Ok(listing)
}

/// A page number, as this list writes it.
fn number(cursor: &str) -> Option<u64> {
    let number: u64 = cursor.parse().ok()?;
    (number > 0 && number.to_string() == cursor).then_some(number)
}

/// The publications of a feed page, the last one first. Rows that this release cannot read are left
/// out.
fn publications(text: &[u8]) -> Result<Vec<Publication>, String> {
    let unreadable = |why: serde_json::Error| format!("cannot be read: {}", json_fault(&why));
    let page: FeedPage<'_> = serde_json::from_slice(text).map_err(unreadable)?;
    if page.changes.len() as u64 > ROWS_PER_PAGE {
        return Err(format!("has more than {ROWS_PER_PAGE} rows"));
    }
    let mut found = Vec::new();
    for raw in page.changes.into_iter().rev() {
        let FeedRow { revision, kind } = serde_json::from_str(raw.get()).map_err(unreadable)?;
        if kind != "published" {
            continue;
        }
        let row = PublicRow::new(revision, raw.get().to_owned());
        match (DecodedRow::decode(&row).map(|row| row.change), Contents::decode(&row)) {
            (Ok(PublicChange::Published(published)), Ok(contents)) => {
                found.push(Publication { published, contents });
            }
            _ => tracing::warn!(revision, "a row of the feed cannot be read: its skill is not listed"),
        }
    }
    Ok(found)
}

/// The entries of those publications that are the latest version of a listed skill, or why the extension
/// does not allow them.
fn current(source: &dyn SkillSource, found: Vec<Publication>) -> Result<Vec<Result<Skill, String>>, Failure> {
    let mut documents = Vec::new();
    for Publication { published, .. } in &found {
        documents.push(Document::Resolve(published.coordinate(), None));
        documents.push(Document::Namespace(published.namespace.clone()));
    }
    documents.sort_unstable();
    documents.dedup();
    let texts = source.documents(&documents)?;
    let mut archived = HashSet::<&Namespace>::new();
    let mut latest = HashSet::new();
    for (document, text) in documents.iter().zip(&texts) {
        let Some(text) = text else { continue };
        match document {
            Document::Namespace(namespace) => {
                let record = serde_json::from_slice::<NamespaceRecord<'_>>(text);
                if record.is_ok_and(|record| record.state.status == NamespaceStatus::Archived) {
                    archived.insert(namespace);
                }
            }
            Document::Resolve(coordinate, _) => {
                if let Ok(Resolved { version, sha256, .. }) = serde_json::from_slice(text) {
                    latest.insert((coordinate, version.into_owned(), sha256));
                }
            }
            _ => {}
        }
    }
    let is_listed = |published: &Published, coordinate: &Coordinate| {
        latest.contains(&(coordinate, published.version.clone(), published.sha256))
            && !archived.contains(&published.namespace)
    };
    let mut entries = Vec::new();
    for Publication { published, contents } in &found {
        let coordinate = published.coordinate();
        if is_listed(published, &coordinate) && source.refusal(&coordinate)?.is_none() {
            entries.push(entry(&coordinate, &contents.metadata, &contents.files));
        }
    }
    Ok(entries)
}
