//! Putting a folder where a skill is, in one step: whoever looks sees the old
//! one or the new one, whole.

use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use registry::package::Unpacked;
use rustix::fs::{CWD, RenameFlags, renameat_with};

use super::error::{InstallError, at};

/// Writes the files of a package below `folder`, which is new and our own: there
/// is no link in it to follow.
pub(super) fn write_files(package: &Unpacked, folder: &Path) -> Result<(), InstallError> {
    let cannot = "it can't be written";
    fs::create_dir_all(folder).map_err(at(cannot, folder))?;
    let mut made = PathBuf::new();
    for file in package.files() {
        let path = folder.join(file.path.as_str());
        // Files are sorted, so that those of a folder follow one another.
        if let Some(parent) = path.parent().filter(|parent| *parent != folder && *parent != made) {
            fs::create_dir_all(parent).map_err(at(cannot, parent))?;
            parent.clone_into(&mut made);
        }
        let mode = if file.executable { 0o755 } else { 0o644 };
        let opened = OpenOptions::new().write(true).create_new(true).mode(mode).open(&path);
        opened.and_then(|mut opened| opened.write_all(&file.content)).map_err(at(cannot, &path))?;
    }
    Ok(())
}

/// What was done, so that it can be undone.
pub(super) enum Done<'p> {
    /// The new folder is where nothing was.
    Put { new: &'p Path, target: &'p Path },
    /// Both have changed places.
    Exchanged { new: &'p Path, target: &'p Path },
    /// The old folder is aside, the new one in its place.
    Replaced { new: &'p Path, target: &'p Path, old: &'p Path },
}

/// Puts the folder `new` where nothing is.
pub(super) fn put<'p>(new: &'p Path, target: &'p Path) -> Result<Done<'p>, InstallError> {
    let renamed = match renameat_with(CWD, new, CWD, target, RenameFlags::NOREPLACE).map_err(io::Error::from)
    {
        Err(why) if is_unknown(&why) => fs::rename(new, target),
        renamed => renamed,
    };
    renamed.map_err(at("it can't be put there", target))?;
    Ok(Done::Put { new, target })
}

/// Puts the folder `new` where another is, which comes to be at `new` or at `old`.
pub(super) fn replace<'p>(new: &'p Path, target: &'p Path, old: &'p Path) -> Result<Done<'p>, InstallError> {
    let cannot = "it can't be replaced";
    match renameat_with(CWD, new, CWD, target, RenameFlags::EXCHANGE).map_err(io::Error::from) {
        Ok(()) => return Ok(Done::Exchanged { new, target }),
        Err(why) if is_unknown(&why) => {}
        Err(why) => return Err(at(cannot, target)(why)),
    }
    move_aside(target, old)?;
    if let Err(why) = fs::rename(new, target) {
        // Nobody else is in the way while the lock is held.
        fs::rename(old, target).map_err(at("it can't be put back", target))?;
        return Err(at(cannot, target)(why));
    }
    Ok(Done::Replaced { new, target, old })
}

/// Moves the folder of a skill to `old`, whose parent is made.
pub(super) fn move_aside(target: &Path, old: &Path) -> Result<(), InstallError> {
    if let Some(parent) = old.parent() {
        fs::create_dir_all(parent).map_err(at("it can't be made", parent))?;
    }
    fs::rename(target, old).map_err(at("it can't be moved", target))
}

impl Done<'_> {
    /// As it was before.
    pub(super) fn undo(self) -> Result<(), InstallError> {
        let back = "it can't be put back";
        match self {
            Self::Put { new, target } => fs::rename(target, new).map_err(at(back, target)),
            Self::Exchanged { new, target } => {
                let exchanged = renameat_with(CWD, new, CWD, target, RenameFlags::EXCHANGE);
                exchanged.map_err(|why| at(back, target)(why.into()))
            }
            Self::Replaced { new, target, old } => {
                let both = fs::rename(target, new).and_then(|()| fs::rename(old, target));
                both.map_err(at(back, target))
            }
        }
    }
}

/// Whether the file system, or the system, does not know such a rename.
fn is_unknown(why: &io::Error) -> bool {
    use rustix::io::Errno;
    let unknown = [Errno::INVAL, Errno::NOSYS, Errno::OPNOTSUPP];
    unknown.iter().any(|errno| why.raw_os_error() == Some(errno.raw_os_error()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn replacing_and_undoing() {
        let root = tempfile::tempdir().unwrap();
        let [new, target, old] = ["scratch/new", "target", "scratch/old"].map(|name| root.path().join(name));
        for (folder, text) in [(&new, "new"), (&target, "old")] {
            fs::create_dir_all(folder).unwrap();
            fs::write(folder.join("a"), text).unwrap();
        }
        let there = || fs::read_to_string(target.join("a")).unwrap();
        let done = replace(&new, &target, &old).unwrap();
        assert_eq!(there(), "new");
        done.undo().unwrap();
        assert_eq!(there(), "old");
        // As where two folders cannot change places.
        move_aside(&target, &old).unwrap();
        fs::rename(&new, &target).unwrap();
        Done::Replaced { new: &new, target: &target, old: &old }.undo().unwrap();
        assert_eq!((there(), new.is_dir(), old.exists()), ("old".into(), true, false));
        assert!(put(&new, &target).is_err(), "something is there");
        move_aside(&target, &old).unwrap();
        put(&new, &target).unwrap().undo().unwrap();
        assert!(!target.exists() && new.is_dir());
    }
}
