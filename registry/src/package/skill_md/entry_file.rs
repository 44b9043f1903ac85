//! Finds the entry file of a package.

use super::Strictness;
use crate::package::code;
use crate::package::entry::PlacedEntry;
use crate::package::finding::{Finding, Findings};

const NAME: &str = "SKILL.md";

/// A common mistake for [`NAME`], which is accepted if tolerant.
const MISNAMED: &str = "skills.md";

/// Finds the entry file at the root, in any letter case.
pub(in crate::package) fn find<'f, B>(
    files: &'f [PlacedEntry<B>],
    strictness: Strictness,
    findings: &mut Findings,
) -> Option<&'f PlacedEntry<B>> {
    let named = |name: &str| files.iter().find(|file| file.path.as_str().eq_ignore_ascii_case(name));
    let misnamed = || named(MISNAMED).filter(|_| strictness == Strictness::Tolerant);
    if let Some(file) = named(NAME) {
        return Some(file);
    }
    let Some(file) = misnamed() else {
        let why = "there is no SKILL.md at the root of the package or in its one top folder: add one";
        findings.error(Finding::new(code::SKILL_MD_MISSING, why));
        return None;
    };
    let why = "read as the entry file: rename it to SKILL.md";
    findings.warn(Finding::new(code::SKILL_MD_MISNAMED, why).at(file.path.as_str()));
    Some(file)
}

/// Finds the path of the entry file in a published package.
pub(super) fn path<P: AsRef<str>>(paths: &[P]) -> Option<&str> {
    let named = |name: &str| paths.iter().map(AsRef::as_ref).find(|path| path.eq_ignore_ascii_case(name));
    named(NAME).or_else(|| named(MISNAMED))
}
