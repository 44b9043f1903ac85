//! The data folder and the output folder are kept apart.

use std::ffi::OsString;
use std::fs;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// How many symbolic links a path may lead through, as on Linux.
const MOST_LINKS: usize = 40;

/// Refuses an output folder that is, holds or is inside the data folder:
/// generating clears it of all that is no document, so of the journal. The same
/// for its bookkeeping beside it. `option` is what gives the output folder on
/// the command line.
///
/// Returns the output folder, with a name of its own where it was given as `.`
/// or `..`, for the bookkeeping's folder is named after it.
pub fn keep_apart(data: &Path, output: &Path, option: &str) -> Result<PathBuf, String> {
    let setting = option.trim_start_matches('-');
    let real_data = resolve(data).map_err(|why| unclear("data", data, &why))?;
    let real_output = resolve(output).map_err(|why| unclear(setting, output, &why))?;
    let output = if output.file_name().is_some() { output } else { &real_output };
    let state = beside(output);
    let real_state = resolve(&state).map_err(|why| unclear(setting, &state, &why))?;
    let (shown, data) = (output.display(), data.display());
    let (relation, what) = if let Some(relation) = relation(&real_output, &real_data) {
        (relation, format!("`{setting}` ({shown})"))
    } else if let Some(relation) = relation(&real_state, &real_data) {
        (relation, format!("the bookkeeping of `{setting}` ({})", state.display()))
    } else {
        return Ok(output.to_owned());
    };
    Err(format!(
        "{what} {relation} `data` ({data}), and generating the tree would delete the journal: \
         give each a folder of its own, with {option} DIR and --data DIR or in the configuration file"
    ))
}

/// Refuses an output folder that is, holds or is inside the tree that it is to be
/// made from, the same for its bookkeeping.
pub fn keep_from_source(source: &Path, output: &Path, option: &str) -> Result<(), String> {
    let setting = option.trim_start_matches('-');
    let real_source = resolve(source).map_err(|why| unclear("feed", source, &why))?;
    for folder in [output, &beside(output)] {
        let real = resolve(folder).map_err(|why| unclear(setting, folder, &why))?;
        if let Some(relation) = relation(&real, &real_source) {
            return Err(format!(
                "{} {relation} the tree that is to be followed ({}): give another folder with {option} DIR",
                folder.display(),
                source.display()
            ));
        }
    }
    Ok(())
}

/// Refuses to write the file `secret` into the output folder, where everyone
/// could read it until the next generation removes it.
pub fn keep_private(secret: &Path, output: &Path) -> Result<(), String> {
    let real_secret = resolve(secret).map_err(|why| format!("{}: {why}", secret.display()))?;
    let real_output = resolve(output).map_err(|why| unclear("public", output, &why))?;
    if is_within(&real_secret, &real_output) {
        return Err(format!(
            "{} would be in the output folder, for everyone to read: give a name in another folder",
            secret.display()
        ));
    }
    Ok(())
}

fn unclear(setting: &str, path: &Path, why: &io::Error) -> String {
    format!("`{setting}` ({}) cannot be found out: {why}: give another folder", path.display())
}

/// Where the tree's bookkeeping is.
fn beside(output: &Path) -> PathBuf {
    let mut name = output.file_name().map_or_else(OsString::new, OsString::from);
    name.push(".state");
    output.with_file_name(name)
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

/// Whether two names, of which neither is a link, are one folder all the same:
/// mounted twice, or written otherwise where case does not count.
fn is_same(one: &Path, other: &Path) -> bool {
    let identity = |path: &Path| fs::metadata(path).map(|found| (found.dev(), found.ino())).ok();
    identity(one).is_some_and(|found| identity(other) == Some(found))
}

/// The path from the root without links, `.` and `..`, as far as it exists. A
/// link to what is not there yet is followed too: it may be there soon.
fn resolve(path: &Path) -> io::Result<PathBuf> {
    follow(path, MOST_LINKS)
}

fn follow(path: &Path, links: usize) -> io::Result<PathBuf> {
    let mut found = PathBuf::new();
    for part in std::path::absolute(path)?.components() {
        if part.as_os_str() == ".." {
            found.pop();
            continue;
        }
        found.push(part);
        if let Ok(target) = found.read_link() {
            let left = links.checked_sub(1).ok_or_else(|| io::Error::other("it is a link to itself"))?;
            found.pop();
            found = follow(&found.join(target), left)?;
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn every_way_of_writing_it_is_seen() {
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
        assert_eq!(keep_apart(&at("data"), &at("real/x/.."), "--out"), Ok(resolve(&at("real")).unwrap()));
        assert!(keep_apart(&at("data"), &at("loop"), "--out").is_err());
        for (source, output) in [("link", "real"), ("real", "real/data/x"), ("x.state/tree", "x")] {
            keep_from_source(&at(source), &at(output), "--out").unwrap_err();
        }
        assert_eq!(keep_from_source(&at("real"), &at("mirror"), "--out"), Ok(()));
        assert!(keep_apart(Path::new(""), Path::new("public"), "--public").unwrap_err().contains("data"));
    }

    #[test]
    fn a_secret_is_not_put_where_everyone_reads() {
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
