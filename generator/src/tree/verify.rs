//! Compares a tree with the documents of a catalog.

use std::fs::{self, File, Metadata};
use std::io;
use std::path::Path;

use registry::names::Digest;
use serde::Serialize;

use super::{Tree, is_missing};
use crate::WorkProgress;
use crate::address::{Document, documents, exists, of_file, stages};
use crate::gzip::gzip;
use crate::render::{RenderContext, RenderError, Rendered, render};

/// The kind of a difference.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Fault {
    /// The file is missing.
    Missing,
    /// The file has other bytes than the document.
    Differs,
    /// The file is not an existing document.
    Unexpected,
}

impl std::fmt::Display for Fault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(match self {
            Self::Missing => "missing",
            Self::Differs => "differs",
            Self::Unexpected => "unexpected",
        })
    }
}

/// A file that differs from its document.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Difference {
    /// The path relative to the tree.
    pub file: String,
    /// What is wrong with it.
    pub fault: Fault,
}

/// A tree cannot be compared.
#[derive(Debug, thiserror::Error)]
pub enum VerifyError {
    /// A document cannot be rendered.
    #[error(transparent)]
    Render(#[from] RenderError),
    /// The tree cannot be read.
    #[error("the tree cannot be read")]
    Io(#[from] io::Error),
}

/// Compares a tree with the documents of a catalog. Returns all differences in the order of the
/// stages, unknown files last.
pub fn verify(
    tree: &Tree,
    context: RenderContext<'_>,
    progress: &WorkProgress,
) -> Result<Vec<Difference>, VerifyError> {
    let mut differences = Vec::new();
    let all = || stages().into_iter().flat_map(|stage| documents(context, stage));
    let mut steps = progress.begin("documents", || all().count());
    for document in all() {
        steps.add(1);
        for (file, fault) in compare_document(tree, context, &document)? {
            differences.extend(fault.map(|fault| Difference { file, fault }));
        }
    }
    for piece in tree.pieces()? {
        let name = piece.name;
        let document = Document::SearchPiece(name);
        if !exists(context, &document) && tree.piece_fits(name)? == Some(false) {
            differences.push(Difference { file: document.name(), fault: Fault::Differs });
        }
    }
    if tree.root().exists() {
        let exists = |document: &Document| exists(context, document);
        for file in tree.unknown_files(context.settings, exists) {
            let path = file?.into_path();
            let file = path.strip_prefix(tree.root()).unwrap_or(&path).display().to_string();
            // A damaged document is already listed.
            if !differences.iter().any(|difference| difference.file == file) {
                differences.push(Difference { file, fault: Fault::Unexpected });
            }
        }
    }
    Ok(differences)
}

/// Compares a file, by its relative path, with its document.
pub fn verify_file(
    tree: &Tree,
    context: RenderContext<'_>,
    file: &str,
) -> Result<Option<Fault>, VerifyError> {
    let path = tree.root().join(file);
    match of_file(file) {
        Some((document, _)) if exists(context, &document) => {
            let mut files = compare_document(tree, context, &document)?.into_iter();
            if let Some((_, fault)) = files.find(|(name, _)| name == file) {
                return Ok(fault);
            }
        }
        // An expired piece.
        Some((Document::SearchPiece(name), _)) if regular(&path).is_some() => {
            return Ok((tree.piece_fits(name)? == Some(false)).then_some(Fault::Differs));
        }
        _ => {}
    }
    Ok(is_there(&path)?.then_some(Fault::Unexpected))
}

/// Compares a document's file and gzip sibling. Returns the files that the tree should have, each
/// with what is wrong with it.
fn compare_document(
    tree: &Tree,
    context: RenderContext<'_>,
    document: &Document,
) -> Result<Vec<(String, Option<Fault>)>, VerifyError> {
    let Some(rendered) = render(context, document)? else { return Ok(Vec::new()) };
    let rendered = rendered.finished(context.store)?;
    let fault = compare(&tree.place(document)?, &rendered)?;
    let mut files = vec![(document.name(), fault)];
    if let (Rendered::Bytes(bytes), Some(file)) = (&rendered, document.gzip_file())
        && context.settings.compresses(document, bytes.len() as u64)
    {
        let fault = compare(&tree.root().join(&file), &Rendered::Bytes(gzip(bytes)?))?;
        files.push((file, fault));
    }
    Ok(files)
}

fn compare(path: &Path, rendered: &Rendered) -> io::Result<Option<Fault>> {
    let size = match fs::symlink_metadata(path) {
        Ok(meta) if meta.is_file() => meta.len(),
        Ok(_) => return Ok(Some(Fault::Differs)),
        Err(why) if is_missing(&why) => return Ok(Some(Fault::Missing)),
        Err(why) => return Err(why),
    };
    let same = match rendered {
        Rendered::Bytes(bytes) => size == bytes.len() as u64 && fs::read(path)? == *bytes,
        Rendered::Piece(bytes) => size == bytes.len() as u64 && *fs::read(path)? == **bytes,
        // These have been finished to bytes.
        Rendered::Page(_) | Rendered::File(_) | Rendered::Git(..) => false,
        Rendered::Package(package) => size == package.size && digest(path)? == package.sha256,
    };
    Ok((!same).then_some(Fault::Differs))
}

/// Whether a file or an empty folder exists at a path without a document.
fn is_there(path: &Path) -> io::Result<bool> {
    // A file name that is not UTF-8 was changed for display, so it cannot be looked up.
    if path.to_string_lossy().contains(char::REPLACEMENT_CHARACTER) {
        return Ok(true);
    }
    match path.symlink_metadata() {
        Ok(found) if found.is_dir() => Ok(path.read_dir()?.next().is_none()),
        Ok(_) => Ok(true),
        Err(why) if is_missing(&why) => Ok(false),
        Err(why) => Err(why),
    }
}

/// The metadata of a regular file, without following a link.
pub(super) fn regular(path: &Path) -> Option<Metadata> {
    fs::symlink_metadata(path).ok().filter(Metadata::is_file)
}

/// The sha256 of a file.
pub(super) fn digest(path: &Path) -> io::Result<Digest> {
    Ok(Digest::of_reader(File::open(path)?)?.0)
}
