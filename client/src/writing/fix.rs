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

/// Gives `SKILL.md` of a folder its letter case, if the only such file has another. Returns its name before that.
///
/// Errors: the folder cannot be read, or the file not be renamed.
pub fn rename_entry_file(folder: &Path) -> Result<Option<String>, ClientError> {
    let failed = |why: std::io::Error| ClientError::File { path: folder.to_owned(), why: why.to_string() };
    if !folder.is_dir() {
        return Ok(None);
    }
    let names = fs::read_dir(folder).map_err(failed)?.map(|entry| entry.map(|entry| entry.file_name()));
    let names = names.collect::<Result<Vec<_>, _>>().map_err(failed)?;
    let mut like = names.iter().filter(|name| name.eq_ignore_ascii_case(SKILL_MD));
    match (like.next(), like.next()) {
        (Some(name), None) if name != SKILL_MD => {
            fs::rename(folder.join(name), folder.join(SKILL_MD)).map_err(failed)?;
            Ok(Some(name.to_string_lossy().into_owned()))
        }
        _ => Ok(None),
    }
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
