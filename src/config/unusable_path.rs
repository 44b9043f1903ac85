//! Says that this user may not use a path of the settings: names it, its owner, and the way out.

use std::fs;
use std::io::{self, ErrorKind};
use std::os::unix::fs::MetadataExt;
use std::path::Path;

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
pub fn refused(path: &Path, elsewhere: &str) -> String {
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

/// The path, or the folder above it that exists and can be seen.
pub fn nearest(path: &Path) -> Option<&Path> {
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
