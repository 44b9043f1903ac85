//! Checks that the data folder, the output folder and the source of a mirror do not overlap.

use std::fs;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use generator::tree::state_folder;

/// The most symbolic links in a path, as on Linux.
const MAX_LINKS: usize = 40;

/// Refuses an output folder that overlaps with the data folder, because generating the tree
/// deletes everything else in the output folder. Its state folder `<output>.state` may not
/// overlap either. `option` is the flag that sets the output folder, for messages.
///
/// Returns the output folder. `.` and `..` become real names, because the state folder is
/// named after the output folder.
pub fn keep_apart(data: &Path, output: &Path, option: &str) -> Result<PathBuf, String> {
    let setting = option.trim_start_matches('-');
    let real_data = resolve("data", data)?;
    let real_output = resolve(setting, output)?;
    let output = if output.file_name().is_some() { output } else { &real_output };
    let state = state_folder(output);
    let real_state = resolve(setting, &state)?;
    for (what, folder, real) in [("", output, &real_output), ("the state folder of ", &state, &real_state)] {
        if let Some(relation) = relation(real, &real_data) {
            let (folder, data) = (folder.display(), data.display());
            return Err(format!(
                "{what}`{setting}` ({folder}) {relation} `data` ({data}), so generating the tree would delete the \
                 journal: use separate folders, with {option} DIR and --data DIR or in the configuration file"
            ));
        }
    }
    Ok(output.to_owned())
}

/// Refuses an output folder that overlaps with the tree it is made from. Its state folder may
/// not overlap either.
pub fn keep_from_source(source: &Path, output: &Path, option: &str) -> Result<(), String> {
    let setting = option.trim_start_matches('-');
    let real_source = resolve("feed", source)?;
    for folder in [output, &state_folder(output)] {
        if let Some(relation) = relation(&resolve(setting, folder)?, &real_source) {
            return Err(format!(
                "{} {relation} the source tree ({}): use another folder with {option} DIR",
                folder.display(),
                source.display()
            ));
        }
    }
    Ok(())
}

/// Refuses to write the file `secret` to the output folder, where everyone could read it.
pub fn keep_private(secret: &Path, output: &Path) -> Result<(), String> {
    let real_secret = real_path(secret, MAX_LINKS).map_err(|why| format!("{}: {why}", secret.display()))?;
    if is_within(&real_secret, &resolve("public", output)?) {
        return Err(format!(
            "{} would be in the output folder, where everyone can read it: write it to another folder",
            secret.display()
        ));
    }
    Ok(())
}

/// The real path of a folder. The error names its setting.
fn resolve(setting: &str, folder: &Path) -> Result<PathBuf, String> {
    real_path(folder, MAX_LINKS).map_err(|why| {
        format!("cannot resolve `{setting}` ({}): {why}. Use another folder", folder.display())
    })
}

fn relation(output: &Path, data: &Path) -> Option<&'static str> {
    match (is_within(output, data), is_within(data, output)) {
        (true, true) => Some("is the same folder as"),
        (true, false) => Some("is inside"),
        (false, true) => Some("holds"),
        (false, false) => None,
    }
}

/// Whether `inner` is `outer` or below it.
fn is_within(inner: &Path, outer: &Path) -> bool {
    inner.ancestors().any(|above| above == outer || is_same(above, outer))
}

/// Whether two paths without links are the same folder: mounted twice, or written differently
/// on a file system that ignores case.
fn is_same(one: &Path, other: &Path) -> bool {
    let identity = |path: &Path| fs::metadata(path).map(|found| (found.dev(), found.ino())).ok();
    identity(one).is_some_and(|found| identity(other) == Some(found))
}

/// The absolute path without links, `.` and `..`. It need not exist. Broken links are followed
/// too, because their targets may be created later. More than `links` links are an error.
fn real_path(path: &Path, links: usize) -> io::Result<PathBuf> {
    let mut found = PathBuf::new();
    for part in std::path::absolute(path)?.components() {
        if part.as_os_str() == ".." {
            found.pop();
            continue;
        }
        found.push(part);
        if let Ok(target) = found.read_link() {
            let left = links.checked_sub(1).ok_or_else(|| io::Error::other("too many symbolic links"))?;
            found.pop();
            found = real_path(&found.join(target), left)?;
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn overlap_is_found_however_paths_are_written() {
        let root = tempfile::tempdir().unwrap();
        let at = |path: &str| root.path().join(path);
        fs::create_dir_all(at("real/data")).unwrap();
        symlink("real", at("link")).unwrap();
        symlink(at("not/yet"), at("dangling")).unwrap();
        symlink("loop", at("loop")).unwrap();
        for (data, output, relation) in [
            ("real/data", "real/data", "is the same folder as"),
            ("real/data", "link/data/", "is the same folder as"),
            ("real/data", "link/./x/../data", "is the same folder as"),
            ("not/yet", "dangling", "is the same folder as"),
            ("link/data", "real/data/deep/public", "is inside"),
            ("dangling/deep", "not", "holds"),
            ("link/data", "real", "holds"),
            ("real/data", "real/data/..", "holds"),
            ("x.state", "x", "is the same folder as"),
            ("x.state/tmp", "x", "holds"),
            ("data", "data.state/..", "holds"),
        ] {
            let why = keep_apart(&at(data), &at(output), "--public").unwrap_err();
            assert!(why.contains(relation) && why.contains("--public DIR and --data DIR"), "{output}: {why}");
        }
        for (data, output) in [("data", "public"), ("data", "data2"), ("data", "data.state"), ("a/b", "a/c")]
        {
            assert_eq!(keep_apart(&at(data), &at(output), "--public"), Ok(at(output)));
        }
        assert_eq!(keep_apart(&at("data"), &at("real/x/.."), "--out"), resolve("out", &at("real")));
        assert!(keep_apart(&at("data"), &at("loop"), "--out").is_err());
        for (source, output) in [("link", "real"), ("real", "real/data/x"), ("x.state/tree", "x")] {
            keep_from_source(&at(source), &at(output), "--out").unwrap_err();
        }
        assert_eq!(keep_from_source(&at("real"), &at("mirror"), "--out"), Ok(()));
        assert!(keep_apart(Path::new(""), Path::new("public"), "--public").unwrap_err().contains("data"));
    }

    #[test]
    fn secret_in_the_output_folder_is_refused() {
        let root = tempfile::tempdir().unwrap();
        let at = |path: &str| root.path().join(path);
        fs::create_dir_all(at("public/deep")).unwrap();
        symlink("public/deep", at("link")).unwrap();
        for secret in ["public/file", "link/file", "public/../public/file"] {
            assert!(keep_private(&at(secret), &at("public")).unwrap_err().contains("everyone"), "{secret}");
        }
        for secret in ["file", "public.zip", "public.state/file"] {
            assert_eq!(keep_private(&at(secret), &at("public")), Ok(()));
        }
    }
}
