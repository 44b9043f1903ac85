//! The bytes of a package that was read.

use std::fs::File;
use std::io::{self, Cursor, Read, Seek, SeekFrom, Write};

use bytes::Bytes;
use registry::journal::BlobReader;

/// A package in memory.
pub struct ObjectBody(Cursor<Bytes>);

impl ObjectBody {
    /// The package of these bytes.
    pub fn of(bytes: Bytes) -> Self {
        Self(Cursor::new(bytes))
    }
}

impl Read for ObjectBody {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        self.0.read(into)
    }
}

impl Seek for ObjectBody {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.0.seek(to)
    }
}

impl BlobReader for ObjectBody {
    fn size(&self) -> io::Result<u64> {
        Ok(self.0.get_ref().len() as u64)
    }

    fn copy_to(&mut self, to: &mut File) -> io::Result<()> {
        to.write_all(self.0.get_ref())
    }
}
