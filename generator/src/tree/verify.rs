//! Comparing a tree with what it should be.

use std::fs;
use std::io;

use super::{Tree, write};
use crate::address::{Document, Stage, exists, for_each};
use crate::render::{RenderError, Rendered, View, render};

/// What is wrong with a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// It should be there.
    Missing,
    /// Its bytes are not the document's.
    Differs,
    /// It should not be there.
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

/// One way in which a tree is not what it should be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// The file, relative to the tree.
    pub file: String,
    /// What is wrong with it.
    pub fault: Fault,
}

/// Why a comparison did not come to its end.
#[derive(Debug, thiserror::Error)]
pub enum VerifyError {
    /// A document cannot be rendered.
    #[error(transparent)]
    Render(#[from] RenderError),
    /// The tree cannot be read.
    #[error("the tree cannot be read: {0}")]
    Io(#[from] io::Error),
}

/// Compares a tree with the documents of a revision and names every
/// difference, in the order of the stages, strangers last.
pub fn verify(tree: &Tree, view: View<'_>) -> Result<Vec<Difference>, VerifyError> {
    let mut differences = Vec::new();
    for stage in Stage::ALL {
        for_each(view.catalog, view.settings, stage, &mut |document| {
            if let Some(rendered) = render(view, &document)? {
                let fault = compare(tree, &document, &rendered)?;
                differences.extend(fault.map(|fault| Difference { file: document.file(), fault }));
            }
            Ok::<_, VerifyError>(())
        })?;
    }
    if tree.root().exists() {
        let exists = |document: &Document| exists(view.catalog, view.settings, document);
        for stranger in tree.strangers(exists) {
            let path = stranger?.into_path();
            let file = path.strip_prefix(tree.root()).unwrap_or(&path).display().to_string();
            // A damaged document is named once.
            if !differences.iter().any(|difference| difference.file == file) {
                differences.push(Difference { file, fault: Fault::Unexpected });
            }
        }
    }
    Ok(differences)
}

fn compare(tree: &Tree, document: &Document, rendered: &Rendered) -> io::Result<Option<Fault>> {
    let path = tree.path(document);
    let size = match fs::symlink_metadata(&path) {
        Ok(meta) if meta.is_file() => meta.len(),
        Ok(_) => return Ok(Some(Fault::Differs)),
        Err(why) if matches!(why.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
            return Ok(Some(Fault::Missing));
        }
        Err(why) => return Err(why),
    };
    let same = match rendered {
        Rendered::Bytes(bytes) => size == bytes.len() as u64 && fs::read(&path)? == *bytes,
        Rendered::Package(package) => size == package.size && write::digest(&path)? == package.sha256,
    };
    Ok((!same).then_some(Fault::Differs))
}
