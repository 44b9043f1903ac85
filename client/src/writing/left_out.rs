//! The files of a folder that publishing leaves out.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::Path;

/// The files and folders below `folder` that are not in `published`, sorted. A folder without any
/// published file is named once, with a `/` at its end, and not opened. `.git` is not named.
pub(super) fn left_out<'p>(
    folder: &Path,
    published: impl Iterator<Item = &'p str>,
) -> io::Result<Vec<String>> {
    let (mut files, mut folders) = (BTreeSet::new(), BTreeSet::new());
    for path in published {
        files.insert(path);
        folders.extend(path.match_indices('/').map(|(at, _)| &path[..at]));
    }
    let mut found = Vec::new();
    let mut open = vec![String::new()];
    while let Some(within) = open.pop() {
        for entry in fs::read_dir(folder.join(&within))? {
            let entry = entry?;
            let name = entry.file_name().to_string_lossy().into_owned();
            let is_git = name == ".git";
            let path = if within.is_empty() { name } else { format!("{within}/{name}") };
            match entry.file_type()?.is_dir() {
                _ if is_git || files.contains(path.as_str()) => {}
                true if folders.contains(path.as_str()) => open.push(path),
                true => found.push(path + "/"),
                false => found.push(path),
            }
        }
    }
    found.sort();
    Ok(found)
}
