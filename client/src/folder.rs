//! A registry's tree in a folder.

use std::fs::File;
use std::io::{self, ErrorKind, Read as _};
use std::path::Path;

use rustix::fs::{Mode, OFlags};

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
    // A pipe, which nobody may ever write to, is opened without waiting.
    let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let opened = rustix::fs::open(&path, flags, Mode::empty()).map(File::from).map_err(io::Error::from);
    let opened = match opened {
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
    let metadata = opened.metadata().map_err(|why| unreadable(&why))?;
    if !metadata.is_file() {
        return Err(unreadable(&"it is no plain file"));
    }
    let size = metadata.len();
    let mut bytes = Vec::new();
    opened.take(most.saturating_add(1)).read_to_end(&mut bytes).map_err(|why| unreadable(&why))?;
    let from = path.display().to_string();
    if bytes.len() as u64 > most {
        return Err(ClientError::TooLarge { url: from, most });
    }
    progress(bytes.len() as u64, Some(size));
    Ok(Some(Read { from, bytes, content_type: None }))
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use rustix::fs::{CWD, FileType, mknodat};

    use super::*;

    #[test]
    fn a_pipe_in_the_tree_is_no_document_and_holds_nobody_up() {
        let root = tempfile::tempdir().unwrap();
        let mode = Mode::from_raw_mode(0o600);
        mknodat(CWD, root.path().join("pipe.json"), FileType::Fifo, mode, 0).unwrap();
        let answer = read(root.path(), "pipe.json", 10, &mut |_, _| ());
        let why = answer.err().map(|why| why.to_string());
        assert!(why.is_some_and(|why| why.contains("it is no plain file")));
    }
}
