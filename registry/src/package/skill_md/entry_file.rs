//! Finds the entry file of a package.

use super::Strictness;
use crate::package::entry::PlacedEntry;
use crate::package::finding::{Finding, Findings};
use crate::package::finding_codes;
use crate::package::path::PackagePath;

/// The file that every skill has.
pub const SKILL_MD: &str = "SKILL.md";

/// A common mistake for [`SKILL_MD`], which is accepted if tolerant.
const MISNAMED: &str = "skills.md";

/// Finds the entry file at the root, in any letter case. `is_refused` says that a refused path may be that
/// of the entry file.
pub(in crate::package) fn find<'f, B>(
    files: &'f [PlacedEntry<B>],
    is_refused: bool,
    strictness: Strictness,
    findings: &mut Findings,
) -> Option<&'f PlacedEntry<B>> {
    let named = |name: &str| files.iter().find(|file| file.path.as_str().eq_ignore_ascii_case(name));
    let misnamed = || named(MISNAMED).filter(|_| strictness == Strictness::Tolerant);
    if let Some(file) = named(SKILL_MD) {
        return Some(file);
    }
    let Some(file) = misnamed() else {
        if is_refused {
            return None;
        }
        let paths: Vec<&str> = files.iter().map(|file| file.path.as_str()).collect();
        let why = format!("there is no SKILL.md at the root of the package{}", remedy(&paths));
        findings.error(Finding::new(finding_codes::SKILL_MD_MISSING, why));
        return None;
    };
    let why = "read as the entry file: rename it to SKILL.md";
    findings.warn(Finding::new(finding_codes::SKILL_MD_MISNAMED, why).in_file(file.path.as_str()));
    Some(file)
}

/// Renames the entry file at `path` to [`SKILL_MD`], because many clients look for exactly that name. The
/// files stay sorted.
pub(in crate::package) fn name_as_clients_do<B>(
    files: &mut [PlacedEntry<B>],
    path: &PackagePath,
    findings: &mut Findings,
) {
    let entry_file = files.iter_mut().find(|file| file.path == *path && path.as_str() != SKILL_MD);
    let (Some(file), Ok(name)) = (entry_file, PackagePath::parse(SKILL_MD)) else { return };
    file.path = name;
    files.sort_by(|a, b| a.path.cmp(&b.path));
    let why = "the entry file is stored as `SKILL.md`, the name that clients look for";
    findings.warn(Finding::new(finding_codes::SKILL_MD_RENAMED, why).in_file(path.as_str()));
}

/// What to do about a missing entry file: a similar name at the root, or SKILL.md in a folder
/// below it, is probably meant.
fn remedy(paths: &[&str]) -> String {
    if let Some(similar) = paths.iter().find(|path| is_similar(path)) {
        return format!(", but there is a `{similar}`: rename it to {SKILL_MD}");
    }
    let folder = |path: &&'_ str| {
        let (folder, file) = path.rsplit_once('/')?;
        file.eq_ignore_ascii_case(SKILL_MD).then(|| folder.to_owned())
    };
    let folders: Vec<String> = paths.iter().filter_map(folder).collect();
    match folders.as_slice() {
        [] => " or in its one top folder: add one".to_owned(),
        [one] => format!(", but there is one in the folder `{one}`: publish that folder"),
        [first, ..] => {
            let count = folders.len();
            format!(", but there are {count} in folders, such as `{first}`: publish each of them alone")
        }
    }
}

/// Whether a file at the root is named almost like SKILL.md: `Skills.md`, `skill.txt`.
fn is_similar(path: &str) -> bool {
    let letters: String = path.chars().filter(|c| !matches!(c, '.' | ' ' | '_' | '-')).collect();
    let letters = letters.to_lowercase();
    let Some(ending) = letters.strip_prefix("skills").or_else(|| letters.strip_prefix("skill")) else {
        return false;
    };
    matches!(ending, "" | "md" | "mdx" | "mdown" | "markdown" | "txt" | "mdtxt" | "mdmd" | "file" | "filemd")
}

/// Finds the path of the entry file in a published package.
pub(in crate::package) fn path<P: AsRef<str>>(paths: &[P]) -> Option<&str> {
    let named = |name: &str| paths.iter().map(AsRef::as_ref).find(|path| path.eq_ignore_ascii_case(name));
    named(SKILL_MD).or_else(|| named(MISNAMED))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn missing_entry_file_is_told_with_its_likely_place() {
        for similar in ["Skills.md", "SKILLS.md", "SKILL.txt", "skill", "skill.md.txt", "Skill.markdown"] {
            let expected = format!(", but there is a `{similar}`: rename it to SKILL.md");
            assert_eq!(remedy(&["README.md", similar, "a/SKILL.md"]), expected);
        }
        assert_eq!(remedy(&["README.md", "skillful.md", "skill/x.md"]), " or in its one top folder: add one");
        let one = remedy(&["README.md", "a/b/skill.md"]);
        assert_eq!(one, ", but there is one in the folder `a/b`: publish that folder");
        let many = remedy(&["a/SKILL.md", "b/SKILL.md"]);
        assert_eq!(many, ", but there are 2 in folders, such as `a`: publish each of them alone");
    }
}
