//! Reads regular files of a limited size.

use std::fs::File;
use std::io::{self, ErrorKind, Read as _};
use std::path::Path;

use crate::platform;

/// Whether a symbolic link is followed to its file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Links {
    Follow,
    Refuse,
}

/// Opens a regular file. Other files are refused without waiting for the writer of a pipe. A refusal
/// has no `raw_os_error`, unlike a failure.
pub(crate) fn open(path: &Path, links: Links) -> io::Result<File> {
    let file = platform::open(path, links == Links::Follow)?;
    if !file.metadata()?.is_file() {
        return Err(io::Error::other("it is not a regular file"));
    }
    Ok(file)
}

/// Reads a regular file of at most `most` bytes, opened as [`open`] does.
pub(crate) fn read(path: &Path, links: Links, most: u64) -> io::Result<Vec<u8>> {
    let bytes = read_beyond(path, links, most)?;
    if bytes.len() as u64 > most {
        return Err(io::Error::new(ErrorKind::FileTooLarge, format!("it is larger than {} MiB", most >> 20)));
    }
    Ok(bytes)
}

/// Reads a regular file as [`read`] does, but returns one byte more than `most` of a larger one.
pub(crate) fn read_beyond(path: &Path, links: Links, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    open(path, links)?.take(most.saturating_add(1)).read_to_end(&mut bytes)?;
    Ok(bytes)
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use rustix::fs::{CWD, FileType, Mode, mknodat};

    use super::*;

    #[test]
    fn read_of_a_pipe_is_refused_without_waiting() {
        let folder = tempfile::tempdir().unwrap();
        let pipe = folder.path().join("pipe.json");
        mknodat(CWD, &pipe, FileType::Fifo, Mode::from_raw_mode(0o600), 0).unwrap();
        let why = read(&pipe, Links::Follow, 10).unwrap_err().to_string();
        assert!(why.contains("not a regular file"), "{why}");
    }
}
