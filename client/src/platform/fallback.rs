//! Windows, and other systems without the files of Unix.
//!
//! Files have no modes: who may read the saved logins is up to the folder of the user. A link is refused
//! by looking before opening, so a user who may write to the folder could win a race. Nothing exchanges two
//! folders in one step: for a moment a replaced skill is missing.

use std::borrow::Cow;
use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use registry::names::Digest;

/// Whether files have an executable bit. Without it, that of the package counts as found.
pub(crate) const HAS_EXECUTABLE_BIT: bool = false;

/// Opens a file for reading. With `follows_links` false, a symbolic link is refused with
/// [`ErrorKind::Other`].
pub(crate) fn open(path: &Path, follows_links: bool) -> io::Result<File> {
    if !follows_links {
        refuse_link(path)?;
    }
    File::open(path)
}

/// Opens a file to lock it, or creates it. Follows no link.
pub(crate) fn open_lock(path: &Path) -> io::Result<File> {
    refuse_link(path)?;
    OpenOptions::new().create(true).truncate(false).read(true).write(true).open(path)
}

fn refuse_link(path: &Path) -> io::Result<()> {
    match fs::symlink_metadata(path) {
        Ok(metadata) if metadata.is_symlink() => Err(io::Error::other("it is a symbolic link")),
        _ => Ok(()),
    }
}

/// Opens what stands for `folder` when it is locked: a file in the user's temporary folder, because
/// folders cannot be locked.
pub(crate) fn open_folder_to_lock(folder: &Path) -> io::Result<File> {
    let whole = fs::canonicalize(folder)?;
    let name = Digest::of(whole.as_os_str().as_encoded_bytes());
    open_lock(&std::env::temp_dir().join(format!("skillmirror-{name}.lock")))
}

/// Options that create files.
pub(crate) fn creating_with_mode(_mode: u32) -> OpenOptions {
    OpenOptions::new()
}

/// Does nothing: there are no modes.
pub(crate) fn set_mode(_builder: &mut tempfile::Builder<'_, '_>, _mode: u32) {}

/// Creates a folder.
pub(crate) fn create_private_folder(path: &Path) -> io::Result<()> {
    fs::create_dir(path)
}

/// Does nothing: a read-only folder does not protect what is in it.
pub(crate) fn make_writable(_folder: &Path) -> io::Result<()> {
    Ok(())
}

/// None: there are no modes.
pub(crate) fn mode(_metadata: &Metadata) -> Option<u32> {
    None
}

/// True: owners of files are not compared.
pub(crate) fn is_own(_metadata: &Metadata) -> bool {
    true
}

/// Errors: always [`ErrorKind::Unsupported`].
pub(crate) fn exchange(_one: &Path, _other: &Path) -> io::Result<()> {
    Err(ErrorKind::Unsupported.into())
}

/// Moves a folder to a path where nothing is. The check comes before the move.
pub(crate) fn move_to_free(from: &Path, to: &Path) -> io::Result<()> {
    match fs::symlink_metadata(to) {
        Err(why) if why.kind() == ErrorKind::NotFound => fs::rename(from, to),
        Err(why) => Err(why),
        Ok(_) => Err(ErrorKind::AlreadyExists.into()),
    }
}

/// The bytes of an absolute path in a `file://` URL: `/C:/skills` for `C:\skills`.
pub(crate) fn url_path(path: &Path) -> Cow<'_, [u8]> {
    let text = path.to_string_lossy().replace('\\', "/");
    let slash = if text.starts_with('/') { "" } else { "/" };
    Cow::Owned(format!("{slash}{text}").into_bytes())
}

/// The absolute path of a `file://` URL, from its decoded bytes: `C:/skills` for `/C:/skills`.
pub(crate) fn path_of_url(bytes: &[u8]) -> Result<PathBuf, &'static str> {
    let text = std::str::from_utf8(bytes).map_err(|_| "its path is not UTF-8")?;
    let has_drive = text.as_bytes().get(2) == Some(&b':');
    let path = if has_drive { text.trim_start_matches('/') } else { text };
    Ok(if has_drive && path.len() == 2 { format!("{path}/").into() } else { path.into() })
}

/// A relative path with `/` between its parts, or None if it is not UTF-8.
pub(crate) fn slashed(path: &Path) -> Option<String> {
    path.to_str().map(|path| path.replace('\\', "/"))
}
