//! Reads a snapshot that nobody vouches for.
//!
//! Nothing of it is believed: the file may be cut, may hold anything, and may unpack to more than
//! any disk has. Memory stays bounded. Each header must have exactly the bytes that [`write`] makes
//! for its path and size. That leaves no room for other kinds of files, owners, modes or times.
//!
//! [`write`]: super::write()

use std::io::{BufRead, BufReader, Read};

use zstd::stream::read::Decoder;

use super::archive::{Archive, CheckedHeader};
use super::entry::{Body, Entry};
use super::header::BLOCK;
use super::links::may_link;
use super::manifest::{FORMAT, MANIFEST, Manifest, REMOVED};
use super::{SnapshotError, SnapshotLimits};
use crate::address::{Document, of_file};

/// The binary logarithm of the largest window. Snapshots have one of 2 MiB.
const MAX_WINDOW_LOG: u32 = 23;

/// The longest path in an archive, with the slash between its two fields.
const MAX_PATH: u64 = 256;

/// A part of a snapshot.
#[derive(Debug)]
pub enum Part {
    /// A file of the tree. [`SnapshotReader::read`] reads its content.
    File(Entry),
    /// The path of a file that the tree does not have any more. Only a delta has these.
    Removed(Entry),
}

/// Reads the parts of a snapshot, in their order. They are not complete before
/// [`SnapshotReader::next_part`] has returned `None`.
pub struct SnapshotReader<R: Read> {
    archive: Archive<Decoder<'static, BufReader<R>>>,
    manifest: Manifest,
    limits: SnapshotLimits,
    files: u64,
    bytes: u64,
    last: Option<Entry>,
    /// The bytes of the list of removed files that are not read yet. `None` before it has come.
    removals: Option<u64>,
    last_removed: Option<Entry>,
}

impl<R: Read> SnapshotReader<R> {
    /// Reads the first file of a snapshot.
    pub fn open(input: R, limits: &SnapshotLimits) -> Result<Self, SnapshotError> {
        let mut decoder = Decoder::new(input).map_err(SnapshotError::of_read)?.single_frame();
        decoder.window_log_max(MAX_WINDOW_LOG).map_err(SnapshotError::Read)?;
        let mut archive = Archive::new(decoder);
        let manifest = manifest(&mut archive, limits)?;
        let (last, last_removed) = (None, None);
        Ok(Self {
            archive,
            manifest,
            limits: *limits,
            files: 0,
            bytes: 0,
            last,
            removals: None,
            last_removed,
        })
    }

    /// The first file.
    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// The next part. `None` at the end, if everything is right that can be checked without its meaning.
    pub fn next_part(&mut self) -> Result<Option<Part>, SnapshotError> {
        if let Some(left) = self.removals.filter(|left| *left > 0) {
            return self.removed(left).map(|removed| Some(Part::Removed(removed)));
        }
        let Some(header) = self.archive.header()? else { return self.end().map(|()| None) };
        if header.path == REMOVED && header.target.is_none() {
            let is_first = self.removals.replace(header.size).is_none();
            if !is_first || self.manifest.base.is_none() {
                return Err(SnapshotError::refused(REMOVED, "is in a delta only, once"));
            }
            self.count(REMOVED, header.size)?;
            return self.next_part();
        }
        let entry = entry(&header)?;
        let refused = |why: String| Err(SnapshotError::refused(&entry.path, why));
        if let Some(last) = self.last.as_ref().filter(|last| last.order(&entry).is_ge()) {
            return refused(format!("is after {}: files are sorted, and each is there once", last.path));
        }
        if self.manifest.base.is_some() && self.removals.is_some() != (entry.document == Document::Head) {
            return refused(format!("is on the wrong side of {REMOVED}, which only the head follows"));
        }
        let is_package = matches!(
            entry.document,
            Document::Package(..) | Document::CompatPackage(..) | Document::LatestPackage(_)
        );
        if is_package && entry.size() > self.limits.package {
            return refused(format!(
                "has {} bytes, but this machine takes packages of {} bytes: to take larger ones, raise \
                 `mirror.feed_max_package`",
                entry.size(),
                self.limits.package
            ));
        }
        self.files += 1;
        self.count(&entry.path, entry.size())?;
        self.last = Some(entry.clone());
        Ok(Some(Part::File(entry)))
    }

    /// Counts bytes before they are read.
    fn count(&mut self, path: &str, bytes: u64) -> Result<(), SnapshotError> {
        self.bytes = self.bytes.saturating_add(bytes);
        if self.files > self.manifest.files || self.bytes > self.manifest.bytes {
            return Err(SnapshotError::refused(
                path,
                format!("is more than {MANIFEST} says that the snapshot has"),
            ));
        }
        Ok(())
    }

    /// The next line of the list of removed files.
    fn removed(&mut self, left: u64) -> Result<Entry, SnapshotError> {
        // One byte after another: what follows the line is read later.
        let (mut line, mut byte) = (Vec::new(), [0]);
        while (line.len() as u64) < left.min(MAX_PATH + 1) && !line.ends_with(b"\n") {
            if self.archive.read(&mut byte).map_err(SnapshotError::of_read)? == 0 {
                break;
            }
            line.extend(byte);
        }
        self.removals = Some(left - line.len() as u64);
        let refused = || SnapshotError::refused(REMOVED, "is no sorted list of files of a registry's tree");
        let path = std::str::from_utf8(&line).ok().and_then(|line| line.strip_suffix('\n'));
        let path = path.ok_or_else(refused)?.to_owned();
        let (document, _) = of_file(&path).ok_or_else(refused)?;
        let removed = Entry { path, document, body: Body::Bytes { size: 0 } };
        if self.last_removed.as_ref().is_some_and(|last| last.order(&removed).is_ge()) {
            return Err(refused());
        }
        self.last_removed = Some(removed.clone());
        Ok(removed)
    }

    fn end(&mut self) -> Result<(), SnapshotError> {
        let Manifest { files, bytes, .. } = self.manifest;
        if self.last.as_ref().is_none_or(|last| last.document != Document::Head) {
            return Err(SnapshotError::refused(Document::Head.name(), "is not the last file"));
        }
        if (self.files, self.bytes) != (files, bytes) {
            let why = format!(
                "says that the snapshot has {files} files with {bytes} bytes, but it has {} with {}",
                self.files, self.bytes
            );
            return Err(SnapshotError::refused(MANIFEST, why));
        }
        self.archive.end()?;
        // At the end of the frame, the decoder reads nothing more.
        if self.archive.input.read(&mut [0]).map_err(SnapshotError::of_read)? > 0
            || !self.archive.input.get_mut().fill_buf().map_err(SnapshotError::Read)?.is_empty()
        {
            return Err(SnapshotError::refused(
                "the last entry",
                "is not the end of the snapshot: bytes follow",
            ));
        }
        Ok(())
    }
}

/// Reads the content of the last file.
impl<R: Read> Read for SnapshotReader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        self.archive.read(buffer)
    }
}

fn manifest<R: Read>(archive: &mut Archive<R>, limits: &SnapshotLimits) -> Result<Manifest, SnapshotError> {
    let refused = |why: String| Err(SnapshotError::refused(MANIFEST, why));
    let header = match archive.header()? {
        Some(header) if header.path == MANIFEST => header,
        _ => return refused("is not the first file: this is no snapshot of a registry".into()),
    };
    let manifest: Manifest = archive.json(MANIFEST, &header)?;
    if manifest.format != FORMAT {
        let found = manifest.format;
        return refused(format!("has format {found}, but this release reads format {FORMAT}: upgrade it"));
    }
    if archive.state != Some(manifest.revision.saturating_add(manifest.counters)) {
        return refused("has another time than its revision".into());
    }
    let needed = manifest.files.saturating_mul(BLOCK as u64).saturating_add(manifest.bytes);
    if needed > limits.total {
        return refused(format!(
            "says that the snapshot unpacks to {needed} bytes, but this machine takes {} bytes: to take more, \
             raise `mirror.feed_max_total`",
            limits.total
        ));
    }
    Ok(manifest)
}

/// The entry of a header.
fn entry(header: &CheckedHeader) -> Result<Entry, SnapshotError> {
    let CheckedHeader { path, size, target } = header;
    let refused = |why: String| SnapshotError::refused(path, why);
    let (document, _) = of_file(path).ok_or_else(|| refused("is not a file of a registry's tree".into()))?;
    let body = match target {
        None => Body::Bytes { size: *size },
        Some(target) => {
            let found = of_file(target).map(|(document, _)| document);
            if !found.is_some_and(|found| may_link(&document, &found)) || *size != 0 {
                return Err(refused(format!("is a link to {target}, which cannot be the same package")));
            }
            Body::Link { target: target.clone() }
        }
    };
    Ok(Entry { path: path.clone(), document, body })
}
