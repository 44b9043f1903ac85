//! What a set of paths may not be: two names for one file.

use std::collections::HashMap;

use icu_casemap::CaseMapper;
use icu_normalizer::{ComposingNormalizer, DecomposingNormalizer};

use super::code;
use super::finding::{Finding, Findings};
use super::path::PackagePath;

/// The form in which two paths are equal when any usual file system may take
/// them for one: full case folding and canonical equivalence (Unicode, D145).
fn folded(path: &str) -> String {
    if path.is_ascii() {
        return path.to_ascii_lowercase();
    }
    let decomposed = DecomposingNormalizer::new_nfd();
    let composed = ComposingNormalizer::new_nfc();
    let fold = CaseMapper::new().fold_string(&decomposed.normalize(path)).into_owned();
    composed.normalize(&fold).into_owned()
}

/// Reports every file that shares its folded path with another one, and every
/// file whose path is also a folder. `folders` are those named by entries of
/// their own; folders that files lie in are known anyway.
pub(super) fn check<'a>(
    files: impl Iterator<Item = &'a PackagePath> + Clone,
    folders: impl Iterator<Item = &'a PackagePath>,
    findings: &mut Findings,
) {
    let mut by_fold: HashMap<String, Vec<&str>> = HashMap::new();
    for path in files.clone() {
        by_fold.entry(folded(path.as_str())).or_default().push(path.as_str());
    }
    for same in by_fold.values().filter(|same| same.len() > 1) {
        for (i, path) in same.iter().enumerate() {
            let other = same[usize::from(i == 0)].escape_debug();
            let why = format!("the path is the same as `{other}` where letter case or accents don't count");
            findings.error(Finding::new(code::PATH_DUPLICATE, why + ": rename one").at(path));
        }
    }
    let mut both = |folder: &str| {
        for path in by_fold.get(&folded(folder)).into_iter().flatten() {
            let why = "the path is both a file and a folder: rename one";
            findings.error(Finding::new(code::PATH_FILE_AND_FOLDER, why).at(path));
        }
    };
    for folder in folders {
        both(folder.as_str());
    }
    let mut last = "";
    for path in files {
        let parent = path.as_str().rsplit_once('/').map_or("", |(parent, _)| parent);
        if parent != last {
            let ends = parent.match_indices('/').map(|(at, _)| at).chain([parent.len()]);
            ends.filter(|&end| end > 0).for_each(|end| both(&parent[..end]));
            last = parent;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn codes(files: &[&str], folders: &[&str]) -> Vec<(String, String)> {
        let parse =
            |list: &[&str]| -> Vec<_> { list.iter().map(|p| PackagePath::parse(p).unwrap()).collect() };
        let mut findings = Findings::default();
        check(parse(files).iter(), parse(folders).iter(), &mut findings);
        let found = findings.check().err().map_or(vec![], |refusal| refusal.findings);
        found.into_iter().map(|f| (f.path.unwrap(), f.code)).collect()
    }

    #[test]
    fn equal_names_are_all_named() {
        assert_eq!(codes(&["a", "b/a", "ab"], &["b", "c"]), []);
        for pair in [["README", "readme"], ["straße", "STRASSE"], ["e\u{301}", "É"], ["ſ", "S"], ["x", "x"]]
        {
            let found = codes(&pair, &[]);
            assert!(!found.is_empty() && found.iter().all(|f| f.1 == code::PATH_DUPLICATE), "{pair:?}");
            assert_eq!(found.len(), if pair[0] == pair[1] { 1 } else { 2 });
        }
    }

    #[test]
    fn file_and_folder() {
        let both = |path: &str| vec![(path.to_owned(), code::PATH_FILE_AND_FOLDER.to_owned())];
        assert_eq!(codes(&["a", "A/b/c"], &[]), both("a"));
        assert_eq!(codes(&["a/b", "a/b/c/d"], &[]), both("a/b"));
        assert_eq!(codes(&["a"], &["a"]), both("a"));
    }
}
