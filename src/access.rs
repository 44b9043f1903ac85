//! Files and folders that this user may not use: names them, their owner, and the way out.

use std::fs;
use std::io::{self, ErrorKind};
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use generator::tree::state_folder;
use rustix::fs::{Access, access};

use crate::config::Config;

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

/// The sentence about a file or folder that cannot be read. `elsewhere` says how to name another one.
pub fn unreadable(path: &Path, why: &io::Error, elsewhere: &str) -> String {
    unusable(path, "read", why, elsewhere)
}

/// The sentence about a file or folder with which something cannot be done. `elsewhere` says how to name
/// another one.
pub fn unusable(path: &Path, what: &str, why: &io::Error, elsewhere: &str) -> String {
    match why.kind() {
        ErrorKind::PermissionDenied => refused(path, elsewhere),
        ErrorKind::NotFound => format!("cannot {what} {}: it does not exist; {elsewhere}", path.display()),
        _ => format!("cannot {what} {}: {why}; {elsewhere}", path.display()),
    }
}

/// The sentence about a path that this user may not use.
fn refused(path: &Path, elsewhere: &str) -> String {
    let own = rustix::process::geteuid().as_raw();
    let owner = nearest(path).and_then(|there| fs::metadata(there).ok()).map(|found| found.uid());
    let remedy = match owner {
        Some(owner) if owner == own => "its mode refuses its owner: run `chmod -R u+rwX` on it".to_owned(),
        Some(owner) => {
            let owner = account(owner);
            format!("it belongs to {owner}: run the command as that user, or give this one the right")
        }
        None => "run the command as the user of the registry".to_owned(),
    };
    format!("permission denied for {} as {}: {remedy}; {elsewhere}", path.display(), account(own))
}

/// Refuses to start with a folder that this user may not use, or with files in it that are of another user, as
/// a command that was run as root leaves them. Without a tree, the output folder does not matter.
///
/// Errors: the sentence names the folder or file, its owner and the remedy.
pub fn check(config: &Config, with_tree: bool) -> Result<(), String> {
    let state = state_folder(&config.public);
    let of_public = "--public names another folder";
    let data = (&config.data, "--data names another folder", true);
    let of_tree = [(&config.public, of_public, false), (&state, of_public, true)];
    let of_tree = of_tree.into_iter().filter(|_| with_tree);
    for (folder, elsewhere, has_own_files) in [data].into_iter().chain(of_tree) {
        let (there, is_itself) = match folder.symlink_metadata() {
            Err(why) if why.kind() == ErrorKind::PermissionDenied => return Err(refused(folder, elsewhere)),
            // What is missing is made.
            Err(_) => (nearest(folder), false),
            Ok(_) => (Some(folder.as_path()), true),
        };
        let Some(there) = there.filter(|there| there.is_dir()) else { continue };
        let is_read_only =
            |path: &Path| matches!(access(path, Access::WRITE_OK), Err(rustix::io::Errno::ROFS));
        if !is_usable(there) && !is_read_only(there) {
            return Err(match is_itself {
                true => refused(folder, elsewhere),
                false => format!("{} cannot be made: {}", folder.display(), refused(there, elsewhere)),
            });
        }
        if is_itself && has_own_files {
            let mut own = OWN_FILES.iter().map(|name| there.join(name)).filter(|path| path.exists());
            if let Some(file) = own.find(|path| !is_usable(path) && !is_read_only(path)) {
                return Err(refused(&file, elsewhere));
            }
        }
    }
    Ok(())
}

/// Whether this user may read and change a file, or a folder's entries.
fn is_usable(path: &Path) -> bool {
    let both = Access::READ_OK | Access::WRITE_OK;
    access(path, if path.is_dir() { both | Access::EXEC_OK } else { both }).is_ok()
}

/// The path, or the folder above it that exists and can be seen.
fn nearest(path: &Path) -> Option<&Path> {
    path.ancestors()
        .map(|above| if above == Path::new("") { Path::new(".") } else { above })
        .find(|above| above.exists())
}

/// The name of an account, or its number.
fn account(uid: u32) -> String {
    let accounts = fs::read_to_string("/etc/passwd").unwrap_or_default();
    let mut names = accounts.lines().filter_map(|line| {
        let mut fields = line.split(':');
        Some((fields.next()?, fields.nth(1)?.parse::<u32>().ok()?))
    });
    let name = names.find(|(_, of)| *of == uid).map(|(name, _)| name.to_owned());
    name.unwrap_or_else(|| format!("uid {uid}"))
}
