//! Reads and writes files in the user's configuration folder. Only their owner may read them, and
//! changes are locked.

use std::fs::{self, File};
use std::io::{self, ErrorKind, Read, Write};
use std::path::{Path, PathBuf};

use crate::user_path::{folder_of_variable, home_folder};
use crate::{ClientError, file_lock, platform};

/// The size limit of the file.
const MAX_BYTES: u64 = 4 << 20;

/// The folder of these files: `$XDG_CONFIG_HOME/skillmirror`, by default `~/.config/skillmirror`.
pub(crate) fn folder() -> Result<PathBuf, ClientError> {
    let folder = || {
        let home = home_folder()?;
        let config = folder_of_variable("XDG_CONFIG_HOME", std::env::var_os("XDG_CONFIG_HOME"), &home)?;
        Ok(config.unwrap_or_else(|| home.join(".config")).join("skillmirror"))
    };
    folder().map_err(|why| ClientError::Credentials { path: "skillmirror".into(), why })
}

/// Reads the file. None if it is missing. A file that others can read, or in a folder that
/// others can write to, is refused. `what` it has is for messages, such as "the saved logins".
pub(crate) fn read(path: &Path, what: &str) -> Result<Option<String>, String> {
    let unreadable = |why: io::Error| format!("cannot read {what}: {why}");
    let file = match File::open(path) {
        Ok(file) => file,
        Err(why) if why.kind() == ErrorKind::NotFound => return Ok(None),
        Err(why) => return Err(unreadable(why)),
    };
    let mode = platform::mode(&file.metadata().map_err(unreadable)?);
    if let Some(mode) = mode.filter(|mode| mode & 0o077 != 0) {
        return Err(format!(
            "other users can read {what} (mode {:03o}): run `chmod 600 {}`, and replace the tokens if somebody may \
             have read them",
            mode,
            path.display()
        ));
    }
    check_folder(folder_of(&fs::canonicalize(path).map_err(unreadable)?), what)?;
    let mut text = String::new();
    file.take(MAX_BYTES).read_to_string(&mut text).map_err(unreadable)?;
    Ok(Some(text))
}

/// Refuses a folder that others can write to, because they could replace the file.
fn check_folder(folder: &Path, what: &str) -> Result<(), String> {
    let metadata = fs::metadata(folder).map_err(|why| why.to_string())?;
    let Some(mode) = platform::mode(&metadata).filter(|mode| mode & 0o022 != 0) else { return Ok(()) };
    Err(format!(
        "other users can replace {what} (folder mode {:03o}): run `chmod 700 {}`",
        mode,
        folder.display()
    ))
}

/// Locks the file until the result is dropped. Creates the folder if it is missing.
pub(crate) fn lock(path: &Path) -> io::Result<File> {
    let folder = folder_of(path);
    fs::create_dir_all(folder_of(folder))?;
    match platform::create_private_folder(folder) {
        // Another command may have just created it.
        Err(why) if why.kind() == ErrorKind::AlreadyExists && folder.is_dir() => {}
        created => created?,
    }
    make_private(path)?;
    // A separate lock file, because the file itself is replaced.
    let mut options = platform::creating_with_mode(0o600);
    options.create(true).truncate(false).write(true);
    let lock = options.open(path.with_extension("lock"))?;
    file_lock::lock(&lock)?;
    Ok(lock)
}

/// Takes the right to write to the folder from others, who could replace the file. Call this only before the
/// file exists: later, somebody may have replaced it already, so reading it is refused.
fn make_private(path: &Path) -> io::Result<()> {
    let folder = folder_of(path);
    let is_open = platform::mode(&fs::metadata(folder)?).is_some_and(|mode| mode & 0o022 != 0);
    if !is_open || path.symlink_metadata().is_ok() {
        return Ok(());
    }
    let is_other = |entry: fs::DirEntry| entry.path().extension().is_none_or(|extension| extension != "lock");
    let has_files = fs::read_dir(folder)?.flatten().any(is_other);
    if has_files || platform::make_writable(folder).is_err() {
        let shown = folder.display();
        return Err(io::Error::other(format!("others can write to {shown}: run `chmod 700 {shown}`")));
    }
    Ok(())
}

/// Replaces the file with a new one that only its owner can read. If the path is a link, its
/// target is replaced.
pub(crate) fn write(path: &Path, text: &[u8]) -> io::Result<()> {
    let path = target(path)?;
    // Created with mode 0600.
    let mut file = tempfile::NamedTempFile::new_in(folder_of(&path))?;
    file.write_all(text)?;
    file.write_all(b"\n")?;
    file.as_file().sync_all()?;
    file.persist(&path)?;
    Ok(())
}

/// The path of the file to replace: the target of a link, or the path itself.
fn target(path: &Path) -> io::Result<PathBuf> {
    match fs::symlink_metadata(path) {
        Ok(found) if found.is_symlink() => fs::canonicalize(path)
            .map_err(|why| io::Error::new(why.kind(), format!("broken symbolic link ({why})"))),
        _ => Ok(path.to_owned()),
    }
}

fn folder_of(path: &Path) -> &Path {
    path.parent().unwrap_or(Path::new("."))
}
