//! The bytes of a record: read in a folder that others may have filled, and written
//! so that they last.

use std::fs::{File, OpenOptions};
use std::io::{self, Read as _, Write as _};
use std::path::Path;

use rustix::fs::{Mode, OFlags};
use rustix::io::Errno;

use super::error::{InstallError, at};

/// No record is larger: 64 MiB, which is some 500,000 files.
const MOST: u64 = 64 << 20;

/// Reads a record; None where there is none. The folder may have come with a project
/// that somebody else made: a link would be followed out of it, a pipe never ends, and
/// neither is a record.
pub(super) fn read(path: &Path) -> Result<Option<Vec<u8>>, InstallError> {
    let damaged = |why: &str| InstallError::RecordDamaged { path: path.to_owned(), why: why.to_owned() };
    let cannot = || at("it can't be read", path);
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let opened = match rustix::fs::open(path, flags, Mode::empty()) {
        Ok(opened) => File::from(opened),
        Err(Errno::NOENT) => return Ok(None),
        Err(Errno::LOOP | Errno::MLINK) => return Err(damaged("it is a symbolic link")),
        Err(why) => return Err(cannot()(why.into())),
    };
    if !opened.metadata().map_err(cannot())?.is_file() {
        return Err(damaged("it is no plain file"));
    }
    let mut bytes = Vec::new();
    opened.take(MOST + 1).read_to_end(&mut bytes).map_err(cannot())?;
    if bytes.len() as u64 > MOST {
        return Err(damaged("it has more than 64 MiB"));
    }
    Ok(Some(bytes))
}

/// Writes a record where nothing is, and waits until the disk has it: a renamed file
/// of which the disk has the name only would be an empty record.
pub(super) fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = OpenOptions::new().write(true).create_new(true).open(path)?;
    file.write_all(bytes)?;
    file.sync_all()
}
