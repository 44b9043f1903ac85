//! Makes a snapshot.

use std::io::{self, Read, Write};

use registry::names::{Digest, copy_with_digest};
use serde::Serialize;
use zstd::stream::write::Encoder;

use super::SnapshotError;
use super::contents::Contents;
use super::entry::{Body, Entry};
use super::header::{BLOCK, HeaderFields, padding};
use super::links::Linker;
use super::manifest::{END, End, FORMAT, MANIFEST, Manifest, RunningDigest, to_text};
use crate::address::Document;
use crate::render::record::Head;
use crate::tree::FrozenTree;

/// The level of the compression, which is the library's default. Packages are compressed already.
/// Another level makes other bytes.
const LEVEL: i32 = 3;

/// Writes the snapshot of a tree to `out`. Reports the bytes of each written file to `progress`,
/// together with the bytes of all.
pub fn write<W: Write>(
    frozen: &FrozenTree,
    head: &Head,
    contents: &Contents,
    out: W,
    progress: &mut dyn FnMut(u64, u64),
) -> Result<(Manifest, W), SnapshotError> {
    write_archive(frozen, head, contents, out, progress).map_err(SnapshotError::Write)
}

fn write_archive<W: Write>(
    frozen: &FrozenTree,
    head: &Head,
    contents: &Contents,
    out: W,
    progress: &mut dyn FnMut(u64, u64),
) -> io::Result<(Manifest, W)> {
    let mut manifest = Manifest {
        format: FORMAT,
        tree_format: head.format,
        epoch: head.epoch.clone(),
        revision: head.revision,
        counters: head.counters.generation,
        head: Digest::of(frozen.head().as_bytes()),
        base: contents.base().cloned(),
        files: 0,
        bytes: 0,
    };
    // The first file says how many follow, so all are listed twice.
    for_each(frozen, head, contents, |entry| {
        manifest.files += 1;
        manifest.bytes += entry.size();
        Ok(())
    })?;
    let mut encoder = Encoder::new(out, LEVEL)?;
    encoder.include_checksum(true)?;
    let mut archive = Archive { out: encoder, state: head.state().sum() };
    archive.json(MANIFEST, &manifest)?;
    let mut running = RunningDigest::default();
    for_each(frozen, head, contents, |entry| {
        let digest = match &entry.body {
            Body::Link { target } => {
                archive.header(&entry.path, 0, Some(target))?;
                None
            }
            Body::Bytes { size } => {
                let file = frozen.tree().open_file(&entry.path)?;
                Some(archive.file(&entry.path, *size, file)?)
            }
        };
        running.add(&entry, digest);
        progress(entry.size(), manifest.bytes);
        Ok(())
    })?;
    let end = End { files: manifest.files, bytes: manifest.bytes, sha256: running.finish() };
    archive.json(END, &end)?;
    archive.out.write_all(&[0; 2 * BLOCK])?;
    Ok((manifest, archive.out.finish()?))
}

/// Calls `visit` for each file of the snapshot, in their order.
fn for_each(
    frozen: &FrozenTree,
    head: &Head,
    contents: &Contents,
    mut visit: impl FnMut(Entry) -> io::Result<()>,
) -> io::Result<()> {
    let signed = frozen.tree().signed_size()?;
    let mut linker = Linker::default();
    for file in frozen.tree().files()? {
        let file = file?;
        let is_outgrown = match &file.document {
            Document::LogTile(tile) => {
                !tile.is_in(head.log.size) && !signed.is_some_and(|signed| tile.is_in(signed))
            }
            _ => false,
        };
        if is_outgrown || !contents.has(&file.path, &file.document) {
            continue;
        }
        let size = file.size();
        let (path, document) = (file.path.clone(), file.document.clone());
        visit(match contents.base() {
            None => linker.entry(frozen.tree(), file)?,
            // A delta has each package once.
            Some(_) => Entry { path, document, body: Body::Bytes { size } },
        })?;
    }
    Ok(())
}

struct Archive<W: Write> {
    out: W,
    state: u64,
}

impl<W: Write> Archive<W> {
    fn header(&mut self, path: &str, size: u64, target: Option<&str>) -> io::Result<()> {
        let fields = HeaderFields { path, size, target, state: self.state };
        self.out.write_all(fields.header()?.as_bytes())
    }

    fn file(&mut self, path: &str, size: u64, content: impl Read) -> io::Result<Digest> {
        self.header(path, size, None)?;
        let (digest, written) = copy_with_digest(content.take(size), &mut self.out)?;
        if written != size {
            return Err(io::Error::other(format!("{path} was cut while it was read")));
        }
        self.out.write_all(&[0; BLOCK][..padding(size)])?;
        Ok(digest)
    }

    fn json(&mut self, path: &str, value: &impl Serialize) -> io::Result<()> {
        let text = to_text(value)?;
        self.file(path, text.len() as u64, text.as_bytes()).map(drop)
    }
}
