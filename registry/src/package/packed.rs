//! Reads a published archive together with its packed data, for formats that take the data as
//! they are.

use std::io;

use super::finding::Findings;
use super::layout::Origin;
use super::limits::Limits;
use super::zip;

/// A file of an archive.
pub struct PackedFile<'c, 'z> {
    /// The path, with `/` between its pieces.
    pub path: &'c str,
    /// Whether the file is executable: mode 0755 instead of 0644.
    pub executable: bool,
    /// The content.
    pub content: &'c [u8],
    /// The content as the archive has it.
    pub packed: PackedData<'z>,
}

/// The data of a file in an archive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PackedData<'z> {
    /// A complete deflate stream (RFC 1951).
    Deflated(&'z [u8]),
    /// The content itself.
    Stored(&'z [u8]),
}

/// Calls `each` with every file of a published archive, in the order of path bytes. Only one
/// content at a time is in memory.
///
/// `files` and `unpacked` are the number and the size of its files, as the record of the version
/// says. They bound the work.
///
/// Errors: the archive is damaged, or larger than that.
pub fn packed_files<'z>(
    zip: &'z [u8],
    files: u64,
    unpacked: u64,
    mut each: impl FnMut(&PackedFile<'_, 'z>),
) -> io::Result<()> {
    let files = usize::try_from(files).unwrap_or(usize::MAX);
    let limits =
        Limits { unpacked, file: unpacked, files, entries: files, ratio: u64::MAX, ..Limits::default() };
    let mut findings = Findings::default();
    let (layout, mut unpacker) =
        zip::open(zip, Origin::Registry, &limits, &mut findings).map_err(io::Error::other)?;
    for file in &layout.files {
        let path = file.path.as_str();
        let Some(content) = unpacker.unpack(path, &file.body, &mut findings) else { break };
        let data = file.body.data;
        let packed =
            if file.body.is_deflated { PackedData::Deflated(data) } else { PackedData::Stored(data) };
        each(&PackedFile { path, executable: file.executable, content: &content, packed });
    }
    findings.take_errors().map_err(io::Error::other)
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use flate2::read::DeflateDecoder;

    use super::*;
    use crate::package::{LooseFile, Package, ReadOptions, Strictness};

    /// The archive of three files: a text, a script, and one that is not worth compressing.
    fn archive() -> (Package, Vec<u8>) {
        let file =
            |path: &str, executable, content: Vec<u8>| LooseFile { path: path.into(), executable, content };
        let text = b"---\nname: x\ndescription: y\n---\nText\n".to_vec();
        let files = vec![
            file("SKILL.md", false, text),
            file("run.sh", true, b"#!/bin/sh\n".to_vec()),
            file("zeros", false, vec![0; 1 << 20]),
        ];
        let options = ReadOptions {
            source_name: Some("x"),
            strictness: Strictness::Strict,
            limits: &Limits::default(),
            allowed_files: &[],
        };
        let package = Package::from_files(files, &options).unwrap();
        let archive = package.archive().unwrap();
        (package, archive)
    }

    #[test]
    fn packed_data_unpacks_to_the_content() {
        let (package, archive) = archive();
        let mut kinds = Vec::new();
        packed_files(&archive, 3, package.unpacked_size(), |file| {
            assert_eq!(Some(file.content), package.read(file.path));
            assert_eq!(file.executable, file.path == "run.sh");
            match file.packed {
                PackedData::Stored(data) => assert_eq!(data, file.content),
                PackedData::Deflated(data) => {
                    let mut unpacked = Vec::new();
                    DeflateDecoder::new(data).read_to_end(&mut unpacked).unwrap();
                    assert_eq!(unpacked, file.content);
                }
            }
            kinds.push((file.path.to_owned(), matches!(file.packed, PackedData::Stored(_))));
        })
        .unwrap();
        assert_eq!(
            kinds,
            [("SKILL.md", false), ("run.sh", false), ("zeros", true)].map(|(p, k)| (p.to_owned(), k))
        );
    }

    #[test]
    fn archive_larger_than_its_record_is_refused() {
        let (package, archive) = archive();
        let size = package.unpacked_size();
        for (files, unpacked) in [(2, size), (3, size - 1), (0, 0)] {
            assert!(packed_files(&archive, files, unpacked, |_| {}).is_err(), "{files} {unpacked}");
        }
        for damaged in [&archive[..archive.len() - 1], b"", b"PK"] {
            assert!(packed_files(damaged, 3, size, |_| {}).is_err());
        }
    }
}
