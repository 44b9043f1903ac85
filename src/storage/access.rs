//! Whether this user may use the folders of a registry.

use std::io::ErrorKind;
use std::path::Path;

use generator::tree::state_folder;
use rustix::fs::{Access, access};
use rustix::io::Errno;

use crate::config::Config;
use crate::config::unusable_path::{nearest, refused};

/// What the program itself has in the data folder and in the state folder. A mount point also has `lost+found`, and
/// people put notes there.
const OWN_FILES: [&str; 12] = [
    "lock",
    "journal.sqlite",
    "journal.sqlite-wal",
    "journal.sqlite-shm",
    "local.sqlite",
    "local.sqlite-wal",
    "local.sqlite-shm",
    "blobs",
    "admin-token",
    "cursor.json",
    "tmp",
    "bucket.sqlite",
];

/// Refuses to start with a folder that this user may not use, or with files in it that are of another user, as
/// a command that was run as root leaves them. Without a tree, the output folder does not matter.
///
/// Errors: the sentence names the folder or file, its owner and the remedy.
pub fn check(config: &Config, with_tree: bool) -> Result<(), String> {
    let state = state_folder(&config.public);
    let of_public = "--public names another folder";
    let data = (&config.data, "--data names another folder", true);
    let of_tree = [(&config.public, of_public, false), (&state, of_public, true)].into_iter();
    for (folder, elsewhere, has_own_files) in [data].into_iter().chain(of_tree.filter(|_| with_tree)) {
        let (there, is_itself) = match folder.symlink_metadata() {
            Err(why) if why.kind() == ErrorKind::PermissionDenied => return Err(refused(folder, elsewhere)),
            // What is missing is made.
            Err(_) => (nearest(folder), false),
            Ok(_) => (Some(folder.as_path()), true),
        };
        let Some(there) = there.filter(|there| there.is_dir()) else { continue };
        if is_refused(there) {
            return Err(match is_itself {
                true => refused(folder, elsewhere),
                false => format!("{} cannot be made: {}", folder.display(), refused(there, elsewhere)),
            });
        }
        if is_itself && has_own_files {
            let mut own = OWN_FILES.iter().map(|name| there.join(name)).filter(|path| path.exists());
            if let Some(file) = own.find(|path| is_refused(path)) {
                return Err(refused(&file, elsewhere));
            }
        }
    }
    Ok(())
}

/// Whether this user may not read and change a file, or a folder's entries. A read-only file system refuses nobody.
fn is_refused(path: &Path) -> bool {
    let both = Access::READ_OK | Access::WRITE_OK;
    let needed = if path.is_dir() { both | Access::EXEC_OK } else { both };
    access(path, needed).is_err() && access(path, Access::WRITE_OK) != Err(Errno::ROFS)
}
