//! Reads a package from the local disk, to publish or import it.

use std::fs;
use std::io::Read;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use registry::package::{LooseFile, Package, ReadOptions, Refusal};

use super::folder;
pub use super::folder::IgnoredFiles;
use crate::regular_file::{self, Links};

/// The file that every skill has.
const SKILL_MD: &str = "SKILL.md";

/// Why a local package cannot be published.
#[derive(Debug, thiserror::Error)]
pub enum LocalError {
    /// It cannot be read. The text says why and what to do.
    #[error("{0}")]
    Unread(String),
    /// Its content is refused.
    #[error(transparent)]
    Refused(#[from] Refusal),
}

impl From<String> for LocalError {
    fn from(why: String) -> Self {
        Self::Unread(why)
    }
}

/// The name for a package that does not contain its own: that of its folder, or of its zip
/// without the extension.
pub fn name_of(path: &Path) -> Option<String> {
    // Turns `.` and `..` into names.
    let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let name = if path.is_dir() { path.file_name() } else { path.file_stem() };
    name.map(|name| name.to_string_lossy().into_owned())
}

/// A package from the local disk.
#[derive(Debug)]
pub struct LocalPackage {
    /// The validated package.
    pub package: Package,
    /// The bytes of the zip that were validated. None for a folder.
    pub zip: Option<Vec<u8>>,
}

/// Reads and validates a package: a zip of at most `zip_limit` bytes, or a folder. A zip has no
/// ignored files.
pub fn read_package(
    path: &Path,
    options: &ReadOptions<'_>,
    zip_limit: u64,
    ignored: IgnoredFiles,
) -> Result<LocalPackage, LocalError> {
    if path.is_dir() {
        let package = Package::from_files(loose_files(path, options, ignored)?, options)?;
        return Ok(LocalPackage { package, zip: None });
    }
    let zip = read_zip(path, zip_limit)?;
    Ok(LocalPackage { package: Package::from_zip(&zip, options)?, zip: Some(zip) })
}

/// Reads a regular file, but at most one byte more than `most`, which is enough for the validation
/// to see that the file is too large.
fn read(path: &Path, links: Links, most: u64) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    let file = regular_file::open(path, links).map_err(|why| why.to_string())?;
    file.take(most.saturating_add(1)).read_to_end(&mut bytes).map_err(|why| why.to_string())?;
    Ok(bytes)
}

/// Reads a zip of at most `limit` bytes.
fn read_zip(path: &Path, limit: u64) -> Result<Vec<u8>, String> {
    let bytes = read(path, Links::Follow, limit)?;
    if bytes.len() as u64 > limit {
        return Err(format!(
            "the zip is larger than {limit} bytes: make it smaller, or raise `limits.zip` of the registry"
        ));
    }
    Ok(bytes)
}

fn loose_files(
    folder: &Path,
    options: &ReadOptions<'_>,
    ignored: IgnoredFiles,
) -> Result<Vec<LooseFile>, LocalError> {
    let limits = options.limits;
    // The paths of the entries are below the canonical path.
    let root = fs::canonicalize(folder).map_err(|why| why.to_string())?;
    let mut files = Vec::new();
    let (mut sizes, mut total) = (Vec::new(), 0);
    for entry in folder::files(&root, ignored)? {
        let entry = entry?;
        let relative = entry.path().strip_prefix(&root).unwrap_or(entry.path());
        let path =
            relative.to_str().ok_or_else(|| format!("the file name {relative:?} is not UTF-8: rename it"))?;
        if !entry.file_type().is_some_and(|kind| kind.is_file()) {
            let why = format!("{path} is a link or a special file: replace it with a copy of its content");
            return Err(why.into());
        }
        if sizes.len() > limits.entries {
            return Err(format!("there are more than {} files: leave some out", limits.entries).into());
        }
        let metadata = entry.metadata().map_err(|why| why.to_string())?;
        if total > limits.unpacked {
            // Too large. Other files are only measured, to name the folder with most of the bytes.
            sizes.push((path.to_owned(), metadata.len()));
            continue;
        }
        let content = read(entry.path(), Links::Refuse, limits.file)?;
        total += content.len() as u64;
        sizes.push((path.to_owned(), metadata.len().max(content.len() as u64)));
        let mode = metadata.permissions().mode();
        files.push(LooseFile { path: path.to_owned(), executable: mode & 0o111 != 0, content });
    }
    if total > limits.unpacked {
        let sizes: Vec<_> = sizes.iter().map(|(path, size)| (path.as_str(), *size)).collect();
        let findings = limits.check_together(&sizes).into_iter().collect();
        return Err(Refusal { findings }.into());
    }
    let has_skill_md = files.iter().any(|file| file.path == SKILL_MD);
    if !has_skill_md && ignored == IgnoredFiles::LeaveOut && root.join(SKILL_MD).is_file() {
        return Err(format!(
            "an ignore file (.gitignore or .skillmirrorignore) leaves out {SKILL_MD}: add the line \
             `!{SKILL_MD}` to .skillmirrorignore"
        )
        .into());
    }
    Ok(files)
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use registry::package::{Limits, Strictness};

    use super::*;

    /// A zip with a skill of this description.
    fn zip_of(description: &str, options: &ReadOptions<'_>) -> Vec<u8> {
        let content = format!("---\nname: hello\ndescription: {description}\n---\n").into_bytes();
        let file = LooseFile { path: SKILL_MD.into(), executable: false, content };
        Package::from_files(vec![file], options).unwrap().archive().unwrap()
    }

    #[test]
    fn zip_that_changes_after_validation_is_sent_as_validated() {
        let limits = Limits::default();
        let options = ReadOptions {
            source_name: None,
            strictness: Strictness::Strict,
            limits: &limits,
            allowed_files: &[],
        };
        let (validated, later) = (zip_of("Greets.", &options), zip_of("Threatens.", &options));
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("hello.zip");
        fs::write(&path, &validated).unwrap();
        let local = read_package(&path, &options, 1 << 20, IgnoredFiles::LeaveOut).unwrap();
        fs::write(&path, later).unwrap();
        assert_eq!(local.package.manifest.description, "Greets.");
        assert_eq!(local.zip.unwrap(), validated);
    }
}
