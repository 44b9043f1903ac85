//! Reads and writes the bytes of a record.

use std::fs::{File, OpenOptions};
use std::io::{self, Read as _, Write as _};
use std::path::Path;

use rustix::fs::{Mode, OFlags};
use rustix::io::Errno;

use crate::install::error::{InstallError, at};

/// The size limit of a record: 64 MiB, which is enough for about 500,000 files.
const MAX_BYTES: u64 = 64 << 20;

/// Reads a record. None if the file is missing. The file may have been checked out with
/// somebody else's project, so links, pipes and other special files are refused.
pub(super) fn read(path: &Path) -> Result<Option<Vec<u8>>, InstallError> {
    let damaged = |why: &str| InstallError::RecordDamaged { path: path.to_owned(), why: why.to_owned() };
    let cannot = || at("cannot read", path);
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let opened = match rustix::fs::open(path, flags, Mode::empty()) {
        Ok(opened) => File::from(opened),
        Err(Errno::NOENT) => return Ok(None),
        Err(Errno::LOOP | Errno::MLINK) => return Err(damaged("it is a symbolic link")),
        Err(why) => return Err(cannot()(why.into())),
    };
    if !opened.metadata().map_err(cannot())?.is_file() {
        return Err(damaged("it is not a regular file"));
    }
    let mut bytes = Vec::new();
    opened.take(MAX_BYTES + 1).read_to_end(&mut bytes).map_err(cannot())?;
    if bytes.len() as u64 > MAX_BYTES {
        return Err(damaged("it is larger than 64 MiB"));
    }
    Ok(Some(bytes))
}

/// Writes a new record and syncs it. Without the sync, a power loss after the rename could
/// leave an empty record.
pub(super) fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = OpenOptions::new().write(true).create_new(true).open(path)?;
    file.write_all(bytes)?;
    file.sync_all()
}
