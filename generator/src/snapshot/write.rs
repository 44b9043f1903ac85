//! Makes a snapshot of a tree.

use std::io::{self, BufWriter, Read, Write};
use std::thread::available_parallelism;

use serde::Serialize;
use zstd::stream::write::Encoder;

use super::header::{BLOCK, HeaderFields, padding};
use super::listing::Listing;
use super::manifest::{FORMAT, MANIFEST, Manifest, to_text};
use super::{Body, SnapshotError};
use crate::address::Document;
use crate::feed::parse_head;
use crate::tree::Tree;

/// The level of the compression, which is the library's default. Packages are compressed already.
/// Another level makes other bytes.
const LEVEL: i32 = 3;

/// The bytes that are compressed together, at least.
const BUFFER: usize = 128 << 10;

/// Writes the snapshot of a tree to `out`, file after file. Reports the bytes of each written file to
/// `progress`, together with the bytes of all.
///
/// The tree may have a writer. Every written file is the one that was listed, and no change was
/// incomplete or began while the files were listed. So the snapshot has one state of the tree.
///
/// Errors: [`SnapshotError::Changed`] if the tree changes meanwhile. Then `out` has nothing of use.
pub fn write<W: Write>(
    tree: &Tree,
    out: W,
    progress: &mut dyn FnMut(u64, u64),
) -> Result<(Manifest, W), SnapshotError> {
    let changes = tree.completed_changes().ok_or(SnapshotError::Changed)?;
    let read_head = || tree.text(&Document::Head).map_err(SnapshotError::Write);
    let text = read_head()?;
    let head = parse_head(&text)
        .map_err(|why| SnapshotError::Write(io::Error::other(format!("{} {why}", Document::Head.name()))))?;
    let listing = Listing::of(tree, &head).map_err(SnapshotError::Write)?;
    if tree.completed_changes() != Some(changes) || read_head()? != text {
        return Err(SnapshotError::Changed);
    }
    let manifest = Manifest {
        format: FORMAT,
        tree_format: head.format,
        epoch: head.epoch.clone(),
        revision: head.revision,
        counters: head.counters.generation,
        base: None,
        files: listing.files,
        bytes: listing.bytes,
    };
    let mut archive = ArchiveWriter::new(out, &manifest).map_err(SnapshotError::Write)?;
    listing.for_each(|entry, identity| {
        match &entry.body {
            Body::Link { target } => archive.link(&entry.path, target).map_err(SnapshotError::Write)?,
            Body::Bytes { size } => {
                let file = tree.open_listed(&entry.path, identity).map_err(SnapshotError::Write)?;
                let file = file.ok_or(SnapshotError::Changed)?;
                archive.file(&entry.path, *size, file).map_err(SnapshotError::Write)?;
            }
        }
        progress(entry.size(), manifest.bytes);
        Ok(())
    })?;
    let out = archive.finish().map_err(SnapshotError::Write)?;
    Ok((manifest, out))
}

/// The compression of a snapshot. Its bytes do not depend on the number of threads, if it is at least 1.
fn encoder<W: Write>(out: W, threads: u32) -> io::Result<Encoder<'static, W>> {
    let mut encoder = Encoder::new(out, LEVEL)?;
    encoder.include_checksum(true)?;
    encoder.multithread(threads)?;
    Ok(encoder)
}

/// Writes the archive of a snapshot.
pub struct ArchiveWriter<W: Write> {
    out: BufWriter<Encoder<'static, W>>,
    state: u64,
}

impl<W: Write> ArchiveWriter<W> {
    /// Begins an archive with its first file.
    pub fn new(out: W, manifest: &Manifest) -> io::Result<Self> {
        let threads = available_parallelism().map_or(1, |count| count.get() as u32);
        let out = BufWriter::with_capacity(BUFFER, encoder(out, threads)?);
        let mut archive = Self { out, state: manifest.state().sum() };
        archive.json(MANIFEST, manifest)?;
        Ok(archive)
    }

    fn header(&mut self, path: &str, size: u64, target: Option<&str>) -> io::Result<()> {
        let fields = HeaderFields { path, size, target, state: self.state };
        self.out.write_all(fields.header()?.as_bytes())
    }

    /// Writes a file.
    pub fn file(&mut self, path: &str, size: u64, content: impl Read) -> io::Result<()> {
        self.header(path, size, None)?;
        if io::copy(&mut content.take(size), &mut self.out)? != size {
            return Err(io::Error::other(format!("{path} was cut while it was read")));
        }
        self.out.write_all(&[0; BLOCK][..padding(size)])
    }

    /// Writes a second name of a package.
    pub fn link(&mut self, path: &str, target: &str) -> io::Result<()> {
        self.header(path, 0, Some(target))
    }

    fn json(&mut self, path: &str, value: &impl Serialize) -> io::Result<()> {
        let text = to_text(value)?;
        self.file(path, text.len() as u64, text.as_bytes())
    }

    /// Ends the archive.
    pub fn finish(mut self) -> io::Result<W> {
        self.out.write_all(&[0; 2 * BLOCK])?;
        self.out.into_inner().map_err(io::IntoInnerError::into_error)?.finish()
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn number_of_threads_changes_no_byte() {
        let text: Vec<u8> = (0_u64..6_000_000).flat_map(|n| (n * n % 8191).to_be_bytes()).collect();
        let compressed = |threads| {
            let mut encoder = encoder(Vec::new(), threads).unwrap();
            text.chunks(100_000).for_each(|chunk| encoder.write_all(chunk).unwrap());
            encoder.finish().unwrap()
        };
        let one = compressed(1);
        assert!(one == compressed(2) && one == compressed(5));
    }
}
