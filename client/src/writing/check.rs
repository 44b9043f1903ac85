//! Checks a local package by the registry's rules, before anything leaves the machine.

use std::path::Path;

use registry::names::{Coordinate, Digest};
use registry::package::{
    Finding, Limits, Package, ReadOptions, Refusal, RequestedName, Strictness, finding_codes,
};

use super::left_out::left_out;
use crate::ClientError;
use crate::publish::local_package::{IgnoredFiles, LocalError, LocalPackage, name_of, read_package};
use crate::regular_file::{self, Links};

/// The size limit of a zip: 50 MiB, the default of `limits.zip` at a registry.
const ZIP_LIMIT: u64 = 50 << 20;

/// What to check.
#[derive(Debug, Clone, Copy)]
pub struct CheckRequest<'a> {
    /// The folder of a skill, or a zip of one.
    pub path: &'a Path,
    /// Secret files that the publisher allows, by their paths in the package.
    pub allowed_files: &'a [String],
    /// Whether the publication names the skill, so that the package need not.
    pub is_named: bool,
}

/// What publishing a package would say.
#[derive(Debug)]
pub struct Checked {
    /// Why it would be refused, sorted by path and line. Empty if it would not.
    pub errors: Vec<Finding>,
    /// The warnings, sorted by path and line.
    pub warnings: Vec<Finding>,
    /// The package. None with errors.
    pub accepted: Option<Accepted>,
    /// The files and folders of a folder that are not published, sorted. Folders end in `/`.
    pub left_out: Vec<String>,
}

impl Checked {
    /// Whether all clients load the package that the registry knows the rules of.
    pub fn is_portable(&self) -> bool {
        self.warnings.iter().all(|warning| warning.code != finding_codes::NOT_PORTABLE)
    }
}

/// A package that would be accepted.
#[derive(Debug)]
pub struct Accepted {
    /// The package.
    pub package: Package,
    /// The bytes to send: the canonical archive of a folder, or a zip as it is.
    pub zip: Vec<u8>,
    /// The archive as registries keep it, with its digest.
    pub archive: Archive,
}

impl Accepted {
    /// The sha256 of the bytes to send.
    pub fn zip_digest(&self) -> Digest {
        Digest::of(&self.zip)
    }
}

/// The digest and size of a canonical archive.
#[derive(Debug, Clone, Copy)]
pub struct Archive {
    /// The sha256.
    pub sha256: Digest,
    /// The size in bytes.
    pub size: u64,
}

impl Checked {
    /// The accepted package, or the errors as one. `outcome` says what is then not done, such as "was not
    /// sent".
    pub fn into_accepted(self, outcome: &'static str) -> Result<Accepted, ClientError> {
        let Self { errors, warnings, accepted, .. } = self;
        let refusal = Refusal { findings: errors, warnings };
        accepted.ok_or(ClientError::Package { refusal, outcome })
    }
}

/// Checks a package: the same checks, in the same order, as those of a registry with default limits.
///
/// Errors: the folder or a file in it cannot be read, or an allowed file does not exist.
pub fn check(request: &CheckRequest<'_>) -> Result<Checked, ClientError> {
    let unusable = |why: String| ClientError::File { path: request.path.to_owned(), why };
    let (limits, name) = (Limits::default(), name_of(request.path).unwrap_or_default());
    let options = ReadOptions {
        source_name: Some(&name),
        strictness: Strictness::Strict,
        limits: &limits,
        allowed_files: request.allowed_files,
    };
    let mut checked =
        Checked { errors: Vec::new(), warnings: Vec::new(), accepted: None, left_out: Vec::new() };
    match read_package(request.path, &options, ZIP_LIMIT, IgnoredFiles::LeaveOut) {
        Ok(local) => checked.accept(local, request).map_err(unusable)?,
        Err(LocalError::Refused(refusal)) => {
            (checked.errors, checked.warnings) = (refusal.findings, refusal.warnings);
        }
        Err(LocalError::Unread(why)) => return Err(unusable(why)),
    }
    let files = checked.accepted.as_ref().map(|accepted| accepted.package.files.as_slice());
    if let Some(files) = files.filter(|_| request.path.is_dir()) {
        let published = files.iter().map(|file| file.path.as_str());
        checked.left_out = left_out(request.path, published).map_err(|why| unusable(why.to_string()))?;
    }
    if request.path.is_dir() {
        add_columns(request.path, checked.errors.iter_mut().chain(&mut checked.warnings));
    }
    Ok(checked)
}

impl Checked {
    /// Takes a package, unless only publishing it would fail.
    fn accept(&mut self, local: LocalPackage, request: &CheckRequest<'_>) -> Result<(), String> {
        let LocalPackage { package, zip } = local;
        if let Some(path) = request.allowed_files.iter().find(|path| package.read(path).is_none()) {
            return Err(format!(
                "--allow-file names `{path}`, which is not in the package: give the path from the folder of \
                 SKILL.md. If .gitignore leaves it out, add the line `!{path}` to .skillmirrorignore"
            ));
        }
        self.warnings.clone_from(&package.warnings);
        self.warnings.extend(package.manifest.slug().map_or_else(Vec::new, |slug| package.portability(slug)));
        // Only the publication says the namespace of a skill that names none.
        if let Some(RequestedName { namespace: Some(namespace), slug }) = &package.manifest.requested_name {
            let own = Coordinate::new(namespace.clone(), slug.clone());
            self.errors.extend(package.manifest.requires_of(&own).err());
        }
        let canonical = package.archive().map_err(|why| registry::with_causes(&why))?;
        let archive = Archive { sha256: Digest::of(&canonical), size: canonical.len() as u64 };
        // A zip is sent as it was validated: its top folder may be the only place with the name.
        let zip = zip.unwrap_or(canonical);
        if !request.is_named {
            match package.manifest.slug() {
                None => self.errors.push(error(
                    finding_codes::NAME_MISSING,
                    "the package has no name: write `name:` into the front matter of SKILL.md".to_owned(),
                )),
                Some(slug) => {
                    let used = format!("the name of its folder or file was used, `{slug}`");
                    self.warnings.extend(package.missing_name(&used));
                }
            }
        }
        if zip.len() as u64 > ZIP_LIMIT {
            let why = format!(
                "the package has {} bytes, and registries accept {ZIP_LIMIT} by default: leave some files out",
                zip.len()
            );
            self.errors.push(error(finding_codes::PACKAGE_TOO_LARGE, why));
        }
        self.warnings.sort();
        if self.errors.is_empty() {
            self.accepted = Some(Accepted { package, zip, archive });
        }
        Ok(())
    }
}

/// An error about the whole package.
fn error(code: &str, message: String) -> Finding {
    Finding { path: None, line: None, column: None, code: code.to_owned(), message, level: None }
}

/// Adds the columns of findings about a line: where its text begins. The file is read again, because
/// a refused package is gone; if that fails, the finding has no column.
fn add_columns<'f>(folder: &Path, findings: impl Iterator<Item = &'f mut Finding>) {
    let mut text: Option<(String, String)> = None;
    for finding in findings {
        let (Some(path), Some(line), None) = (&finding.path, finding.line, finding.column) else { continue };
        if text.as_ref().is_none_or(|(known, _)| known != path) {
            let read = read_text(&folder.join(path)).unwrap_or_default();
            text = Some((path.clone(), read));
        }
        let lines = text.as_ref().map_or("", |(_, text)| text.as_str()).lines();
        let shown = usize::try_from(line).ok().and_then(|line| lines.into_iter().nth(line.checked_sub(1)?));
        finding.column = shown.map(|line| {
            let indent = line.chars().take_while(|c| c.is_whitespace()).count();
            // An empty line has only its first column.
            if indent == line.chars().count() { 1 } else { indent as u64 + 1 }
        });
    }
}

fn read_text(path: &Path) -> Option<String> {
    let bytes = regular_file::read(path, Links::Refuse, Limits::default().file).ok()?;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use std::fs;

    use super::*;

    fn checked(files: &[(&str, &str)]) -> Checked {
        let folder = tempfile::tempdir().unwrap();
        let skill = folder.path().join("hello");
        for (path, content) in files {
            let path = skill.join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, content).unwrap();
        }
        check(&CheckRequest { path: &skill, allowed_files: &[], is_named: false }).unwrap()
    }

    fn places(findings: &[Finding]) -> Vec<(&str, Option<u64>, Option<u64>)> {
        findings.iter().map(|found| (found.code.as_str(), found.line, found.column)).collect()
    }

    #[test]
    fn package_with_warnings_is_accepted() {
        let text = "---\ndescription: Greets.\nversion: 1\n---\n";
        let Checked { errors, warnings, accepted, left_out } =
            checked(&[("SKILL.md", text), (".gitignore", "*.log\n"), ("a.log", ""), ("b/c.log", "")]);
        assert_eq!(
            places(&warnings),
            [
                ("name_missing", Some(1), Some(1)),
                ("not_portable", Some(1), Some(1)),
                ("not_portable", Some(3), Some(1)),
                ("version_repaired", Some(3), Some(1))
            ]
        );
        assert!(errors.is_empty(), "{errors:?}");
        assert_eq!(left_out, [".gitignore", "a.log", "b/"]);
        let Accepted { zip, archive, .. } = accepted.unwrap();
        assert_eq!((Digest::of(&zip), zip.len() as u64), (archive.sha256, archive.size));
    }

    #[test]
    fn errors_and_warnings_are_found_together() {
        let secret = ["  ghp", "_", &"Zk3".repeat(3), "Qw9rTy2Lp8VbXc4Nm6HsJd1Fg7A"].concat();
        let text = "---\nname: Hello\ndescription: x\nmetadata:\n  version: one\n---\n";
        let checked = checked(&[("SKILL.md", text), ("x.txt", &secret), (".mcp.json", "{}")]);
        assert_eq!(
            places(&checked.errors),
            [
                ("name_invalid", Some(2), Some(1)),
                ("version_invalid", Some(5), Some(3)),
                ("secret_found", Some(1), Some(3)),
            ]
        );
        assert_eq!(places(&checked.warnings), [("configures_tools", None, None)]);
        assert!(checked.accepted.is_none() && checked.into_accepted("was not sent").is_err());
    }
}
