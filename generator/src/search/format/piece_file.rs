//! Pieces and spelling shards as files: compressed with gzip.

use std::io::Read;
use std::sync::Arc;

use flate2::read::GzDecoder;

use super::codec::Damaged;
use super::piece_name::PieceName;
use crate::gzip::gzip;

/// Largest content of a file, in bytes. Hostile files may be small and have a large content.
const MAX_CONTENT: u64 = 4 * 1024 * 1024;

/// A piece or shard in memory.
#[derive(Debug, Clone)]
pub struct IndexFile {
    pub name: PieceName,
    /// Its bytes, as they are published.
    pub bytes: Arc<[u8]>,
    /// What they are when they are unpacked.
    pub content: Arc<[u8]>,
}

impl IndexFile {
    /// The file with a content.
    pub fn of(content: Vec<u8>) -> Self {
        // The compressor does not fail on bytes in memory. If it did, readers would refuse the file.
        let bytes = gzip(&content).unwrap_or_default();
        Self { name: PieceName::of(&bytes), bytes: bytes.into(), content: content.into() }
    }
}

/// The content of a file.
pub fn unpack(file: &[u8]) -> Result<Vec<u8>, Damaged> {
    let mut content = Vec::with_capacity(file.len().saturating_mul(3).min(1 << 20));
    let read = GzDecoder::new(file).take(MAX_CONTENT + 1).read_to_end(&mut content);
    match read {
        Ok(length) if length as u64 <= MAX_CONTENT => Ok(content),
        Ok(_) => Err(Damaged("it is larger than 4 MiB")),
        Err(_) => Err(Damaged("it is not compressed with gzip")),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn content_is_read_back_up_to_its_limit() {
        let content = b"some words, some words, some words".repeat(9);
        let file = IndexFile::of(content.clone());
        assert!(file.bytes.len() < content.len());
        assert_eq!(unpack(&file.bytes).unwrap(), content);
        assert!(unpack(&file.bytes[..file.bytes.len() - 9]).is_err());
        assert!(unpack(b"<html>").is_err());
        let large = IndexFile::of(vec![0; MAX_CONTENT as usize + 1]);
        assert_eq!(unpack(&large.bytes), Err(Damaged("it is larger than 4 MiB")));
    }
}
