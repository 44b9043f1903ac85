//! The canonical archive: the same content always gives the same bytes.

use std::io::{Cursor, Write};

use zip::write::{SimpleFileOptions, ZipWriter};
use zip::{CompressionMethod, DateTime, System};

/// Why no archive could be made; not to be expected from a valid package.
#[derive(Debug, thiserror::Error)]
#[error("the archive can't be written: {0}")]
pub struct ArchiveError(#[from] zip::result::ZipError);

/// Content of more unpacked bytes for each packed one is stored, so that no
/// reader takes a canonical archive for a bomb.
const MAX_RATIO: u64 = 100;

/// A file to be archived: its path, whether it may be run, and its content.
pub(super) type Member<'a> = (&'a str, bool, &'a [u8]);

/// Makes the canonical archive of files that are sorted by path bytes: in that
/// order, no folders, every time 1980-01-01 00:00 (the first one that a zip
/// can say), modes 0644 or 0755, deflate of level 6, UTF-8 names flagged.
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

/// Packs the files, those marked as dense without compression.
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
    fn golden_bytes() {
        let text = "one line\n".repeat(40);
        // Long enough, and varied enough, for every kind of deflate block.
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
        // These bytes are an address in every registry: a change of them (a
        // new deflate, other headers) is a change of format.
        assert_eq!(
            Digest::of(&archive).to_string(),
            "b5a871da3af58100a2923111311d475330ff73b1bc894e3c72295737cd06bcc3"
        );
    }

    #[test]
    fn what_packs_too_well_is_stored() {
        let zeros = vec![0; 1 << 20];
        let archive = write(&[("a", false, b"text"), ("zeros", false, &zeros)]).unwrap();
        assert!(archive.len() > zeros.len());
    }
}
