//! Linux, macOS and others with the files of Unix.

use std::borrow::Cow;
use std::ffi::OsString;
use std::fs::{self, DirBuilder, File, Metadata, OpenOptions, Permissions};
use std::io::{self, ErrorKind};
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _, OpenOptionsExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};

use rustix::fs::{CWD, Mode, OFlags, RenameFlags, renameat_with};
use rustix::io::Errno;

/// Whether files have an executable bit.
pub(crate) const HAS_EXECUTABLE_BIT: bool = true;

/// Opens a file for reading, without waiting for the writer of a pipe. With `follows_links` false, a
/// symbolic link is refused with [`ErrorKind::Other`].
pub(crate) fn open(path: &Path, follows_links: bool) -> io::Result<File> {
    let no_follow = if follows_links { OFlags::empty() } else { OFlags::NOFOLLOW };
    let flags = no_follow | OFlags::RDONLY | OFlags::NONBLOCK | OFlags::CLOEXEC;
    match rustix::fs::open(path, flags, Mode::empty()) {
        Err(Errno::LOOP | Errno::MLINK) if !follows_links => Err(io::Error::other("it is a symbolic link")),
        opened => Ok(File::from(opened?)),
    }
}

/// Opens a file to lock it, or creates it. Follows no link: that could create a file elsewhere.
pub(crate) fn open_lock(path: &Path) -> io::Result<File> {
    let flags = OFlags::CREATE | OFlags::RDWR | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    Ok(rustix::fs::open(path, flags, Mode::from_raw_mode(0o644)).map(File::from)?)
}

/// Opens what stands for `folder` when it is locked: the folder itself.
pub(crate) fn open_folder_to_lock(folder: &Path) -> io::Result<File> {
    File::open(folder)
}

/// Options that create files with this mode.
pub(crate) fn creating_with_mode(mode: u32) -> OpenOptions {
    let mut options = OpenOptions::new();
    options.mode(mode);
    options
}

/// Makes `builder` create files and folders with this mode.
pub(crate) fn set_mode(builder: &mut tempfile::Builder<'_, '_>, mode: u32) {
    builder.permissions(Permissions::from_mode(mode));
}

/// Creates a folder that only its owner may use.
pub(crate) fn create_private_folder(path: &Path) -> io::Result<()> {
    DirBuilder::new().mode(super::PRIVATE_FOLDER).create(path)
}

/// Lets the owner, and nobody else, use a folder.
pub(crate) fn make_writable(folder: &Path) -> io::Result<()> {
    fs::set_permissions(folder, Permissions::from_mode(super::PRIVATE_FOLDER))
}

/// The nine permission bits of a file, or None if the system has none.
pub(crate) fn mode(metadata: &Metadata) -> Option<u32> {
    Some(metadata.permissions().mode() & 0o777)
}

/// Whether the file belongs to the user of this process.
pub(crate) fn is_own(metadata: &Metadata) -> bool {
    metadata.uid() == rustix::process::geteuid().as_raw()
}

/// Exchanges two folders in one step.
///
/// Errors: [`ErrorKind::Unsupported`] if the system or the file system cannot.
pub(crate) fn exchange(one: &Path, other: &Path) -> io::Result<()> {
    rename(one, other, RenameFlags::EXCHANGE)
}

/// Moves a folder to a path where nothing is.
///
/// Errors: [`ErrorKind::Unsupported`] if the system cannot check that in the same step.
pub(crate) fn move_to_free(from: &Path, to: &Path) -> io::Result<()> {
    rename(from, to, RenameFlags::NOREPLACE)
}

fn rename(from: &Path, to: &Path, flags: RenameFlags) -> io::Result<()> {
    match renameat_with(CWD, from, CWD, to, flags) {
        Err(Errno::INVAL | Errno::NOSYS | Errno::OPNOTSUPP) => Err(ErrorKind::Unsupported.into()),
        renamed => Ok(renamed?),
    }
}

/// The bytes of an absolute path in a `file://` URL, before they are percent-encoded.
pub(crate) fn url_path(path: &Path) -> Cow<'_, [u8]> {
    Cow::Borrowed(path.as_os_str().as_bytes())
}

/// The absolute path of a `file://` URL, from its decoded bytes.
pub(crate) fn path_of_url(bytes: &[u8]) -> Result<PathBuf, &'static str> {
    Ok(OsString::from_vec(bytes.to_vec()).into())
}

/// A relative path with `/` between its parts, or None if it is not UTF-8.
pub(crate) fn slashed(path: &Path) -> Option<String> {
    path.to_str().map(str::to_owned)
}
