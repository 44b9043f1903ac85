//! Reads files of a registry's tree in a local folder.

use std::io::ErrorKind;
use std::path::Path;

use super::RawDocument;
use crate::ClientError;
use crate::http::Progress;
use crate::regular_file::{self, Links};

/// Reads a file of at most `most` bytes from the tree at `root`. None if it is missing.
/// `file` is a relative path with `/`.
pub(crate) fn read(
    root: &Path,
    file: &str,
    most: u64,
    progress: Progress<'_>,
) -> Result<Option<RawDocument>, ClientError> {
    let path = root.join(file);
    let from = path.display().to_string();
    match regular_file::read(&path, Links::Follow, most) {
        Ok(bytes) => {
            progress(bytes.len() as u64, Some(bytes.len() as u64));
            Ok(Some(RawDocument { from, bytes, content_type: None }))
        }
        Err(why) if matches!(why.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
            // A missing folder must not look like an empty registry.
            if !root.is_dir() {
                let why = "no such folder: is this the output folder of a registry?".to_owned();
                return Err(ClientError::Tree { path: root.to_owned(), why });
            }
            Ok(None)
        }
        Err(why) if why.kind() == ErrorKind::FileTooLarge => Err(ClientError::TooLarge { url: from, most }),
        Err(why) => Err(ClientError::Tree { path, why: why.to_string() }),
    }
}
