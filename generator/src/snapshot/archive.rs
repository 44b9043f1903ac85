//! The blocks of a snapshot's archive, read without trust.

use std::io::{self, Read};

use registry::data_fault::json_fault;
use serde::Serialize;
use serde::de::DeserializeOwned;
use tar::{EntryType, Header};

use super::SnapshotError;
use super::header::{BLOCK, HeaderFields, padding, time_of};
use super::manifest::{MANIFEST, REMOVED, to_text};
use crate::address::of_file;

/// The largest first file.
const MAX_JSON: u64 = 64 << 10;

/// A header with its checked fields.
pub struct CheckedHeader {
    pub path: String,
    pub size: u64,
    pub target: Option<String>,
}

/// The blocks of an archive.
pub struct Archive<R> {
    pub input: R,
    /// The state that all headers name. The first header tells it.
    pub state: Option<u64>,
    /// The size of the last header's content, and the bytes of it that are not read yet.
    size: u64,
    left: u64,
}

impl<R: Read> Archive<R> {
    pub fn new(input: R) -> Self {
        Self { input, state: None, size: 0, left: 0 }
    }

    /// The next header, after the content of the last one. `None` at the end.
    pub fn header(&mut self) -> Result<Option<CheckedHeader>, SnapshotError> {
        self.skip_content()?;
        let mut block = [0; BLOCK];
        self.input.read_exact(&mut block).map_err(SnapshotError::of_read)?;
        if block == [0; BLOCK] {
            return Ok(None);
        }
        let header = Header::from_byte_slice(&block);
        let invalid = || SnapshotError::refused("an entry", "has no header as snapshots have it");
        let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).map_err(|_| invalid());
        let path = text(&header.path_bytes())?;
        if path != MANIFEST && path != REMOVED && of_file(&path).is_none() {
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
            (self.size, self.left) = (size, size);
            return Ok(Some(CheckedHeader { path, size, target }));
        }
        Err(SnapshotError::refused(path, "has another header than snapshots have"))
    }

    /// Reads the rest of a content, and the zeros after it.
    fn skip_content(&mut self) -> Result<(), SnapshotError> {
        io::copy(self, &mut io::sink()).map_err(SnapshotError::of_read)?;
        let mut zeros = [0; BLOCK];
        let zeros = &mut zeros[..padding(std::mem::take(&mut self.size))];
        self.input.read_exact(zeros).map_err(SnapshotError::of_read)?;
        if zeros.iter().any(|byte| *byte != 0) {
            return Err(SnapshotError::refused("an entry", "is followed by hidden bytes"));
        }
        Ok(())
    }

    /// Reads the content of the first file.
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
        self.read_to_end(&mut bytes).map_err(SnapshotError::of_read)?;
        let value: T = serde_json::from_slice(&bytes)
            .map_err(|why| refused(&format!("cannot be read: {}", json_fault(&why))))?;
        if to_text(&value).is_ok_and(|text| text.as_bytes() != bytes) {
            return Err(refused("is not written as snapshots have it"));
        }
        Ok(value)
    }

    /// Reads the end of the archive, after its first block of zeros.
    pub fn end(&mut self) -> Result<(), SnapshotError> {
        let read = io::copy(&mut (&mut self.input).take(2 * BLOCK as u64), &mut io::sink());
        if read.map_err(SnapshotError::of_read)? == BLOCK as u64 {
            return Ok(());
        }
        Err(SnapshotError::refused("the last entry", "is not followed by the end of an archive"))
    }
}

/// Reads the content of the last header.
impl<R: Read> Read for Archive<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let most = buffer.len().min(usize::try_from(self.left).unwrap_or(usize::MAX));
        let read = self.input.read(&mut buffer[..most])?;
        if read == 0 && most > 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        self.left -= read as u64;
        Ok(read)
    }
}
