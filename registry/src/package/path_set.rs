//! Paths that are the same file on some file systems.

use std::collections::{HashMap, HashSet};

use icu_casemap::CaseMapper;
use icu_normalizer::{ComposingNormalizer, DecomposingNormalizer};

use super::finding::{Finding, Findings};
use super::finding_codes;
use super::path::PackagePath;

/// Folds a path. Two paths have the same folded form if they are the same file on a common
/// file system: full case folding and canonical equivalence (Unicode, D145), without
/// joiners and variation selectors, as in HFS+.
pub fn folded(path: &str) -> String {
    if path.is_ascii() {
        return path.to_ascii_lowercase();
    }
    let path: String = path.chars().filter(|&c| !is_joiner(c)).collect();
    let path = path.as_str();
    let decomposed = DecomposingNormalizer::new_nfd();
    let composed = ComposingNormalizer::new_nfc();
    let fold = CaseMapper::new().fold_string(&decomposed.normalize(path)).into_owned();
    composed.normalize(&fold).into_owned()
}

/// Whether a character is a zero-width joiner or non-joiner, or a variation selector. A
/// name may have them, but two names may not differ only in them.
fn is_joiner(c: char) -> bool {
    matches!(c, '\u{200c}' | '\u{200d}' | '\u{fe00}'..='\u{fe0f}' | '\u{e0100}'..='\u{e01ef}')
}

/// Reports files with the same folded path, folders with the same folded path, and files
/// that are also folders. `folders` are the folders with an entry of their own.
pub(super) fn check<'a>(
    files: impl Iterator<Item = &'a PackagePath>,
    folders: impl Iterator<Item = &'a PackagePath>,
    findings: &mut Findings,
) {
    let (files, folders) = (by_fold(files), by_fold(folders));
    for same in files.values().chain(folders.values()).filter(|same| same.len() > 1) {
        for (i, path) in same.iter().enumerate() {
            let other = same[usize::from(i == 0)].escape_debug();
            let why =
                format!("the path is the same as `{other}` on some file systems (letter case, accents)");
            findings.error(Finding::new(finding_codes::PATH_DUPLICATE, why + ": rename one").in_file(path));
        }
    }
    // Folding keeps every `/`, so the folders of a file are prefixes of its folded path.
    let parents = files.keys().flat_map(|path| path.match_indices('/').map(|(at, _)| &path[..at]));
    let parents: HashSet<&str> = parents.chain(folders.keys().map(String::as_str)).collect();
    for path in
        files.iter().filter(|(folded, _)| parents.contains(folded.as_str())).flat_map(|(_, paths)| paths)
    {
        let why = "the path is both a file and a folder: rename one";
        findings.error(Finding::new(finding_codes::PATH_FILE_AND_FOLDER, why).in_file(path));
    }
}

/// Groups the paths by their folded form.
fn by_fold<'a>(paths: impl Iterator<Item = &'a PackagePath>) -> HashMap<String, Vec<&'a str>> {
    let mut by_fold: HashMap<String, Vec<&str>> = HashMap::new();
    for path in paths {
        by_fold.entry(folded(path.as_str())).or_default().push(path.as_str());
    }
    by_fold
}

#[cfg(test)]
mod tests {
    use super::*;

    fn codes(files: &[&str], folders: &[&str]) -> Vec<(String, String)> {
        let parse =
            |list: &[&str]| -> Vec<_> { list.iter().map(|p| PackagePath::parse(p).unwrap()).collect() };
        let mut findings = Findings::default();
        check(parse(files).iter(), parse(folders).iter(), &mut findings);
        let found = findings.take_errors().err().map_or(vec![], |refusal| refusal.findings);
        found.into_iter().map(|f| (f.path.unwrap(), f.code)).collect()
    }

    #[test]
    fn paths_with_the_same_folded_form_are_all_reported() {
        assert_eq!(codes(&["a", "b/a", "ab"], &["b", "c"]), []);
        assert_eq!(codes(&["A/x", "a/y"], &["a"]), [], "they lie in one folder then, and no harm is done");
        assert_eq!(codes(&[], &["a", "A", "b"]).len(), 2);
        for pair in [
            ["README", "readme"],
            ["straße", "STRASSE"],
            ["e\u{301}", "É"],
            ["ſ", "S"],
            ["x", "x"],
            ["a\u{200d}b", "ab"],
            ["\u{2764}\u{fe0f}", "\u{2764}"],
        ] {
            let found = codes(&pair, &[]);
            assert!(
                !found.is_empty() && found.iter().all(|f| f.1 == finding_codes::PATH_DUPLICATE),
                "{pair:?}"
            );
            assert_eq!(found.len(), if pair[0] == pair[1] { 1 } else { 2 });
        }
    }

    #[test]
    fn file_that_is_also_a_folder_is_reported() {
        let both = |path: &str| vec![(path.to_owned(), finding_codes::PATH_FILE_AND_FOLDER.to_owned())];
        assert_eq!(codes(&["a", "A/b/c"], &[]), both("a"));
        assert_eq!(codes(&["a/b", "a/b/c/d"], &[]), both("a/b"));
        assert_eq!(codes(&["a"], &["a"]), both("a"));
    }
}
