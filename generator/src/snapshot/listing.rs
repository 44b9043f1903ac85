//! The files of a tree in the order of writing, listed without holding them in memory.

use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Seek, Write};

use serde::{Deserialize, Serialize};

use super::entry::{Entry, order};
use super::links::target_of;
use super::{Body, SnapshotError};
use crate::address::{Document, Stage, of_file};
use crate::tree::{FileIdentity, Tree, TreeFile};
use registry::api::public::Head;

/// A file of a tree, as a line of a temporary file.
#[derive(Serialize, Deserialize)]
struct Listed {
    path: String,
    identity: FileIdentity,
    size: u64,
    target: Option<String>,
}

/// The files of one stage, in a temporary file.
struct OfStage {
    lines: BufWriter<File>,
    last: Option<(Document, String)>,
    /// Whether the walk over the folders has met them in their order. Pages of lists come last page
    /// first, so they are sorted in memory.
    is_sorted: bool,
}

/// The files of a tree that a snapshot has.
pub struct Listing {
    stages: Vec<OfStage>,
    pub files: u64,
    /// The bytes of all files that are no links.
    pub bytes: u64,
}

impl Listing {
    /// Lists a tree with this head.
    pub fn of(tree: &Tree, head: &Head) -> io::Result<Self> {
        let signed = tree.signed_size()?;
        let mut listing = Self { stages: Vec::new(), files: 0, bytes: 0 };
        // One for each stage: the head is the last.
        for _ in 0..=Stage::Head as usize {
            let lines = BufWriter::new(tempfile::tempfile()?);
            listing.stages.push(OfStage { lines, last: None, is_sorted: true });
        }
        for file in tree.files()? {
            let file = file?;
            let is_outgrown = match &file.document {
                Document::LogTile(tile) => {
                    !tile.is_in(head.log.size) && !signed.is_some_and(|signed| tile.is_in(signed))
                }
                _ => false,
            };
            if !is_outgrown {
                let target = target_of(tree, &file)?;
                listing.add(file, target)?;
            }
        }
        Ok(listing)
    }

    fn add(&mut self, file: TreeFile, target: Option<String>) -> io::Result<()> {
        self.files += 1;
        self.bytes += if target.is_some() { 0 } else { file.size() };
        let stage = &mut self.stages[file.document.stage() as usize];
        let last = stage.last.as_ref();
        stage.is_sorted &=
            last.is_none_or(|(document, path)| order((document, path), (&file.document, &file.path)).is_lt());
        let listed = Listed { identity: file.identity(), size: file.size(), path: file.path.clone(), target };
        serde_json::to_writer(&mut stage.lines, &listed)?;
        stage.lines.write_all(b"\n")?;
        stage.last = Some((file.document, file.path));
        Ok(())
    }

    /// Calls `visit` for each file, in their order.
    pub fn for_each(
        self,
        mut visit: impl FnMut(Entry, FileIdentity) -> Result<(), SnapshotError>,
    ) -> Result<(), SnapshotError> {
        for stage in self.stages {
            let mut file = stage.lines.into_inner().map_err(|why| SnapshotError::Write(why.into_error()))?;
            file.rewind().map_err(SnapshotError::Write)?;
            let entries = BufReader::new(file).lines().map(|line| entry(&line?));
            if stage.is_sorted {
                for entry in entries {
                    let (entry, identity) = entry.map_err(SnapshotError::Write)?;
                    visit(entry, identity)?;
                }
                continue;
            }
            let mut entries = entries.collect::<io::Result<Vec<_>>>().map_err(SnapshotError::Write)?;
            entries.sort_by(|(a, _), (b, _)| a.order(b));
            for (entry, identity) in entries {
                visit(entry, identity)?;
            }
        }
        Ok(())
    }
}

fn entry(line: &str) -> io::Result<(Entry, FileIdentity)> {
    let Listed { path, identity, size, target } = serde_json::from_str(line)?;
    let (document, _) = of_file(&path).ok_or_else(|| io::Error::other("the list of files is damaged"))?;
    let body = target.map_or(Body::Bytes { size }, |target| Body::Link { target });
    Ok((Entry { path, document, body }, identity))
}
