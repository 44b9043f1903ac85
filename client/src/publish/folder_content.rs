//! Reads the files of a skill's folder.

use std::fs;
use std::path::Path;

use registry::package::{Finding, Limits, LooseFile, Refusal, SKILL_MD, finding_codes, litter};

use super::folder::{self, IgnoredFiles};
use super::local_error::{LocalError, problem, refused};
use crate::platform;
use crate::regular_file::{Links, read_beyond};

/// What a folder has.
#[derive(Default)]
pub(super) struct Content {
    /// The files to publish.
    pub files: Vec<LooseFile>,
    /// What cannot be in a package.
    pub problems: Vec<Finding>,
}

/// Problems of a folder that are listed.
const MAX_PROBLEMS: usize = 100;

impl Content {
    fn add(&mut self, problem: Finding) {
        if self.problems.len() < MAX_PROBLEMS {
            self.problems.push(problem);
        }
    }
}

/// Reads the files of `folder`, up to the limits of a package.
///
/// Errors: a file cannot be read, or all together are too many or too large.
pub(super) fn read(folder: &Path, limits: &Limits, ignored: IgnoredFiles) -> Result<Content, LocalError> {
    // The paths of the entries are below the canonical path.
    let root = fs::canonicalize(folder).map_err(|why| why.to_string())?;
    let mut content = Content::default();
    let (mut sizes, mut total) = (Vec::new(), 0);
    for entry in folder::files(&root, ignored)? {
        let entry = entry?;
        let relative = entry.path().strip_prefix(&root).unwrap_or(entry.path());
        let Some(path) = platform::slashed(relative) else {
            let why = format!("the file name {relative:?} is not UTF-8: rename it");
            content.add(problem(finding_codes::PATH_NOT_UTF8, None, why));
            continue;
        };
        if litter(&path).is_some() {
            // It is left out with a warning, whatever it contains.
            if content.files.len() > limits.entries {
                return Err(too_many(limits));
            }
            content.files.push(LooseFile { path, executable: false, content: Vec::new() });
            continue;
        }
        if !entry.file_type().is_some_and(|kind| kind.is_file()) {
            let why = "it is a link or a special file: replace it with a copy of its content".to_owned();
            content.add(problem(finding_codes::ZIP_SPECIAL_FILE, Some(&path), why));
            continue;
        }
        if sizes.len() > limits.entries {
            return Err(too_many(limits));
        }
        let metadata = entry.metadata().map_err(|why| why.to_string())?;
        if total > limits.unpacked {
            // Too large. Other files are only measured, to name the folder with most of the bytes.
            sizes.push((path, metadata.len()));
            continue;
        }
        let bytes = read_beyond(entry.path(), Links::Refuse, limits.file)
            .map_err(|why| LocalError::Unread(format!("cannot read {}: {why}", path.escape_debug())))?;
        total += bytes.len() as u64;
        sizes.push((path.clone(), metadata.len().max(bytes.len() as u64)));
        let executable = platform::mode(&metadata).is_some_and(|mode| mode & 0o111 != 0);
        let file = LooseFile { path, executable, content: bytes };
        content.files.push(file);
    }
    if total > limits.unpacked {
        let sizes: Vec<_> = sizes.iter().map(|(path, size)| (path.as_str(), *size)).collect();
        let findings = limits.check_together(&sizes).into_iter().collect();
        return Err(Refusal { findings, warnings: Vec::new() }.into());
    }
    let has_skill_md = content.files.iter().any(|file| file.path == SKILL_MD);
    if !has_skill_md && ignored == IgnoredFiles::LeaveOut && root.join(SKILL_MD).is_file() {
        let why = format!(
            "an ignore file (.gitignore or .skillmirrorignore) leaves out {SKILL_MD}: add the line \
             `!{SKILL_MD}` to .skillmirrorignore"
        );
        return Err(refused(finding_codes::SKILL_MD_MISSING, None, why));
    }
    Ok(content)
}

fn too_many(limits: &Limits) -> LocalError {
    let why = format!("there are more than {} files: leave some out", limits.entries);
    refused(finding_codes::TOO_MANY_FILES, None, why)
}
