//! Reads the transparency log of a tree, to sign it: all leaves, and nothing that is not in them.

use std::io::Read;
use std::ops::Deref;
use std::sync::Arc;

use parking_lot::RwLock;
use registry::names::Digest;
use registry::public::{DecodeError, DecodedRow, PublicChange};
use registry::transparency_log::{EpochStatement, Hash, Leaf, LogIndex, LogName, MAX_SIZE, TILE_WIDTH};
use registry::with_causes;

use crate::address::{Document, LogTile};
use crate::feed::page::{ExpectedPage, parse};
use crate::feed::{parse_head, parse_settings};
use crate::follower::{FeedSource, FollowError};
use crate::settings::TreeSettings;
use registry::api::public::Head;

/// Largest size of a document that is read: a page of the feed. A bundle of leaves has at most
/// 28 KiB.
const MAX_BYTES: u64 = 64 << 20;

/// A source, and the leaves of its log so far.
pub struct LogReader {
    source: Arc<dyn FeedSource>,
    epoch: String,
    log: Arc<RwLock<LogIndex>>,
}

/// Proves that a log only grows, while it is read.
#[derive(Clone)]
pub struct LogProver(Arc<RwLock<LogIndex>>);

impl LogProver {
    /// Proves that a log grows that does not change any more.
    pub fn of(log: LogIndex) -> Self {
        Self(Arc::new(RwLock::new(log)))
    }

    /// The proof that the tree of the first `new` leaves begins with that of the first `old`. None
    /// if the log has fewer leaves. Nothing needs to be proved of no leaves.
    pub fn prove_consistency(&self, old: u64, new: u64) -> Option<Vec<Hash>> {
        let log = self.0.read();
        match old {
            0 => (new <= log.size()).then(Vec::new),
            _ if old == new => (new <= log.size()).then(Vec::new),
            old => log.prove_consistency(old, new),
        }
    }
}

impl LogReader {
    /// The log of a source. Nothing is read yet.
    pub fn of(source: Arc<dyn FeedSource>) -> Self {
        Self { source, epoch: String::new(), log: Arc::default() }
    }

    /// The log up to the last head.
    pub fn log(&self) -> impl Deref<Target = LogIndex> + '_ {
        self.log.read()
    }

    /// Proves that the log grows. It follows what is read later.
    pub fn prover(&self) -> LogProver {
        LogProver(Arc::clone(&self.log))
    }

    /// Reads the head.
    pub fn head(&self) -> Result<Head, FollowError> {
        let text = self.text(&Document::Head)?;
        parse_head(&text).map_err(|why| self.refused(&Document::Head, why))
    }

    /// Reads the settings that a head names.
    pub fn settings(&self, head: &Head) -> Result<TreeSettings, FollowError> {
        let text = self.text(&Document::Settings)?;
        parse_settings(head, &text).map_err(|why| self.refused(&Document::Settings, why))
    }

    /// Reads a signed note. `None` if the source does not have it.
    pub fn note(&self, document: &Document) -> Result<Option<String>, FollowError> {
        self.bytes(document)?.map(|bytes| self.utf8(document, bytes)).transpose()
    }

    /// Reads the leaves up to a head, and checks that they give its root.
    pub fn catch_up(&mut self, head: &Head) -> Result<(), FollowError> {
        if head.epoch != self.epoch || head.log.size < self.log().size() {
            *self.log.write() = LogIndex::default();
            self.epoch.clone_from(&head.epoch);
        }
        let read = self.read_to(head);
        if read.is_err() {
            // Some of the leaves may be false.
            *self.log.write() = LogIndex::default();
        }
        read
    }

    fn read_to(&mut self, head: &Head) -> Result<(), FollowError> {
        let size = head.log.size;
        if size > MAX_SIZE {
            return Err(self.refused(&Document::Head, format!("names a log of {size} rows")));
        }
        loop {
            let known = self.log().size();
            if known >= size {
                break;
            }
            let number = known / TILE_WIDTH;
            let width = (size - number * TILE_WIDTH).min(TILE_WIDTH);
            let document = Document::LogTile(LogTile { level: None, number, width });
            let leaves = self.leaves(&document)?;
            if leaves.len() as u64 != width {
                return Err(self.refused(&document, format!("has {} leaves", leaves.len())));
            }
            let mut log = self.log.write();
            leaves.iter().skip((known % TILE_WIDTH) as usize).for_each(|leaf| log.push(leaf));
        }
        if data_encoding::BASE64.encode(&self.log().root().0) != head.log.root {
            return Err(self.refused(&Document::Head, "names another root of the log than its leaves have"));
        }
        Ok(())
    }

    /// The leaves of a bundle: each its length (2 bytes, big-endian) and its text.
    fn leaves(&self, document: &Document) -> Result<Vec<Leaf>, FollowError> {
        let bytes = self.bytes(document)?.ok_or_else(|| self.refused(document, "does not exist"))?;
        let (mut leaves, mut rest) = (Vec::new(), &bytes[..]);
        while let [high, low, text @ ..] = rest {
            let length = usize::from(u16::from_be_bytes([*high, *low]));
            let leaf = text.get(..length).and_then(|text| std::str::from_utf8(text).ok()?.parse().ok());
            leaves.push(leaf.ok_or_else(|| self.refused(document, "has something that is not a leaf"))?);
            rest = &text[length..];
        }
        if rest.is_empty() { Ok(leaves) } else { Err(self.refused(document, "has half a leaf at its end")) }
    }

    /// What a registry of this name signs about its epoch: the rows say which backup was restored.
    /// None if none was. Call it after [`Self::catch_up`] to the same head.
    pub fn epoch_statement(
        &self,
        head: &Head,
        name: &LogName,
    ) -> Result<Option<EpochStatement>, FollowError> {
        let (mut statement, mut previous) = (None::<EpochStatement>, None);
        for number in 1..=head.pages {
            let document = Document::Feed(number);
            let text = self.text(&document)?;
            // Other pages need not be parsed.
            if text.contains("history_restored") {
                let expected = ExpectedPage { number, epoch: &head.epoch, previous };
                let rows = parse(&text, &expected).map_err(|why| self.refused(&document, why))?;
                for row in rows.into_iter().map(|it| it.row).filter(|row| row.revision <= head.revision) {
                    let unread = |why: DecodeError| self.refused(&document, with_causes(&why));
                    let decoded = DecodedRow::decode(&row).map_err(unread)?;
                    let PublicChange::HistoryRestored(restored) = decoded.change else { continue };
                    let log = self.log();
                    let size = log.position_of(&Leaf::from(&row));
                    let root = size.and_then(|size| log.root_at(size));
                    let (Some(size), Some(root)) = (size, root) else {
                        return Err(self.refused(&document, "has a row that is not in the log"));
                    };
                    let mut earlier = statement.map(|earlier| earlier.earlier).unwrap_or_default();
                    earlier.extend(restored.earlier_epochs);
                    let (name, epoch) = (name.clone(), head.epoch.clone());
                    let backup_revision = restored.backup_revision;
                    statement = Some(EpochStatement { name, epoch, backup_revision, size, root, earlier });
                }
            }
            previous = Some(Digest::of(text.as_bytes()));
        }
        Ok(statement)
    }

    fn text(&self, document: &Document) -> Result<String, FollowError> {
        let bytes = self.bytes(document)?.ok_or_else(|| self.refused(document, "does not exist"))?;
        self.utf8(document, bytes)
    }

    fn utf8(&self, document: &Document, bytes: Vec<u8>) -> Result<String, FollowError> {
        String::from_utf8(bytes).map_err(|_| self.refused(document, "is not UTF-8"))
    }

    fn bytes(&self, document: &Document) -> Result<Option<Vec<u8>>, FollowError> {
        let unread = |why: std::io::Error| self.refused(document, format!("cannot be read: {why}"));
        let Some(reader) = self.source.open(document).map_err(unread)? else { return Ok(None) };
        let mut bytes = Vec::new();
        reader.take(MAX_BYTES + 1).read_to_end(&mut bytes).map_err(unread)?;
        if bytes.len() as u64 > MAX_BYTES {
            return Err(self.refused(document, format!("is larger than {MAX_BYTES} bytes")));
        }
        Ok(Some(bytes))
    }

    /// An error about a document of the source.
    pub fn refused(&self, document: &Document, why: impl Into<String>) -> FollowError {
        FollowError::Refused { name: self.source.name(), file: document.name(), why: why.into() }
    }
}
