//! Changes a SKILL.md so that more clients load the skill.

use std::fs;
use std::io::Write as _;
use std::path::Path;

use registry::package::{Limits, SKILL_MD, move_keys_to_metadata};

use crate::ClientError;
use crate::regular_file::{self, Links};

/// Moves keys of the SKILL.md in a folder to `metadata`, and returns them. Without any, nothing is written.
///
/// Errors: the path is not a folder, or its SKILL.md cannot be read or replaced.
pub fn move_keys(folder: &Path) -> Result<Vec<&'static str>, ClientError> {
    let path = folder.join(SKILL_MD);
    let failed = |why: String| ClientError::File { path: path.clone(), why };
    if folder.is_file() {
        let why = "it is not a folder: unpack it, and fix the folder".to_owned();
        return Err(ClientError::File { path: folder.to_owned(), why });
    }
    let bytes = regular_file::read(&path, Links::Refuse, Limits::default().file);
    let bytes = bytes.map_err(|why| failed(why.to_string()))?;
    // The check that follows names the place of bytes that are not UTF-8.
    let Ok(text) = String::from_utf8(bytes) else { return Ok(Vec::new()) };
    let (text, moved) = move_keys_to_metadata(&text);
    if !moved.is_empty() {
        replace(&path, &text).map_err(|why| failed(why.to_string()))?;
    }
    Ok(moved)
}

/// Replaces a file by one rename. It keeps its permissions.
fn replace(path: &Path, text: &str) -> std::io::Result<()> {
    let mut file = tempfile::NamedTempFile::new_in(path.parent().unwrap_or(Path::new(".")))?;
    file.write_all(text.as_bytes())?;
    file.as_file().set_permissions(fs::metadata(path)?.permissions())?;
    file.as_file().sync_all()?;
    file.persist(path)?;
    Ok(())
}
