//! The canonical archive. Equal contents always have equal bytes.

use std::io::{Cursor, Write};

use zip::write::{SimpleFileOptions, ZipWriter};
use zip::{CompressionMethod, DateTime, System};

/// The archive could not be written. This should not happen with a valid package.
#[derive(Debug, thiserror::Error)]
#[error("the archive of the package cannot be written")]
pub struct ArchiveError(#[from] zip::result::ZipError);

/// Unpacked bytes for each packed byte. Files above this are stored without compression,
/// so that no reader takes a canonical archive for a zip bomb.
const MAX_RATIO: u64 = 100;

/// A file to archive: its path, whether it is executable, and its content.
pub(super) type Member<'a> = (&'a str, bool, &'a [u8]);

/// Writes the canonical archive of files that are sorted by path bytes: in this order,
/// without folders, all times 1980-01-01 00:00 (the earliest in a zip), modes 0644 or
/// 0755, deflate with level 6, and names flagged as UTF-8.
pub(super) fn write(files: &[Member<'_>]) -> Result<Vec<u8>, ArchiveError> {
    let mut dense = vec![false; files.len()];
    let archive = pack(files, &dense)?;
    let read = rawzip::ZipArchive::from_slice(&archive);
    let entries = read.iter().flat_map(|archive| archive.entries()).flatten();
    let ratios = entries.map(|entry| entry.compressed_size_hint().saturating_mul(MAX_RATIO));
    for ((packed, file), dense) in ratios.zip(files).zip(&mut dense) {
        *dense = file.2.len() as u64 > packed;
    }
    if dense.contains(&true) { pack(files, &dense) } else { Ok(archive) }
}

/// Packs the files. Those marked in `dense` are not compressed.
fn pack(files: &[Member<'_>], dense: &[bool]) -> Result<Vec<u8>, ArchiveError> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for ((path, executable, content), dense) in files.iter().zip(dense) {
        let method = if *dense { CompressionMethod::Stored } else { CompressionMethod::Deflated };
        let options = SimpleFileOptions::default()
            .system(System::Unix)
            .compression_method(method)
            .compression_level((!dense).then_some(6))
            .last_modified_time(DateTime::DEFAULT)
            .unix_permissions(if *executable { 0o755 } else { 0o644 });
        writer.start_file(*path, options)?;
        writer.write_all(content).map_err(zip::result::ZipError::from)?;
    }
    Ok(writer.finish()?.into_inner())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::names::Digest;

    #[test]
    fn archive_has_golden_bytes() {
        let text = "one line\n".repeat(40);
        // Long and varied enough for all kinds of deflate blocks.
        let noise: Vec<u8> = (0..40_000u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 15) as u8).collect();
        let words: Vec<u8> = (0..90_000usize).map(|i| b"golden bytes "[(i * i / 7) % 13]).collect();
        let files: [Member<'_>; 6] = [
            ("SKILL.md", false, text.as_bytes()),
            ("empty", false, b""),
            ("noise.bin", false, &noise),
            ("run.sh", true, b"#!/bin/sh\n"),
            ("words.txt", false, &words),
            ("ü.md", false, b"x"),
        ];
        let archive = write(&files).unwrap();
        assert_eq!(archive, write(&files).unwrap());
        // The digest is an address in every registry. Other bytes (a new deflate, other
        // headers) are a change of format.
        assert_eq!(
            Digest::of(&archive).to_string(),
            "b5a871da3af58100a2923111311d475330ff73b1bc894e3c72295737cd06bcc3"
        );
    }

    #[test]
    fn file_with_high_ratio_is_stored() {
        let zeros = vec![0; 1 << 20];
        let archive = write(&[("a", false, b"text"), ("zeros", false, &zeros)]).unwrap();
        assert!(archive.len() > zeros.len());
    }
}
