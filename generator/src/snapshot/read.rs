//! Reads a snapshot that nobody vouches for.
//!
//! Nothing of it is believed: the file may be cut, may hold anything, and may unpack to more than
//! any disk has. Memory stays bounded. Each header must have exactly the bytes that [`write`] makes
//! for its path and size. That leaves no room for other kinds of files, owners, modes or times.
//!
//! [`write`]: super::write()

use std::io::{self, BufRead, BufReader, Read};

use registry::names::{Digest, copy_with_digest};
use serde::de::DeserializeOwned;
use tar::{EntryType, Header};
use zstd::stream::read::Decoder;

use super::contents::is_input;
use super::entry::{Body, Entry, order};
use super::header::{BLOCK, HeaderFields, padding};
use super::links::compat_address;
use super::manifest::{END, End, FORMAT, MANIFEST, Manifest, RunningDigest, to_text};
use super::{SnapshotError, SnapshotLimits};
use crate::address::{Document, Pointer, of_file};

/// The largest first and last file.
const MAX_JSON: u64 = 64 << 10;

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
    Archive { input: &mut decoder, state: None }.manifest(limits)
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
    let mut archive = Archive { input: &mut decoder, state: None };
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

/// A header with its checked fields.
struct CheckedHeader {
    path: String,
    size: u64,
    target: Option<String>,
}

struct Archive<R> {
    input: R,
    /// The state that all headers name. The first header tells it.
    state: Option<u64>,
}

impl<R: Read> Archive<R> {
    /// The next header. `None` at the end.
    fn header(&mut self) -> Result<Option<CheckedHeader>, SnapshotError> {
        let mut block = [0; BLOCK];
        self.input.read_exact(&mut block).map_err(SnapshotError::of_read)?;
        if block == [0; BLOCK] {
            return Ok(None);
        }
        let header = Header::from_byte_slice(&block);
        let invalid = || SnapshotError::refused("an entry", "has no header as snapshots have it");
        let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).map_err(|_| invalid());
        let path = text(&header.path_bytes())?;
        if path != MANIFEST && path != END && of_file(&path).is_none() {
            return Err(SnapshotError::refused(path, "is not a file of a registry's tree"));
        }
        let (size, time) = (header.entry_size(), header.mtime());
        let (Ok(size), Ok(time)) = (size, time) else { return Err(invalid()) };
        let target = match header.entry_type() {
            EntryType::Link => header.link_name_bytes().map(|target| text(&target)).transpose()?,
            EntryType::Regular => None,
            _ => {
                return Err(SnapshotError::refused(path, "is neither a file nor a second name of a package"));
            }
        };
        let start = super::header::time_of(0);
        let state = *self.state.get_or_insert(time.saturating_sub(start));
        let fields = HeaderFields { path: &path, size, target: target.as_deref(), state };
        if fields.header().is_ok_and(|header| *header.as_bytes() == block) {
            return Ok(Some(CheckedHeader { path, size, target }));
        }
        Err(SnapshotError::refused(path, "has another header than snapshots have"))
    }

    /// Gives a content to `visit`, and reads what that leaves.
    fn content(
        &mut self,
        size: u64,
        visit: impl FnOnce(&mut dyn Read) -> Result<(), SnapshotError>,
    ) -> Result<Digest, SnapshotError> {
        let mut content =
            Hashing { input: (&mut self.input).take(size), digest: Default::default(), read: 0 };
        visit(&mut content)?;
        io::copy(&mut content, &mut io::sink()).map_err(SnapshotError::of_read)?;
        if content.read != size {
            return Err(SnapshotError::Truncated);
        }
        let digest = content.digest.finish();
        let mut zeros = [0; BLOCK];
        let zeros = &mut zeros[..padding(size)];
        self.input.read_exact(zeros).map_err(SnapshotError::of_read)?;
        if zeros.iter().any(|byte| *byte != 0) {
            return Err(SnapshotError::refused("an entry", "is followed by hidden bytes"));
        }
        Ok(digest)
    }

    fn json<T: DeserializeOwned + serde::Serialize>(
        &mut self,
        name: &str,
        header: &CheckedHeader,
    ) -> Result<T, SnapshotError> {
        let refused = |why: &str| SnapshotError::refused(name, why);
        if header.target.is_some() || header.size > MAX_JSON {
            return Err(refused("is not as snapshots have it"));
        }
        let mut text = String::new();
        self.content(header.size, |content| {
            content.read_to_string(&mut text).map(drop).map_err(SnapshotError::of_read)
        })?;
        let value: T =
            serde_json::from_str(&text).map_err(|why| refused(&format!("cannot be read: {why}")))?;
        if to_text(&value).ok().as_ref() != Some(&text) {
            return Err(refused("is not written as snapshots have it"));
        }
        Ok(value)
    }

    fn manifest(&mut self, limits: &SnapshotLimits) -> Result<Manifest, SnapshotError> {
        let refused = |why: String| Err(SnapshotError::refused(MANIFEST, why));
        let header = match self.header()? {
            Some(header) if header.path == MANIFEST => header,
            _ => return refused("is not the first file: this is no snapshot of a registry".into()),
        };
        let manifest: Manifest = self.json(MANIFEST, &header)?;
        if manifest.format != FORMAT {
            let found = manifest.format;
            return refused(format!(
                "has format {found}, but this release reads format {FORMAT}: upgrade it"
            ));
        }
        if self.state != Some(manifest.revision.saturating_add(manifest.counters)) {
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

    /// Reads the end of the archive, after its first block of zeros.
    fn end(&mut self) -> Result<(), SnapshotError> {
        let (_, read) = copy_with_digest((&mut self.input).take(2 * BLOCK as u64), io::sink())
            .map_err(SnapshotError::of_read)?;
        if read == BLOCK as u64 {
            return Ok(());
        }
        Err(SnapshotError::refused(END, "is not followed by the end of an archive"))
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

/// Computes the digest of what is read.
struct Hashing<R> {
    input: R,
    digest: registry::names::DigestBuilder,
    read: u64,
}

impl<R: Read> Read for Hashing<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.input.read(buffer)?;
        self.digest.update(&buffer[..read]);
        self.read += read as u64;
        Ok(read)
    }
}
