//! Unpacks what a mirror is made from, into a folder that only the follower reads.
//!
//! The follower believes none of it. All other files of a snapshot are rendered again, so they are
//! read but not stored.

use std::io::{self, Read};

use super::entry::{Body, Entry};
use super::manifest::{Base, MANIFEST, Manifest};
use super::read::{Part, SnapshotReader};
use super::{SnapshotError, SnapshotLimits};
use crate::address::{Document, of_file};
use crate::feed::{parse_head, parse_settings};
use crate::follower::FeedSource;
use crate::tree::{IncomingTree, State, Tree};
use registry::api::public::Head;

/// The largest document that is not a package.
const MAX_DOCUMENT: u64 = 64 << 20;

/// A snapshot that is unpacked to be followed.
pub struct Unpack<'a> {
    /// Where the files go.
    pub incoming: &'a IncomingTree,
    /// The tree that the snapshot is applied to.
    pub tree: &'a Tree,
}

/// An unpacked snapshot as the source of a mirror.
pub struct Unpacked {
    /// The name of the snapshot in messages.
    pub name: String,
    /// Its files.
    pub incoming: IncomingTree,
    /// The tree with the files that a delta leaves out. `None` for a full snapshot.
    pub base: Option<Tree>,
}

impl FeedSource for Unpacked {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn open(&self, document: &Document) -> io::Result<Option<Box<dyn Read + Send>>> {
        let found = FeedSource::open(self.incoming.tree(), document)?;
        match (&self.base, document) {
            (Some(base), Document::Feed(_) | Document::Package(..) | Document::Counters(_))
                if found.is_none() =>
            {
                FeedSource::open(base, document)
            }
            _ => Ok(found),
        }
    }

    fn can_deny(&self) -> bool {
        false
    }
}

/// Whether a mirror is made from a file. It renders all others.
fn is_input(entry: &Entry) -> bool {
    let is_needed = matches!(
        entry.document,
        Document::Head
            | Document::Settings
            | Document::Counters(_)
            | Document::Checkpoint
            | Document::EpochStatement
            | Document::Feed(_)
            | Document::Package(..)
    );
    is_needed && entry.document.file().as_deref() == Some(&entry.path)
}

impl Unpack<'_> {
    /// Unpacks a snapshot, and checks that its head is what the first file says.
    pub fn run(&self, input: impl Read, limits: &SnapshotLimits) -> Result<Manifest, SnapshotError> {
        let mut snapshot = SnapshotReader::open(input, limits)?;
        let manifest = snapshot.manifest().clone();
        if let Some(base) = &manifest.base {
            self.check_base(&manifest, base)?;
        }
        while let Some(part) = snapshot.next_part()? {
            if let Part::File(entry) = part {
                self.unpack(&entry, &mut snapshot)?;
            }
        }
        let text = self.text(&Document::Head)?;
        let head = parse_head(&text).map_err(|why| SnapshotError::refused(Document::Head.name(), why))?;
        if head.format != manifest.tree_format {
            return Err(SnapshotError::refused(MANIFEST, "names another treeFormat than the head"));
        }
        if head.epoch != manifest.epoch || State::from(&head) != manifest.state() {
            return Err(SnapshotError::refused(MANIFEST, "names another state than the head"));
        }
        self.check_selection(&manifest, &head)?;
        Ok(manifest)
    }

    /// Refuses a delta that continues another state than that of the tree.
    fn check_base(&self, manifest: &Manifest, base: &Base) -> Result<(), SnapshotError> {
        let other = |tree: String| SnapshotError::OtherBase {
            base: base.revision,
            epoch: manifest.epoch.clone(),
            tree,
            needed: format!("the snapshot of revision {}", base.revision),
        };
        let shown = self.tree.root().display();
        let head = self.tree.head().ok_or_else(|| other(format!("{shown} is empty")))?;
        let is_same = head.epoch == manifest.epoch;
        // A snapshot that was applied before is applied again without an effect.
        let is_done = State::from(&head) == manifest.state();
        if is_same && (Base::of(&head) == *base || is_done) {
            return Ok(());
        }
        Err(other(match is_same {
            true if head.revision != base.revision => format!("{shown} is at revision {}", head.revision),
            true if head.counters.generation != base.counters => format!("{shown} has other counters"),
            true => format!("{shown} has other rows up to there"),
            false => format!("{shown} is at revision {} of the history {}", head.revision, head.epoch),
        }))
    }

    /// Stores a file that the mirror is made from. Packages come before their other names.
    fn unpack(&self, entry: &Entry, content: &mut dyn Read) -> Result<(), SnapshotError> {
        match &entry.body {
            Body::Link { target } => {
                let package = of_file(target).map(|(document, _)| document);
                let has = |document: &Document| {
                    self.incoming.has(document) || self.tree.open(document).is_ok_and(|file| file.is_some())
                };
                if !package.is_some_and(|package| has(&package)) {
                    let why = format!("is a link to {target}, which is not before it");
                    return Err(SnapshotError::refused(&entry.path, why));
                }
            }
            Body::Bytes { size } if is_input(entry) => {
                if !matches!(entry.document, Document::Package(..)) && *size > MAX_DOCUMENT {
                    let why = format!("is larger than {MAX_DOCUMENT} bytes");
                    return Err(SnapshotError::refused(&entry.path, why));
                }
                let mut file = self.incoming.create(&entry.document).map_err(SnapshotError::Read)?;
                io::copy(content, &mut file).map_err(SnapshotError::of_read)?;
            }
            Body::Bytes { .. } => {}
        }
        Ok(())
    }

    /// Refuses a delta of other namespaces or versions than the tree has: it lacks their packages, or
    /// would remove those that the tree has.
    fn check_selection(&self, manifest: &Manifest, head: &Head) -> Result<(), SnapshotError> {
        let Some(base) = &manifest.base else { return Ok(()) };
        let text = self.text(&Document::Settings)?;
        let settings = parse_settings(head, &text)
            .map_err(|why| SnapshotError::refused(Document::Settings.name(), why))?;
        if self.tree.settings().is_none_or(|own| own.partial == settings.partial) {
            return Ok(());
        }
        Err(SnapshotError::OtherBase {
            base: base.revision,
            epoch: manifest.epoch.clone(),
            tree: format!("{} has other namespaces or versions of it", self.tree.root().display()),
            needed: "a full snapshot with the same selection".into(),
        })
    }

    fn text(&self, document: &Document) -> Result<String, SnapshotError> {
        let file = self.incoming.tree().open(document).map_err(SnapshotError::Read)?;
        let file = file.ok_or_else(|| SnapshotError::refused(document.name(), "is missing"))?;
        let mut text = String::new();
        let invalid = |why| SnapshotError::refused(document.name(), format!("cannot be read: {why}"));
        file.take(MAX_DOCUMENT).read_to_string(&mut text).map_err(invalid)?;
        Ok(text)
    }
}
