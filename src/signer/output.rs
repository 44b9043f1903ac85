//! Where signed notes go.

use std::fs;
use std::path::PathBuf;

use generator::address::Document;
use generator::tree::Tree;

/// Where signed notes go.
pub enum Output {
    /// To the process that keeps a tree on this machine, or to the tree if nobody keeps it.
    Tree(Tree),
    /// To a folder, from where people copy them.
    Folder(PathBuf),
}

impl Output {
    /// Writes a note. Returns whether readers have it now.
    pub fn put(&self, document: &Document, text: &str) -> Result<bool, String> {
        let failed = |why: std::io::Error| format!("cannot write {}: {why}", document.name());
        let folder = match self {
            Self::Tree(tree) => return tree.hand_in(document, text).map_err(failed),
            Self::Folder(folder) => folder,
        };
        let name = document.name();
        let path = folder.join(name.rsplit('/').next().unwrap_or(&name));
        if fs::read_to_string(&path).is_ok_and(|known| known == text) {
            return Ok(true);
        }
        let temporary = path.with_extension("tmp");
        let write = || {
            fs::create_dir_all(folder)?;
            fs::write(&temporary, text)?;
            fs::rename(&temporary, &path)
        };
        write().map_err(failed)?;
        Ok(true)
    }
}
