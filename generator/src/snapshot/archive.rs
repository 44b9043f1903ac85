//! The blocks of a snapshot's archive, read without trust.

use std::io::{self, Read};

use registry::data_fault::json_fault;
use registry::names::{Digest, DigestBuilder, copy_with_digest};
use serde::Serialize;
use serde::de::DeserializeOwned;
use tar::{EntryType, Header};

use super::header::{BLOCK, HeaderFields, padding, time_of};
use super::manifest::{END, FORMAT, MANIFEST, Manifest, to_text};
use super::{SnapshotError, SnapshotLimits};
use crate::address::of_file;

/// The largest first and last file.
const MAX_JSON: u64 = 64 << 10;

/// A header with its checked fields.
pub struct CheckedHeader {
    pub path: String,
    pub size: u64,
    pub target: Option<String>,
}

/// The blocks of an archive.
pub struct Archive<R> {
    input: R,
    /// The state that all headers name. The first header tells it.
    state: Option<u64>,
}

impl<R: Read> Archive<R> {
    pub fn new(input: R) -> Self {
        Self { input, state: None }
    }

    /// The next header. `None` at the end.
    pub fn header(&mut self) -> Result<Option<CheckedHeader>, SnapshotError> {
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
        let start = time_of(0);
        let state = *self.state.get_or_insert(time.saturating_sub(start));
        let fields = HeaderFields { path: &path, size, target: target.as_deref(), state };
        if fields.header().is_ok_and(|header| *header.as_bytes() == block) {
            return Ok(Some(CheckedHeader { path, size, target }));
        }
        Err(SnapshotError::refused(path, "has another header than snapshots have"))
    }

    /// Gives a content to `visit`, and reads what that leaves.
    pub fn content(
        &mut self,
        size: u64,
        visit: impl FnOnce(&mut dyn Read) -> Result<(), SnapshotError>,
    ) -> Result<Digest, SnapshotError> {
        let mut content =
            Hashing { input: (&mut self.input).take(size), digest: DigestBuilder::default(), read: 0 };
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

    pub fn json<T: DeserializeOwned + Serialize>(
        &mut self,
        name: &str,
        header: &CheckedHeader,
    ) -> Result<T, SnapshotError> {
        let refused = |why: &str| SnapshotError::refused(name, why);
        if header.target.is_some() || header.size > MAX_JSON {
            return Err(refused("is not as snapshots have it"));
        }
        let mut bytes = Vec::new();
        self.content(header.size, |content| {
            content.read_to_end(&mut bytes).map(drop).map_err(SnapshotError::of_read)
        })?;
        let value: T = serde_json::from_slice(&bytes)
            .map_err(|why| refused(&format!("cannot be read: {}", json_fault(&why))))?;
        if to_text(&value).is_ok_and(|text| text.as_bytes() != bytes) {
            return Err(refused("is not written as snapshots have it"));
        }
        Ok(value)
    }

    pub fn manifest(&mut self, limits: &SnapshotLimits) -> Result<Manifest, SnapshotError> {
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
    pub fn end(&mut self) -> Result<(), SnapshotError> {
        let (_, read) = copy_with_digest((&mut self.input).take(2 * BLOCK as u64), io::sink())
            .map_err(SnapshotError::of_read)?;
        if read == BLOCK as u64 {
            return Ok(());
        }
        Err(SnapshotError::refused(END, "is not followed by the end of an archive"))
    }
}

/// Computes the digest of what is read.
struct Hashing<R> {
    input: R,
    digest: DigestBuilder,
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
