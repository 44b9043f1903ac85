//! A registry's tree in a folder.

use std::fs::File;
use std::io::{ErrorKind, Read as _};
use std::path::Path;

use crate::ClientError;
use crate::read::Read;

/// Reads a file of the tree at `root`; None where there is none. `file` is a
/// relative path with `/`, as the address book writes them.
pub(crate) fn read(
    root: &Path,
    file: &str,
    most: u64,
    progress: &mut dyn FnMut(u64, Option<u64>),
) -> Result<Option<Read>, ClientError> {
    let path = root.join(file);
    let unreadable =
        |why: &dyn std::fmt::Display| ClientError::Tree { path: path.clone(), why: why.to_string() };
    let opened = match File::open(&path) {
        Ok(opened) => opened,
        Err(why) if matches!(why.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
            // Else a wrong folder would look like a registry in which nothing is.
            if !root.is_dir() {
                let why = "there is no such folder: is it the output folder of a registry?".to_owned();
                return Err(ClientError::Tree { path: root.to_owned(), why });
            }
            return Ok(None);
        }
        Err(why) => return Err(unreadable(&why)),
    };
    let size = opened.metadata().map_err(|why| unreadable(&why))?.len();
    let mut bytes = Vec::new();
    opened.take(most.saturating_add(1)).read_to_end(&mut bytes).map_err(|why| unreadable(&why))?;
    let from = path.display().to_string();
    if bytes.len() as u64 > most {
        return Err(ClientError::TooLarge { url: from, most });
    }
    progress(bytes.len() as u64, Some(size));
    Ok(Some(Read { from, bytes, content_type: None }))
}
