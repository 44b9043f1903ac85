//! Swaps the folder of a skill in one step, so that readers see the old skill or the new
//! one, complete.

use std::fs;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

use registry::package::Unpacked;

use crate::install::error::{InstallError, at};
use crate::platform;

/// Writes the files of a package to `folder`. It must be a new scratch folder, so that it
/// contains no link to follow.
pub(in crate::install) fn write_files(package: &Unpacked, folder: &Path) -> Result<(), InstallError> {
    fs::create_dir_all(folder).map_err(at("cannot create", folder))?;
    let mut created = PathBuf::new();
    for file in &package.files {
        let path = folder.join(file.path.as_str());
        // Files are sorted, so those of one folder are adjacent.
        if let Some(parent) = path.parent().filter(|parent| *parent != folder && *parent != created) {
            fs::create_dir_all(parent).map_err(at("cannot create", parent))?;
            parent.clone_into(&mut created);
        }
        let mode = if file.executable { 0o755 } else { 0o644 };
        let opened = platform::creating_with_mode(mode).write(true).create_new(true).open(&path);
        opened.and_then(|mut opened| opened.write_all(&file.content)).map_err(at("cannot write", &path))?;
    }
    Ok(())
}

/// A completed swap, which can be undone.
pub(in crate::install) enum Swap<'p> {
    /// `new` was moved to `target`, where nothing was.
    Moved { new: &'p Path, target: &'p Path },
    /// `new` and `target` were exchanged.
    Exchanged { new: &'p Path, target: &'p Path },
    /// `target` was moved to `old`, then `new` to `target`.
    Replaced { new: &'p Path, target: &'p Path, old: &'p Path },
}

/// Moves the folder `new` to `target`, where nothing may be.
pub(in crate::install) fn put<'p>(new: &'p Path, target: &'p Path) -> Result<Swap<'p>, InstallError> {
    let renamed = match platform::move_to_free(new, target) {
        Err(why) if why.kind() == ErrorKind::Unsupported => fs::rename(new, target),
        renamed => renamed,
    };
    renamed.map_err(at("cannot write", target))?;
    Ok(Swap::Moved { new, target })
}

/// Replaces the folder `target` with `new`. The replaced folder ends up at `new` or `old`.
pub(in crate::install) fn replace<'p>(
    new: &'p Path,
    target: &'p Path,
    old: &'p Path,
) -> Result<Swap<'p>, InstallError> {
    match platform::exchange(new, target) {
        Ok(()) => return Ok(Swap::Exchanged { new, target }),
        Err(why) if why.kind() == ErrorKind::Unsupported => {}
        Err(why) => return Err(at("cannot replace", target)(why)),
    }
    move_aside(target, old)?;
    if let Err(why) = fs::rename(new, target) {
        // Nothing else has taken the path, because this run holds the lock.
        fs::rename(old, target).map_err(at("cannot restore", target))?;
        return Err(at("cannot replace", target)(why));
    }
    Ok(Swap::Replaced { new, target, old })
}

/// Moves the folder of a skill to `old`. Creates the parent of `old`.
pub(in crate::install) fn move_aside(target: &Path, old: &Path) -> Result<(), InstallError> {
    if let Some(parent) = old.parent() {
        fs::create_dir_all(parent).map_err(at("cannot create", parent))?;
    }
    fs::rename(target, old).map_err(at("cannot move", target))
}

impl Swap<'_> {
    /// Restores the state before the swap.
    pub(in crate::install) fn undo(self) -> Result<(), InstallError> {
        let (target, undone) = match self {
            Self::Moved { new, target } => (target, fs::rename(target, new)),
            Self::Exchanged { new, target } => (target, platform::exchange(new, target)),
            Self::Replaced { new, target, old } => {
                (target, fs::rename(target, new).and_then(|()| fs::rename(old, target)))
            }
        };
        undone.map_err(at("cannot restore", target))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn undone_swap_restores_the_old_folder() {
        let root = tempfile::tempdir().unwrap();
        let [new, target, old] = ["scratch/new", "target", "scratch/old"].map(|name| root.path().join(name));
        for (folder, text) in [(&new, "new"), (&target, "old")] {
            fs::create_dir_all(folder).unwrap();
            fs::write(folder.join("a"), text).unwrap();
        }
        let content = || fs::read_to_string(target.join("a")).unwrap();
        let swap = replace(&new, &target, &old).unwrap();
        assert_eq!(content(), "new");
        swap.undo().unwrap();
        assert_eq!(content(), "old");
        // As on a file system that cannot exchange two folders.
        move_aside(&target, &old).unwrap();
        fs::rename(&new, &target).unwrap();
        Swap::Replaced { new: &new, target: &target, old: &old }.undo().unwrap();
        assert_eq!((content(), new.is_dir(), old.exists()), ("old".into(), true, false));
        assert!(put(&new, &target).is_err(), "the target exists");
        move_aside(&target, &old).unwrap();
        put(&new, &target).unwrap().undo().unwrap();
        assert!(!target.exists() && new.is_dir());
    }
}
