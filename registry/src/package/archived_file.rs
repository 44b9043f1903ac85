//! Reads files from a canonical archive. The package was checked when it was published, so only the
//! length is checked here.

use std::io::{self, BufReader, Read, Seek};

use zip::ZipArchive;
use zip::result::ZipError;

/// The most bytes that are reserved before a file is read: its size may be the word of somebody else.
const MAX_RESERVED: u64 = 1 << 20;

/// A canonical archive, opened once for several files.
pub struct OpenArchive<R>(ZipArchive<BufReader<R>>);

impl<R: Read + Seek> OpenArchive<R> {
    /// Reads the directory of the archive. Errors: the archive cannot be read or is damaged.
    pub fn open(archive: R) -> io::Result<Self> {
        ZipArchive::new(BufReader::new(archive)).map(Self).map_err(unreadable)
    }

    /// The content of the file at `path`, which has `size` bytes. `None` if the archive has no such file.
    ///
    /// Errors: the archive cannot be read or is damaged, or the file has another size.
    pub fn read(&mut self, path: &str, size: u64) -> io::Result<Option<Vec<u8>>> {
        let file = match self.0.by_name(path) {
            Err(ZipError::FileNotFound) => return Ok(None),
            file => file.map_err(unreadable)?,
        };
        let mut content = Vec::with_capacity(usize::try_from(size.min(MAX_RESERVED)).unwrap_or_default());
        file.take(size.saturating_add(1)).read_to_end(&mut content)?;
        if content.len() as u64 != size {
            let why = format!("{path} does not have {size} bytes");
            return Err(io::Error::new(io::ErrorKind::InvalidData, why));
        }
        Ok(Some(content))
    }
}

/// The content of the file at `path`, which has `size` bytes. `None` if the archive has no such file.
///
/// Errors: the archive cannot be read or is damaged, or the file has another size.
pub fn archived_file(archive: impl Read + Seek, path: &str, size: u64) -> io::Result<Option<Vec<u8>>> {
    OpenArchive::open(archive)?.read(path, size)
}

pub(super) fn unreadable(why: ZipError) -> io::Error {
    match why {
        ZipError::Io(why) => why,
        why => io::Error::new(io::ErrorKind::InvalidData, why),
    }
}

#[cfg(test)]
mod tests {
    use std::io::{Cursor, Write};

    use zip::ZipWriter;
    use zip::write::SimpleFileOptions;

    use super::*;

    #[test]
    fn file_of_another_size_is_damaged() {
        let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
        zip.start_file("a/ä b.md", SimpleFileOptions::default()).unwrap();
        zip.write_all(b"text").unwrap();
        let bytes = zip.finish().unwrap().into_inner();
        let read = |path, size| archived_file(Cursor::new(&bytes), path, size);
        assert_eq!(read("a/ä b.md", 4).unwrap().as_deref(), Some(&b"text"[..]));
        assert_eq!(read("a", 4).unwrap(), None);
        assert!(read("a/ä b.md", 3).is_err() && read("a/ä b.md", 5).is_err());
        assert!(archived_file(Cursor::new(b"no zip"), "a", 1).is_err());
    }
}
