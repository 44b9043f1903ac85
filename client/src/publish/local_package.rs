//! Reads a package from the local disk, to publish or import it.

use std::fs;
use std::path::Path;

use registry::package::{Package, ReadOptions, Refusal, SKILL_MD, finding_codes};

pub use super::folder::IgnoredFiles;
use super::folder_content::{self, Content};
pub use super::local_error::LocalError;
use super::local_error::refused;
use crate::regular_file::{Links, read_beyond};

/// The name for a package that does not contain its own: that of its folder, or of its zip
/// without the extension.
pub fn name_of(path: &Path) -> Option<String> {
    // Turns `.` and `..` into names.
    let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let name = if path.is_dir() { path.file_name() } else { path.file_stem() };
    name.map(|name| name.to_string_lossy().into_owned())
}

/// The folder of a skill that a path to its SKILL.md means. None for any other path.
pub fn folder_of_skill_md(path: &Path) -> Option<&Path> {
    let is_it = path.file_name().is_some_and(|name| name.eq_ignore_ascii_case(SKILL_MD)) && path.is_file();
    let folder = path.parent().filter(|_| is_it)?;
    Some(if folder.as_os_str().is_empty() { Path::new(".") } else { folder })
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
        let Content { files, problems } = folder_content::read(path, options.limits, ignored)?;
        let read = Package::from_files(files, options);
        if problems.is_empty() {
            return Ok(LocalPackage { package: read?, zip: None });
        }
        // All problems of the folder and of its files together.
        let (others, warnings) = match read {
            Ok(package) => (Vec::new(), package.warnings),
            Err(Refusal { findings, warnings }) => (findings, warnings),
        };
        let findings = problems.into_iter().chain(others).collect();
        return Err(Refusal { findings, warnings }.into());
    }
    let zip = read_zip(path, zip_limit)?;
    Ok(LocalPackage { package: Package::from_zip(&zip, options)?, zip: Some(zip) })
}

/// Reads a zip of at most `limit` bytes.
fn read_zip(path: &Path, limit: u64) -> Result<Vec<u8>, LocalError> {
    let bytes = read_beyond(path, Links::Follow, limit).map_err(|why| why.to_string())?;
    if bytes.len() as u64 > limit {
        let why = format!(
            "the zip is larger than {limit} bytes: make it smaller, or raise `limits.zip` of the registry"
        );
        return Err(refused(finding_codes::PACKAGE_TOO_LARGE, None, why));
    }
    Ok(bytes)
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use registry::package::{Limits, LooseFile, Strictness};

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
