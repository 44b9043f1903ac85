//! Makes the record of a folder again where it lacks what a lock file says.
//!
//! The record is derived data: a project may be checked out without it, and a merge of two branches may
//! damage it.

use std::collections::BTreeMap;
use std::path::Path;

use registry::names::{Digest, Slug};
use registry::package::content_digest;

use super::error::InstallError;
use super::skills_folder::SkillsFolder;
use super::skills_folder::differences::without_carriage_returns;
use super::skills_folder::file_marks::{FileMark, FileMarks, FoundFiles, is_litter};
use super::skills_folder::folder_state::{FolderState, inspect};
use super::skills_folder::record::{Installed, Record};
use super::skills_folder::recover::{lock, recover};

/// The skills that a lock file has in a folder, by the names of their own folders. Their lists of files
/// are empty.
pub type LockedEntries = BTreeMap<Slug, Installed>;

/// Writes the record of a folder again if it lacks locked skills whose files match, has another
/// version with the content of the locked one, or has the marks of a merge. A damaged one is replaced if
/// some skill is locked here.
pub fn mend_record(folder: &SkillsFolder, locked: &LockedEntries) -> Result<(), InstallError> {
    recover(folder)?;
    if !completed(folder, locked)?.is_incomplete {
        return Ok(());
    }
    let lock = lock(folder)?;
    // Another run may have mended it meanwhile.
    match completed(folder, locked)? {
        Completed { record, is_incomplete: true } => lock.write_record(&record),
        _ => Ok(()),
    }
}

/// A record that was completed from a lock file.
pub(super) struct Completed {
    pub record: Record,
    /// Whether the file of the record differs from this.
    pub is_incomplete: bool,
}

/// Reads the record of a folder. Adds the locked skills that it lacks, if their files match.
pub(super) fn completed(folder: &SkillsFolder, locked: &LockedEntries) -> Result<Completed, InstallError> {
    let (mut record, mut is_incomplete) = match folder.record() {
        Ok(record) => {
            let is_merged = record.is_merged;
            (record, is_merged)
        }
        Err(InstallError::RecordDamaged { .. }) if !locked.is_empty() => (Record::default(), true),
        Err(why) => return Err(why),
    };
    for (name, entry) in locked {
        if let Some(known) = record.skills.get(name) {
            // Two versions with the same content: the locked one counts.
            if known.is_content_of(entry) && known.version != entry.version {
                let Installed { installed_at, files, .. } = known.clone();
                record.skills.insert(name.clone(), Installed { installed_at, files, ..entry.clone() });
                is_incomplete = true;
            }
            continue;
        }
        let path = folder.skill(name);
        let FolderState::Folder(found) = inspect(&path)? else { continue };
        if let Some(files) = marks_of(&path, &found, &entry.content_digest) {
            record.skills.insert(name.clone(), Installed { files, ..entry.clone() });
            is_incomplete = true;
        }
    }
    Ok(Completed { record, is_incomplete })
}

/// The marks of the files found in `folder`, if they are the content with this digest. Text files count
/// with line feeds if git has changed their line ends. None if the content is another one.
fn marks_of(folder: &Path, found: &FoundFiles, content: &Digest) -> Option<FileMarks> {
    let counted = found.iter().filter(|(path, _)| !is_litter(path));
    let marks = counted.map(|(path, mark)| Some((path.clone(), (*mark)?))).collect::<Option<FileMarks>>()?;
    let is_it = |marks: &FileMarks| {
        let each = marks.iter().map(|(path, mark)| (path.as_str(), mark.executable, &mark.sha256));
        content_digest(each) == *content
    };
    if is_it(&marks) {
        return Some(marks);
    }
    let with_line_feeds = |(path, mark): (&String, &FileMark)| {
        let sha256 =
            without_carriage_returns(&folder.join(path)).map_or(mark.sha256, |text| Digest::of(&text));
        (path.clone(), FileMark { sha256, ..*mark })
    };
    Some(marks.iter().map(with_line_feeds).collect()).filter(is_it)
}
