//! Files with a secret for the operator, such as `<data>/admin-token`.

use std::io::Write;
use std::path::{Path, PathBuf};

use super::LocalError;
use crate::journal::folder;

/// Writes `contents` to the file `name` in the folder `data` and returns its
/// path. Call it with the folder's lock held ([`super::lock_data_folder`]).
///
/// The file is for its owner alone (0600) from the start, appears complete, and
/// replaces an existing one. No error shows the contents. `name` may only have
/// the characters a-z, 0-9 and `-`, so it cannot be a path or a database.
pub fn write_secret_file(data: &Path, name: &str, contents: &str) -> Result<PathBuf, LocalError> {
    let plain = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-';
    if name.is_empty() || !name.bytes().all(plain) {
        let why = format!("`{}` is not a valid name for a secret file", name.escape_debug());
        return Err(LocalError::Storage(why.into()));
    }
    folder::make(data)?;
    // Temporary files are for their owner alone, whatever the umask.
    let mut file = tempfile::Builder::new().prefix(folder::SECRET_PREFIX).tempfile_in(data)?;
    file.write_all(contents.as_bytes())?;
    file.as_file().sync_all()?;
    let path = data.join(name);
    file.persist(&path).map_err(|refused| refused.error)?;
    folder::sync(data)?;
    Ok(path)
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::{PermissionsExt, symlink};

    use super::*;

    #[test]
    fn write_secret_file_creates_a_file_for_the_owner_alone() {
        let root = tempfile::tempdir().unwrap();
        let data = root.path().join("data");
        let path = write_secret_file(&data, "admin-token", "one").unwrap();
        assert_eq!(path, data.join("admin-token"));
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o644)).unwrap();
        write_secret_file(&data, "admin-token", "two\n").unwrap();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "two\n");
        assert_eq!(path.metadata().unwrap().permissions().mode() & 0o7777, 0o600);
        assert_eq!(data.read_dir().unwrap().count(), 1, "no temporary file is left");
    }

    #[test]
    fn write_secret_file_replaces_a_link() {
        let root = tempfile::tempdir().unwrap();
        let elsewhere = root.path().join("elsewhere");
        std::fs::write(&elsewhere, "").unwrap();
        symlink(&elsewhere, root.path().join("admin-token")).unwrap();
        write_secret_file(root.path(), "admin-token", "secret").unwrap();
        assert_eq!(std::fs::read_to_string(&elsewhere).unwrap(), "");
    }

    #[test]
    fn write_secret_file_with_an_invalid_name_hides_the_secret() {
        let root = tempfile::tempdir().unwrap();
        std::fs::create_dir(root.path().join("taken")).unwrap();
        for name in ["", "..", "a/b", "journal.sqlite", "A", "taken"] {
            let error = write_secret_file(root.path(), name, "hunter2").unwrap_err();
            assert!(!format!("{error} {error:?}").contains("hunter2"));
        }
    }
}
