//! A batch: what the folder had at one moment, of the documents that have changed.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::time::SystemTime;

use bytes::Bytes;
use generator::address::{Document, Lifetime};
use generator::tree::Tree;

use super::changes::Changes;
use super::step::Step;

/// Files up to this size are read into memory. Others stay open: a file in a tree never changes,
/// another one is put in its place.
const MAX_IN_MEMORY: u64 = 256 * 1024;

/// Limits of a batch. A larger one is taken in parts.
const MAX_BYTES: u64 = 64 << 20;
const MAX_OPEN_FILES: usize = 128;

/// The content of a document.
#[derive(Debug)]
pub enum Content {
    /// A small file.
    Bytes(Bytes, SystemTime),
    /// A large one, open for reading.
    File(File, SystemTime),
    /// A package, which never changes at its address, so it can be read later. It refers to nothing.
    Package,
    /// The document is to be removed.
    Gone,
}

/// The steps of a batch in their order, each with the content of its document.
pub type Batch = BTreeMap<Step, Content>;

/// Reads a batch that begins with at most `most` steps. Its documents, with those in the bucket, are
/// closed: see the crate's documentation.
///
/// After an error all steps are among the changes again.
pub fn read_batch(changes: &Changes, tree: &Tree, most: usize) -> io::Result<Batch> {
    let mut most = most.max(1);
    loop {
        let mut batch = Batch::new();
        let outcome = collect(changes, tree, most, &mut batch);
        if matches!(outcome, Ok(true)) {
            return Ok(batch);
        }
        changes.put_back(batch.into_keys());
        outcome?;
        most = (most / 2).max(1);
    }
}

/// Returns false if the batch became too large.
fn collect(changes: &Changes, tree: &Tree, most: usize, batch: &mut Batch) -> io::Result<bool> {
    let mut taken = changes.take(most);
    let Some(last) = taken.last().cloned() else { return Ok(true) };
    let mut size = Size::default();
    while !taken.is_empty() {
        // The highest rank first: what it refers to was written before it, so it is read after it.
        while let Some(step) = taken.pop_last() {
            let content = match read(tree, step.document()) {
                Ok(content) => content,
                Err(why) => {
                    changes.put_back(taken.into_iter().chain([step]));
                    return Err(why);
                }
            };
            size.add(&content);
            // The other step of the document would undo this one.
            batch.remove(&step.opposite());
            if step.is_removal() == matches!(content, Content::Gone) {
                batch.insert(step, content);
            } else {
                // Removed since it was reported, or there again.
                batch.remove(&step);
                changes.put_back([step.opposite()]);
            }
        }
        if most > 1 && size.is_too_large() {
            return Ok(false);
        }
        taken = changes.take_up_to(&last);
    }
    Ok(true)
}

/// What a batch holds.
#[derive(Default)]
struct Size {
    bytes: u64,
    files: usize,
}

impl Size {
    fn add(&mut self, content: &Content) {
        match content {
            Content::Bytes(bytes, _) => self.bytes += bytes.len() as u64,
            Content::File(..) => self.files += 1,
            Content::Package | Content::Gone => {}
        }
    }

    fn is_too_large(&self) -> bool {
        self.bytes > MAX_BYTES || self.files > MAX_OPEN_FILES
    }
}

fn read(tree: &Tree, document: &Document) -> io::Result<Content> {
    let Some(mut file) = tree.open(document)? else { return Ok(Content::Gone) };
    if matches!(document, Document::Package(..) | Document::CompatPackage(..))
        && document.lifetime() == Lifetime::Immutable
    {
        return Ok(Content::Package);
    }
    let meta = file.metadata()?;
    let modified = meta.modified()?;
    if meta.len() > MAX_IN_MEMORY {
        return Ok(Content::File(file, modified));
    }
    let mut bytes = Vec::with_capacity(usize::try_from(meta.len()).unwrap_or_default());
    file.read_to_end(&mut bytes)?;
    Ok(Content::Bytes(bytes.into(), modified))
}

/// The bytes of a document, and the modification time of its file. None if a package was removed
/// since.
pub fn bytes_of(
    content: &Content,
    tree: &Tree,
    document: &Document,
) -> io::Result<Option<(Bytes, SystemTime)>> {
    let (mut file, modified) = match content {
        Content::Bytes(bytes, modified) => return Ok(Some((bytes.clone(), *modified))),
        Content::File(file, modified) => (file.try_clone()?, *modified),
        Content::Package => match tree.open(document)? {
            Some(file) => {
                let modified = file.metadata()?.modified()?;
                (file, modified)
            }
            None => return Ok(None),
        },
        Content::Gone => return Ok(None),
    };
    let mut bytes = Vec::new();
    file.seek(SeekFrom::Start(0))?;
    file.read_to_end(&mut bytes)?;
    Ok(Some((bytes.into(), modified)))
}
