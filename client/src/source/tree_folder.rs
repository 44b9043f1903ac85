//! Reads files of a registry's tree in a local folder.

use std::fs::File;
use std::io::{self, ErrorKind, Read as _};
use std::path::Path;

use rustix::fs::{Mode, OFlags};

use super::RawDocument;
use crate::ClientError;
use crate::http::Progress;

/// Reads a file of at most `most` bytes from the tree at `root`. None if it is missing.
/// `file` is a relative path with `/`.
pub(crate) fn read(
    root: &Path,
    file: &str,
    most: u64,
    progress: Progress<'_>,
) -> Result<Option<RawDocument>, ClientError> {
    let path = root.join(file);
    let unreadable =
        |why: &dyn std::fmt::Display| ClientError::Tree { path: path.clone(), why: why.to_string() };
    // NONBLOCK, because opening a pipe would wait for its writer.
    let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let opened = match rustix::fs::open(&path, flags, Mode::empty()).map_err(io::Error::from) {
        Ok(opened) => File::from(opened),
        Err(why) if matches!(why.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
            // A missing folder must not look like an empty registry.
            if !root.is_dir() {
                let why = "no such folder: is this the output folder of a registry?".to_owned();
                return Err(ClientError::Tree { path: root.to_owned(), why });
            }
            return Ok(None);
        }
        Err(why) => return Err(unreadable(&why)),
    };
    let metadata = opened.metadata().map_err(|why| unreadable(&why))?;
    if !metadata.is_file() {
        return Err(unreadable(&"it is not a regular file"));
    }
    let mut bytes = Vec::new();
    opened.take(most.saturating_add(1)).read_to_end(&mut bytes).map_err(|why| unreadable(&why))?;
    let from = path.display().to_string();
    if bytes.len() as u64 > most {
        return Err(ClientError::TooLarge { url: from, most });
    }
    progress(bytes.len() as u64, Some(metadata.len()));
    Ok(Some(RawDocument { from, bytes, content_type: None }))
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use rustix::fs::{CWD, FileType, mknodat};

    use super::*;

    #[test]
    fn read_of_a_pipe_is_refused_without_waiting() {
        let root = tempfile::tempdir().unwrap();
        let mode = Mode::from_raw_mode(0o600);
        mknodat(CWD, root.path().join("pipe.json"), FileType::Fifo, mode, 0).unwrap();
        let answer = read(root.path(), "pipe.json", 10, &mut |_, _| ());
        let why = answer.err().map(|why| why.to_string());
        assert!(why.is_some_and(|why| why.contains("not a regular file")));
    }
}
