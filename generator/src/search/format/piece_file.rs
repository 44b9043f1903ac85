//! Pieces and spelling shards as files: compressed with gzip.

use std::io::Read;

use flate2::read::GzDecoder;

use super::codec::Damaged;
use crate::gzip::gzip;

/// Largest content of a file, in bytes. Hostile files may be small and have a large content.
const MAX_CONTENT: u64 = 4 * 1024 * 1024;

/// The file with a content.
pub fn pack(content: &[u8]) -> std::io::Result<Vec<u8>> {
    gzip(content)
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
        let file = pack(&content).unwrap();
        assert!(file.len() < content.len());
        assert_eq!(unpack(&file).unwrap(), content);
        assert!(unpack(&file[..file.len() - 9]).is_err());
        assert!(unpack(b"<html>").is_err());
        let large = pack(&vec![0; MAX_CONTENT as usize + 1]).unwrap();
        assert_eq!(unpack(&large), Err(Damaged("it is larger than 4 MiB")));
    }
}
