//! Which files of a tree a snapshot has.

use std::collections::BTreeSet;
use std::io::{self, Read};

use registry::journal::Revision;
use registry::names::{Coordinate, Version};
use registry::public::{DecodedRow, PublicCatalog, PublicChange};

use super::manifest::Base;
use crate::address::Document;
use crate::feed::page::{ExpectedPage, parse};
use crate::tree::Tree;
use registry::api::public::Head;

/// The part of a tree that a snapshot has.
#[derive(Debug)]
pub struct Contents(Part);

#[derive(Debug)]
enum Part {
    All,
    Since(Box<Delta>),
}

/// What a tree of the base needs to become this one. All documents are rendered from it.
#[derive(Debug)]
struct Delta {
    base: Base,
    /// The first page with a later row.
    first_page: u64,
    versions: BTreeSet<(Coordinate, Version)>,
    /// Restored skills: trees of the base may lack their packages.
    restored: BTreeSet<Coordinate>,
}

/// The contents of a delta cannot be found.
#[derive(Debug, thiserror::Error)]
pub enum ContentsError {
    /// No tree has ended at the revision.
    #[error("no tree ends at revision {asked}{near}: a delta continues the tree of an earlier snapshot")]
    NoBase {
        /// The revision.
        asked: Revision,
        /// The revision before it that a tree ends at, in words.
        near: String,
    },
    /// The feed of the tree is damaged.
    #[error("the feed of the tree is damaged: {file} {why}")]
    Damaged {
        /// The file.
        file: String,
        /// The reason, as the rest of a sentence about the file.
        why: String,
    },
    /// The tree cannot be read.
    #[error("the tree cannot be read")]
    Io(#[from] io::Error),
}

impl Contents {
    /// Everything.
    pub fn all() -> Self {
        Self(Part::All)
    }

    /// What changed after the revision `since`.
    pub fn since(tree: &Tree, head: &Head, since: Revision) -> Result<Self, ContentsError> {
        let damaged = |page, why: String| {
            let file = Document::Feed(page).name();
            ContentsError::Damaged { file, why }
        };
        let mut index = PublicCatalog::new(head.epoch.clone()).feed().clone();
        let (mut base, mut last) = (None, None);
        let mut delta = Delta {
            base: Base { revision: since, sha256: registry::names::Digest::of(b"") },
            first_page: 1,
            versions: BTreeSet::new(),
            restored: BTreeSet::new(),
        };
        for page in 1..=head.pages {
            let mut text = String::new();
            let file = tree.open(&Document::Feed(page))?;
            file.ok_or_else(|| damaged(page, "does not exist".into()))?.read_to_string(&mut text)?;
            let previous = page.checked_sub(1).and_then(|before| index.page(before)).map(|page| page.digest);
            let expected = ExpectedPage { number: page, epoch: &head.epoch, previous };
            for row in parse(&text, &expected).map_err(|why| damaged(page, why))? {
                let row = row.row;
                if row.revision <= since {
                    index.push(&row);
                    last = Some(row.revision);
                    if row.revision == since {
                        base = index.last().map(|page| (page.number, page.digest));
                    }
                    continue;
                }
                let decoded = DecodedRow::decode(&row).map_err(|why| damaged(page, why.cause.to_string()))?;
                match decoded.change {
                    PublicChange::Published(published) => {
                        delta.versions.insert((published.coordinate(), published.version.clone()));
                    }
                    PublicChange::SkillRestored(name) => {
                        delta.restored.insert(name.coordinate());
                    }
                    _ => {}
                }
                index.push(&row);
            }
        }
        let near = last.map(|last| format!(", but one ends at {last}")).unwrap_or_default();
        let (page, digest) = base.ok_or(ContentsError::NoBase { asked: since, near })?;
        delta.first_page = page;
        delta.base.sha256 = digest;
        Ok(Self(Part::Since(Box::new(delta))))
    }

    /// The state that the snapshot continues.
    pub fn base(&self) -> Option<&Base> {
        match &self.0 {
            Part::All => None,
            Part::Since(delta) => Some(&delta.base),
        }
    }

    /// Whether the snapshot has a file, which belongs to `document`.
    pub(super) fn has(&self, path: &str, document: &Document) -> bool {
        let Part::Since(delta) = &self.0 else { return true };
        match document {
            _ if !is_input(path, document) => false,
            Document::Package(coordinate, version) => {
                delta.restored.contains(coordinate)
                    || delta.versions.contains(&(coordinate.clone(), version.clone()))
            }
            Document::Feed(page) => *page >= delta.first_page,
            _ => true,
        }
    }
}

/// Whether a mirror is made from this file, which belongs to `document`. It renders all others.
pub fn is_input(path: &str, document: &Document) -> bool {
    let is_needed = matches!(
        document,
        Document::Head
            | Document::Settings
            | Document::Counters(_)
            | Document::Checkpoint
            | Document::EpochStatement
            | Document::Feed(_)
            | Document::Package(..)
    );
    is_needed && document.file().as_deref() == Some(path)
}
