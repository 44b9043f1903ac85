//! The file of logins: only its owner reads it, and one at a time changes it.

use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{self, ErrorKind, Read, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

use etcetera::base_strategy::{BaseStrategy, Xdg};

use crate::ClientError;

/// No file of logins is longer.
const LONGEST: u64 = 4 << 20;

/// Where the logins of whoever runs this are kept.
pub(super) fn folder() -> Result<PathBuf, ClientError> {
    let strategy = Xdg::new().map_err(|_| ClientError::Credentials {
        path: "credentials.json".into(),
        why: "there is no home folder to keep logins in: set HOME or XDG_CONFIG_HOME".to_owned(),
    })?;
    Ok(strategy.config_dir().join("skillmirror"))
}

/// Its text; None where there is no file. A file that others can read is refused, and one in
/// a folder that others can write to. The error says what is wrong and what to do.
pub(super) fn read(path: &Path) -> Result<Option<String>, String> {
    let unreadable = |why: io::Error| format!("the saved logins cannot be read: {why}");
    let file = match File::open(path) {
        Ok(file) => file,
        Err(why) if why.kind() == ErrorKind::NotFound => return Ok(None),
        Err(why) => return Err(unreadable(why)),
    };
    let mode = file.metadata().map_err(unreadable)?.permissions().mode();
    if mode & 0o077 != 0 {
        return Err(format!(
            "others can read the saved logins (mode {:03o}): run `chmod 600 {}`, and make new tokens if somebody \
             may have read these",
            mode & 0o777,
            path.display()
        ));
    }
    check_folder(folder_of(&fs::canonicalize(path).map_err(unreadable)?))?;
    let mut text = String::new();
    file.take(LONGEST).read_to_string(&mut text).map_err(unreadable)?;
    Ok(Some(text))
}

/// Whoever can write to the folder can put other logins there.
fn check_folder(folder: &Path) -> Result<(), String> {
    let mode = fs::metadata(folder).map_err(|why| why.to_string())?.permissions().mode();
    if mode & 0o022 == 0 {
        return Ok(());
    }
    Err(format!(
        "others can put other logins in its place (mode {:03o} of its folder): run `chmod 700 {}`",
        mode & 0o777,
        folder.display()
    ))
}

/// Held by who changes the file, until it is dropped: nobody else does meanwhile. Makes the
/// folder where there is none.
pub(super) fn lock(path: &Path) -> io::Result<File> {
    let folder = folder_of(path);
    fs::create_dir_all(folder_of(folder))?;
    match DirBuilder::new().mode(0o700).create(folder) {
        // By who else has just logged in.
        Err(why) if why.kind() == ErrorKind::AlreadyExists && folder.is_dir() => {}
        made => made?,
    }
    // The file itself is replaced, so that whoever has its lock would have that of an old one.
    let mut options = OpenOptions::new();
    options.create(true).truncate(false).write(true).mode(0o600);
    let lock = options.open(path.with_extension("lock"))?;
    lock.lock()?;
    Ok(lock)
}

/// Writes the file: another one beside it that only its owner can read, which then takes
/// its place. A link stays one: the file that it leads to is replaced.
pub(super) fn write(path: &Path, text: &[u8]) -> io::Result<()> {
    let path = target(path)?;
    // Made with mode 0600.
    let mut file = tempfile::NamedTempFile::new_in(folder_of(&path))?;
    file.write_all(text)?;
    file.write_all(b"\n")?;
    file.as_file().sync_all()?;
    file.persist(&path)?;
    Ok(())
}

/// Where a file really is, or will be.
fn target(path: &Path) -> io::Result<PathBuf> {
    match fs::symlink_metadata(path) {
        Ok(found) if found.is_symlink() => fs::canonicalize(path)
            .map_err(|why| io::Error::new(why.kind(), format!("it is a link that leads nowhere ({why})"))),
        _ => Ok(path.to_owned()),
    }
}

fn folder_of(path: &Path) -> &Path {
    path.parent().unwrap_or(Path::new("."))
}
