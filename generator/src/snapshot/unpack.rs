//! Unpacks what a mirror is made from, into a folder that only the follower reads.
//!
//! The follower believes none of it. All other files of a snapshot are rendered again, so they are
//! read but not stored.

use std::io::{self, Read};

use registry::names::Digest;
use registry::transparency_log::{Checkpoint, Leaf, LogIndex, MAX_SIGNED_NOTE, VerifierKey};

use super::contents::is_input;
use super::entry::{Body, Entry};
use super::manifest::{MANIFEST, Manifest};
use super::read::Visitor;
use super::{SnapshotError, SnapshotLimits, read};
use crate::address::{Document, Pointer, of_file};
use crate::feed::page::{ExpectedPage, parse};
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
    /// The tree with the rows and packages that a delta leaves out, if the follower does not have them.
    pub base: Option<Tree>,
}

impl FeedSource for Unpacked {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn open(&self, document: &Document) -> io::Result<Option<Box<dyn Read + Send>>> {
        let found = FeedSource::open(self.incoming.tree(), document)?;
        match (&self.base, document) {
            (Some(base), Document::Feed(_) | Document::Package(..)) if found.is_none() => {
                FeedSource::open(base, document)
            }
            _ => Ok(found),
        }
    }

    fn can_deny(&self) -> bool {
        false
    }
}

impl Visitor for Unpack<'_> {
    fn begin(&mut self, manifest: &Manifest) -> Result<(), SnapshotError> {
        let Some(base) = &manifest.base else { return Ok(()) };
        let other = |tree: String| SnapshotError::OtherBase {
            base: base.revision,
            epoch: manifest.epoch.clone(),
            tree,
            needed: format!("the snapshot of revision {}", base.revision),
        };
        let shown = self.tree.root().display();
        let head = self.tree.head().ok_or_else(|| other(format!("{shown} is empty")))?;
        let is_same = head.epoch == manifest.epoch;
        let is_base = head.revision == base.revision && head.sha256 == Some(base.sha256);
        // A snapshot that was applied before is applied again without an effect.
        let is_done = State::from(&head) == manifest.state();
        if is_same && (is_base || is_done) {
            return Ok(());
        }
        Err(other(match is_same {
            true if head.revision == base.revision => format!("{shown} has other rows up to there"),
            true => format!("{shown} is at revision {}", head.revision),
            false => format!("{shown} is at revision {} of the history {}", head.revision, head.epoch),
        }))
    }

    fn file(&mut self, entry: &Entry, content: &mut dyn Read) -> Result<(), SnapshotError> {
        let document = match &entry.document {
            // One file for each package, whatever addresses it has in the snapshot.
            Document::CompatPackage(coordinate, Pointer::Version(version)) => {
                Document::Package(coordinate.clone(), version.clone())
            }
            document if is_input(&entry.path, document) => document.clone(),
            _ => return Ok(()),
        };
        match &entry.body {
            Body::Bytes { size } => {
                if !matches!(document, Document::Package(..)) && *size > MAX_DOCUMENT {
                    return Err(SnapshotError::refused(
                        &entry.path,
                        format!("is larger than {MAX_DOCUMENT} bytes"),
                    ));
                }
                if self.incoming.has(&document) {
                    return Ok(());
                }
                let mut file = self.incoming.create(&document).map_err(SnapshotError::Read)?;
                io::copy(content, &mut file).map_err(SnapshotError::of_read)?;
            }
            Body::Link { target } => {
                let missing = || {
                    SnapshotError::refused(
                        &entry.path,
                        format!("is a link to {target}, which is not before it"),
                    )
                };
                let Some((Document::CompatPackage(coordinate, Pointer::Version(version)), _)) =
                    of_file(target)
                else {
                    return Err(missing());
                };
                let other = Document::Package(coordinate, version);
                if !self.incoming.has(&other) {
                    return Err(missing());
                }
                if other != document {
                    self.incoming.link(&other, &document).map_err(SnapshotError::Read)?;
                }
            }
        }
        Ok(())
    }
}

impl Unpack<'_> {
    /// Unpacks a snapshot, and checks that its head is what the first file says. With keys, one of
    /// them must have signed its log.
    pub fn run(
        &mut self,
        input: impl Read,
        limits: &SnapshotLimits,
        keys: &[VerifierKey],
    ) -> Result<Manifest, SnapshotError> {
        let manifest = read(input, limits, self)?;
        let text = self.text(&Document::Head)?;
        let refused = |file: &Document, why: &str| SnapshotError::refused(file.name(), why);
        if Digest::of(text.as_bytes()) != manifest.head {
            return Err(refused(&Document::Head, "does not have the sha256 in the first file"));
        }
        let head = parse_head(&text).map_err(|why| refused(&Document::Head, &why))?;
        if head.format != manifest.tree_format {
            return Err(SnapshotError::refused(MANIFEST, "names another treeFormat than the head"));
        }
        if head.epoch != manifest.epoch || State::from(&head) != manifest.state() {
            return Err(SnapshotError::refused(MANIFEST, "names another state than the head"));
        }
        self.check_selection(&manifest, &head)?;
        let log = self.log(&head)?;
        if log.size() != head.log.size || data_encoding::BASE64.encode(&log.root().0) != head.log.root {
            return Err(refused(&Document::Head, "names another log than that of the rows"));
        }
        if !keys.is_empty() {
            self.check_signature(&log, keys)?;
        }
        Ok(manifest)
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

    /// The log of the rows up to the head.
    fn log(&self, head: &Head) -> Result<LogIndex, SnapshotError> {
        let (mut log, mut previous) = (LogIndex::default(), None);
        for number in 1..=head.pages {
            let document = Document::Feed(number);
            let text = self.text(&document)?;
            let expected = ExpectedPage { number, epoch: &head.epoch, previous };
            let rows = parse(&text, &expected).map_err(|why| SnapshotError::refused(document.name(), why))?;
            rows.iter().for_each(|row| log.push(&Leaf::from(&row.row)));
            previous = Some(Digest::of(text.as_bytes()));
        }
        Ok(log)
    }

    fn check_signature(&self, log: &LogIndex, keys: &[VerifierKey]) -> Result<(), SnapshotError> {
        let document = Document::Checkpoint;
        let refused = |why: String| SnapshotError::refused(document.name(), why);
        let missing = || refused("is missing: nobody has signed this snapshot's history".into());
        let file = self.incoming.tree().open(&document).map_err(SnapshotError::Read)?.ok_or_else(missing)?;
        let mut signed = Vec::new();
        file.take(MAX_SIGNED_NOTE as u64 + 1).read_to_end(&mut signed).map_err(SnapshotError::Read)?;
        let checkpoint =
            Checkpoint::verify(&signed, keys).map_err(|why| refused(format!("is refused: {why}")))?;
        if (checkpoint.size, checkpoint.root) != (log.size(), log.root()) {
            return Err(refused("is of another log than that of the rows".into()));
        }
        Ok(())
    }

    /// The text of a document of the feed. A delta leaves out pages that the tree has.
    fn text(&self, document: &Document) -> Result<String, SnapshotError> {
        let from_tree = matches!(document, Document::Feed(_)).then_some(self.tree);
        let trees = [Some(self.incoming.tree()), from_tree];
        for tree in trees.into_iter().flatten() {
            if let Some(file) = tree.open(document).map_err(SnapshotError::Read)? {
                let mut text = String::new();
                let invalid = |why| SnapshotError::refused(document.name(), format!("cannot be read: {why}"));
                file.take(MAX_DOCUMENT).read_to_string(&mut text).map_err(invalid)?;
                return Ok(text);
            }
        }
        Err(SnapshotError::refused(document.name(), "is missing"))
    }
}
