//! Files that hold a secret for the operator to fetch, as `<data>/admin-token`.

use std::io::Write;
use std::path::{Path, PathBuf};

use super::LocalError;
use crate::journal::folder;

/// Writes `contents` to the file `name` in the folder `data` and gives its
/// path. The file is for its owner alone (0600) from its creation, appears
/// whole, and replaces one of that name. Neither errors nor logs ever show
/// the contents. `name` has only the characters a-z, 0-9 and `-`, and so can
/// be no path and neither of the databases. To be called with the folder's lock
/// held ([`super::lock_data_folder`]).
pub fn write_secret_file(data: &Path, name: &str, contents: &str) -> Result<PathBuf, LocalError> {
    let plain = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-';
    if name.is_empty() || !name.bytes().all(plain) {
        return Err(LocalError::Storage(format!("`{}` is no name for a secret's file", name.escape_debug())));
    }
    folder::make(data)?;
    // Temporary files are made for their owner alone, whatever the umask.
    let mut file = tempfile::Builder::new().prefix(folder::SECRET).tempfile_in(data)?;
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
    fn only_the_owner_may_read_it() {
        let root = tempfile::tempdir().unwrap();
        let data = root.path().join("data");
        let path = write_secret_file(&data, "admin-token", "one").unwrap();
        assert_eq!(path, data.join("admin-token"));
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o644)).unwrap();
        write_secret_file(&data, "admin-token", "two\n").unwrap();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "two\n");
        assert_eq!(path.metadata().unwrap().permissions().mode() & 0o7777, 0o600);
        assert_eq!(data.read_dir().unwrap().count(), 1, "nothing is left beside it");
    }

    #[test]
    fn it_never_follows_a_link() {
        let root = tempfile::tempdir().unwrap();
        let elsewhere = root.path().join("elsewhere");
        std::fs::write(&elsewhere, "").unwrap();
        symlink(&elsewhere, root.path().join("admin-token")).unwrap();
        write_secret_file(root.path(), "admin-token", "secret").unwrap();
        assert_eq!(std::fs::read_to_string(&elsewhere).unwrap(), "");
    }

    #[test]
    fn a_name_is_no_path_and_an_error_tells_nothing() {
        let root = tempfile::tempdir().unwrap();
        std::fs::create_dir(root.path().join("taken")).unwrap();
        for name in ["", "..", "a/b", "journal.sqlite", "A", "taken"] {
            let error = write_secret_file(root.path(), name, "hunter2").unwrap_err();
            assert!(!format!("{error} {error:?}").contains("hunter2"));
        }
    }
}
