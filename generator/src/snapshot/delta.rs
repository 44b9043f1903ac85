//! Makes a delta: what one snapshot has and an older one lacks.

use std::fs::File;
use std::io::{self, BufWriter, Read, Seek, Write};

use registry::names::Digest;

use super::entry::{Body, Entry};
use super::manifest::{Base, MANIFEST, Manifest, REMOVED};
use super::read::{Part, SnapshotReader};
use super::write::ArchiveWriter;
use super::{SnapshotError, SnapshotLimits};
use crate::address::Document;
use crate::feed::parse_head;

/// The largest head.
const MAX_HEAD: u64 = 64 << 10;

/// What changed between two snapshots.
struct Changes {
    /// For each file of the new snapshot, whether the delta has it.
    is_new: Vec<bool>,
    files: u64,
    /// The bytes of these files, and of the list of removed ones.
    bytes: u64,
    removed: BufWriter<File>,
    removed_bytes: u64,
    base: Base,
}

/// Writes the delta from `old` to `new` to `out`. The new snapshot is read twice.
pub fn write_delta<R: Read, W: Write>(
    old: R,
    new: [R; 2],
    limits: &SnapshotLimits,
    out: W,
) -> Result<(Manifest, W), SnapshotError> {
    let [first, second] = new;
    let changes = Changes::between(SnapshotReader::open(old, limits)?, SnapshotReader::open(first, limits)?)?;
    let mut new = SnapshotReader::open(second, limits)?;
    let Changes { is_new, files, bytes, removed, removed_bytes, base } = changes;
    let manifest = Manifest { base: Some(base), files, bytes, ..new.manifest().clone() };
    let mut removed = removed.into_inner().map_err(|why| SnapshotError::Write(why.into_error()))?;
    removed.rewind().map_err(SnapshotError::Write)?;
    let mut removed = Some(removed);
    let mut archive = ArchiveWriter::new(out, &manifest).map_err(SnapshotError::Write)?;
    let mut is_new = is_new.into_iter();
    while let Some(Part::File(entry)) = new.next_part()? {
        // Another process may have replaced the file.
        if !is_new.next().unwrap_or(true) {
            continue;
        }
        if entry.document == Document::Head
            && let Some(removed) = removed.take()
        {
            archive.file(REMOVED, removed_bytes, removed).map_err(SnapshotError::Write)?;
        }
        match &entry.body {
            Body::Link { target } => archive.link(&entry.path, target),
            Body::Bytes { size } => archive.file(&entry.path, *size, &mut new),
        }
        .map_err(SnapshotError::of_read)?;
    }
    let out = archive.finish().map_err(SnapshotError::Write)?;
    Ok((manifest, out))
}

impl Changes {
    /// Compares two snapshots. Both are in the same order.
    fn between<R: Read>(
        mut old: SnapshotReader<R>,
        mut new: SnapshotReader<R>,
    ) -> Result<Self, SnapshotError> {
        check(old.manifest(), new.manifest())?;
        let removed = BufWriter::new(tempfile::tempfile().map_err(SnapshotError::Write)?);
        let base =
            Base { revision: old.manifest().revision, counters: old.manifest().counters, sha256: None };
        let mut changes = Self { is_new: Vec::new(), files: 0, bytes: 0, removed, removed_bytes: 0, base };
        let (mut left, mut right) = (next_file(&mut old)?, next_file(&mut new)?);
        while left.is_some() || right.is_some() {
            let order = match (&left, &right) {
                (Some(left), Some(right)) => left.order(right),
                (Some(_), None) => std::cmp::Ordering::Less,
                _ => std::cmp::Ordering::Greater,
            };
            if order.is_eq()
                && let (Some(before), Some(after)) = (&left, &right)
            {
                let is_same = changes.is_same(&mut old, before, &mut new, after)?;
                changes.add(after, !is_same || is_always_new(&after.document));
            } else if order.is_lt()
                && let Some(before) = &left
            {
                changes.remove(before).map_err(SnapshotError::Write)?;
            } else if let Some(after) = &right {
                changes.add(after, true);
            }
            if order.is_le() {
                left = next_file(&mut old)?;
            }
            if order.is_ge() {
                right = next_file(&mut new)?;
            }
        }
        changes.bytes += changes.removed_bytes;
        Ok(changes)
    }

    fn add(&mut self, entry: &Entry, is_new: bool) {
        self.is_new.push(is_new);
        if is_new {
            self.files += 1;
            self.bytes += entry.size();
        }
    }

    fn remove(&mut self, entry: &Entry) -> io::Result<()> {
        self.removed_bytes += entry.path.len() as u64 + 1;
        writeln!(self.removed, "{}", entry.path)
    }

    /// Whether a file has the same content in both snapshots. Packages at a version's address never change,
    /// so the same link means the same package.
    fn is_same<R: Read>(
        &mut self,
        old: &mut SnapshotReader<R>,
        before: &Entry,
        new: &mut SnapshotReader<R>,
        after: &Entry,
    ) -> Result<bool, SnapshotError> {
        if before.document == Document::Head {
            let mut text = String::new();
            old.take(MAX_HEAD).read_to_string(&mut text).map_err(SnapshotError::of_read)?;
            let head = parse_head(&text).map_err(|why| SnapshotError::refused(&before.path, why))?;
            self.base = Base::of(&head);
            return Ok(false);
        }
        match (&before.body, &after.body) {
            (Body::Bytes { size }, Body::Bytes { size: other }) if size == other => {
                let digest = |reader: &mut SnapshotReader<R>| {
                    Digest::of_reader(reader).map_err(SnapshotError::of_read)
                };
                Ok(digest(old)? == digest(new)?)
            }
            (before, after) => Ok(before == after),
        }
    }
}

/// Whether every delta has this document. A mirror may have other bytes of it than the older snapshot:
/// with another public URL, or signed by more witnesses.
pub(super) fn is_always_new(document: &Document) -> bool {
    matches!(document, Document::Head | Document::Settings | Document::Checkpoint | Document::EpochStatement)
}

fn check(old: &Manifest, new: &Manifest) -> Result<(), SnapshotError> {
    let refused = |why: String| Err(SnapshotError::refused(MANIFEST, why));
    if old.base.is_some() || new.base.is_some() {
        return refused("is that of a delta: compare two full snapshots".into());
    }
    if old.epoch != new.epoch {
        let (old, new) = (&old.epoch, &new.epoch);
        return refused(format!("is of the history {new}, but the older snapshot is of the history {old}"));
    }
    if !new.state().covers(old.state()) {
        let (old, new) = (old.revision, new.revision);
        return refused(format!("is of revision {new}, but the older snapshot is of revision {old}"));
    }
    Ok(())
}

fn next_file<R: Read>(snapshot: &mut SnapshotReader<R>) -> Result<Option<Entry>, SnapshotError> {
    Ok(match snapshot.next_part()? {
        Some(Part::File(entry)) => Some(entry),
        // Full snapshots have no others.
        Some(Part::Removed(_)) | None => None,
    })
}
