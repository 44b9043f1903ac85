//! Reads a snapshot that nobody vouches for.
//!
//! Nothing of it is believed: the file may be cut, may hold anything, and may unpack to more than
//! any disk has. Memory stays bounded. Each header must have exactly the bytes that [`write`] makes
//! for its path and size. That leaves no room for other kinds of files, owners, modes or times.
//!
//! [`write`]: super::write()

use std::io::{self, BufRead, BufReader, Read};

use zstd::stream::read::Decoder;

use super::archive::{Archive, CheckedHeader};
use super::contents::is_input;
use super::entry::{Body, Entry, order};
use super::links::compat_address;
use super::manifest::{END, End, MANIFEST, Manifest, RunningDigest};
use super::{SnapshotError, SnapshotLimits};
use crate::address::{Document, Pointer, of_file};

/// The binary logarithm of the largest window. Snapshots have one of 2 MiB.
const MAX_WINDOW_LOG: u32 = 23;

/// Gets the contents of a snapshot, in their order. They are not complete before [`read`] returns.
pub trait Visitor {
    /// Gets the first file.
    fn begin(&mut self, manifest: &Manifest) -> Result<(), SnapshotError>;

    /// Gets a file. It need not read all of it.
    fn file(&mut self, entry: &Entry, content: &mut dyn Read) -> Result<(), SnapshotError>;
}

/// Reads the first file of a snapshot.
pub fn read_manifest(input: impl Read, limits: &SnapshotLimits) -> Result<Manifest, SnapshotError> {
    let mut decoder = decoder(input)?;
    Archive::new(&mut decoder).manifest(limits)
}

fn decoder<R: Read>(input: R) -> Result<Decoder<'static, BufReader<R>>, SnapshotError> {
    let mut decoder = Decoder::new(input).map_err(SnapshotError::of_read)?.single_frame();
    decoder.window_log_max(MAX_WINDOW_LOG).map_err(SnapshotError::Read)?;
    Ok(decoder)
}

/// Reads a snapshot to its end, and checks all that can be checked without what it means.
pub fn read(
    input: impl Read,
    limits: &SnapshotLimits,
    visitor: &mut dyn Visitor,
) -> Result<Manifest, SnapshotError> {
    let mut decoder = decoder(input)?;
    let mut archive = Archive::new(&mut decoder);
    let manifest = archive.manifest(limits)?;
    visitor.begin(&manifest)?;
    let mut counted = Counted::default();
    let end = loop {
        let Some(header) = archive.header()? else { return Err(SnapshotError::Truncated) };
        if header.path == END {
            break archive.json::<End>(END, &header)?;
        }
        let entry = entry(&header, manifest.base.is_some())?;
        counted.add(&entry, &manifest, limits)?;
        let digest = match entry.body {
            Body::Link { .. } => {
                visitor.file(&entry, &mut io::empty())?;
                None
            }
            Body::Bytes { size } => Some(archive.content(size, |content| visitor.file(&entry, content))?),
        };
        counted.running.add(&entry, digest);
    };
    let Counted { files, bytes, running, .. } = counted;
    let (expected, said) = (End { files, bytes, sha256: running.finish() }, (manifest.files, manifest.bytes));
    if end != expected || (files, bytes) != said {
        return Err(SnapshotError::refused(
            END,
            "does not close the files before it: some are missing or others",
        ));
    }
    if archive.header()?.is_some() {
        return Err(SnapshotError::refused(END, "is not the last file"));
    }
    archive.end()?;
    if !decoder.finish().fill_buf().map_err(SnapshotError::Read)?.is_empty() {
        return Err(SnapshotError::refused(END, "is not the end of the snapshot: bytes follow"));
    }
    Ok(manifest)
}

/// What came so far.
#[derive(Default)]
struct Counted {
    files: u64,
    bytes: u64,
    last: String,
    running: RunningDigest,
}

impl Counted {
    /// Counts a file, before it is read.
    fn add(
        &mut self,
        entry: &Entry,
        manifest: &Manifest,
        limits: &SnapshotLimits,
    ) -> Result<(), SnapshotError> {
        let refused = |why: String| Err(SnapshotError::refused(&entry.path, why));
        if !self.last.is_empty() && order(&self.last, &entry.path).is_ge() {
            return refused(format!("is after {}: files are sorted, and each is there once", self.last));
        }
        let size = entry.size();
        let is_package = compat_address(&entry.document).is_some()
            || matches!(entry.document, Document::CompatPackage(..));
        if is_package && size > limits.package {
            return refused(format!(
                "has {size} bytes, but this machine takes packages of {} bytes: to take larger ones, raise \
                 `mirror.feed_max_package`",
                limits.package
            ));
        }
        self.files += 1;
        self.bytes = self.bytes.saturating_add(size);
        if self.files > manifest.files || self.bytes > manifest.bytes {
            return refused(format!("is more than {MANIFEST} says that the snapshot has"));
        }
        self.last.clone_from(&entry.path);
        Ok(())
    }
}

/// The entry of a header.
fn entry(header: &CheckedHeader, is_delta: bool) -> Result<Entry, SnapshotError> {
    let CheckedHeader { path, size, target } = header;
    let refused = |why: String| SnapshotError::refused(path, why);
    let (document, _) = of_file(path).ok_or_else(|| refused("is not a file of a registry's tree".into()))?;
    if is_delta && !is_input(path, &document) {
        return Err(refused("is not a file that a delta has".into()));
    }
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

/// Whether a package may be a link to the file of another document, which comes before it.
fn may_link(document: &Document, target: &Document) -> bool {
    match (document, target) {
        (Document::CompatPackage(of, Pointer::Version(_)), Document::CompatPackage(other, pointer)) => {
            of == other && matches!(pointer, Pointer::Version(_))
        }
        (Document::CompatPackage(of, Pointer::Tag(_)), Document::CompatPackage(other, _)) => of == other,
        _ => compat_address(document).as_ref() == Some(target),
    }
}
