//! The paths of a package: junk is dropped, and one top folder is stripped.

use std::collections::{BTreeMap, HashSet};

use super::entry::{PlacedEntry, RawEntry};
use super::finding::{Finding, Findings};
use super::finding_codes;
use super::largest_folder;
use super::limits::Limits;
use super::litter::{self, Litter, LitterKind};
use super::path::{self, PackagePath};
use super::path_set;
use super::rules;
use super::skill_md::SKILL_MD;

/// The files of a package, sorted by path bytes.
pub(super) struct Layout<B> {
    pub files: Vec<PlacedEntry<B>>,
    /// Folders that have entries of their own.
    pub folders: Vec<PlacedEntry<B>>,
    /// The entry of the top folder, and folders beside it. They are not part of the
    /// package.
    pub outside: Vec<PlacedEntry<B>>,
    /// The top folder that was stripped.
    pub top: Option<String>,
    /// Whether an entry with an invalid path may be the SKILL.md.
    pub may_lack_skill_md: bool,
}

/// Where entries come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Origin {
    /// A publisher, whose litter is left out.
    Publisher,
    /// A registry. Its archive may have what is no longer published, and its digests count that.
    Registry,
}

/// Checks the paths of the entries. Invalid paths are errors. Dropped junk is one warning
/// for each folder or file.
pub(super) fn arrange<B>(
    entries: Vec<RawEntry<B>>,
    origin: Origin,
    limits: &Limits,
    findings: &mut Findings,
) -> Layout<B> {
    let kept = drop_junk(entries, origin, findings);
    let top = top_folder(&kept);
    let prefix = top.as_ref().map(|top| format!("{top}/"));
    let (mut files, mut folders, mut outside) = (Vec::new(), Vec::new(), Vec::new());
    let mut refused = RefusedNames::default();
    for entry in kept {
        let inside = prefix.as_deref().and_then(|prefix| entry.name.strip_prefix(prefix));
        let path = match PackagePath::parse(inside.unwrap_or(&entry.name)) {
            Ok(path) => path,
            Err(finding) => {
                refused.add(&entry.name, finding, findings);
                continue;
            }
        };
        let placed = PlacedEntry { path, executable: entry.executable, body: entry.body };
        if !entry.folder {
            files.push(placed);
        } else if inside.is_some() || prefix.is_none() {
            folders.push(placed);
        } else {
            outside.push(placed);
        }
    }
    if files.len() > limits.files {
        let mut why = format!("the package has {} files: at most {} are allowed", files.len(), limits.files);
        if let Some(folder) = largest_folder::find(files.iter().map(|file| (file.path.as_str(), 1))) {
            why += &format!(", and most are in `{folder}`: leave that folder out");
        }
        findings.error(Finding::new(finding_codes::TOO_MANY_FILES, why));
    } else {
        // Comparing is the most expensive check of paths, so it is not done for too many.
        let folders = folders.iter().map(|folder| &folder.path);
        path_set::check(files.iter().map(|file| &file.path), folders, findings);
    }
    files.sort_by(|a, b| a.path.cmp(&b.path));
    let may_lack_skill_md = refused.finish(findings);
    Layout { files, folders, outside, top, may_lack_skill_md }
}

/// The names that cannot be paths of a package.
#[derive(Default)]
struct RefusedNames {
    /// The first name with a backslash, and how many there are.
    backslash: Option<(Finding, usize)>,
    has_skill_md: bool,
}

/// Ways to make a package whose paths are valid.
const OTHER_WAYS: &str =
    "publish the folder itself (`skillmirror publish FOLDER`), or make the zip in the folder with `zip -r`";

impl RefusedNames {
    /// Reports a name. Those with backslashes are one error: the tool that made the zip wrote them all so.
    fn add(&mut self, name: &str, finding: Finding, findings: &mut Findings) {
        let last = name.rsplit(['/', '\\']).next().unwrap_or(name);
        self.has_skill_md |= last.eq_ignore_ascii_case(SKILL_MD);
        match finding.code.as_str() {
            finding_codes::PATH_BACKSLASH => self.backslash.get_or_insert((finding, 0)).1 += 1,
            finding_codes::PATH_ABSOLUTE
            | finding_codes::PATH_DRIVE_LETTER
            | finding_codes::PATH_TRAVERSAL => {
                let message = format!("{}: {OTHER_WAYS}", finding.message);
                findings.error(Finding { message, ..finding });
            }
            _ => findings.error(finding),
        }
    }

    /// Whether a refused name ends in SKILL.md.
    fn finish(self, findings: &mut Findings) -> bool {
        if let Some((first, count)) = self.backslash {
            let names = if count == 1 {
                "the name has".into()
            } else {
                format!("{count} names such as this one have")
            };
            let message = format!("{names} `\\` between folders instead of `/`: {OTHER_WAYS}");
            findings.error(Finding { message, ..first });
        }
        self.has_skill_md
    }
}

/// Strips leading `./` and drops junk.
fn drop_junk<B>(entries: Vec<RawEntry<B>>, origin: Origin, findings: &mut Findings) -> Vec<RawEntry<B>> {
    let mut dropped: BTreeMap<String, (usize, LitterKind)> = BTreeMap::new();
    let junk: fn(&str) -> Option<Litter<'_>> = match origin {
        Origin::Publisher => litter::litter,
        Origin::Registry => litter::foreign,
    };
    let mut kept = Vec::with_capacity(entries.len());
    let mut compiled = Vec::new();
    for mut entry in entries {
        let leading = entry.name.len() - entry.name.trim_start_matches("./").len();
        entry.name.drain(..leading);
        if entry.folder && entry.name == "." {
            continue;
        }
        // A dangerous path is an error even in junk.
        let harmless = || PackagePath::parse(&entry.name).map_or_else(|f| !path::is_dangerous(&f), |_| true);
        match junk(&entry.name) {
            Some(Litter { root, kind }) if harmless() => {
                if kind == LitterKind::Compiled && !entry.folder {
                    compiled.push(entry.name.clone());
                }
                dropped.entry(root.to_owned()).or_insert((0, kind)).0 += 1;
            }
            _ => kept.push(entry),
        }
    }
    let names: HashSet<&str> = kept.iter().map(|entry| entry.name.as_str()).collect();
    compiled.iter().for_each(|name| rules::dropped(name, &names, findings));
    for (root, (count, kind)) in dropped {
        let entries = if count == 1 { "entry was".into() } else { format!("{count} entries were") };
        let reason = match kind {
            LitterKind::VersionControl | LitterKind::System => "not part of a skill",
            LitterKind::Cache => "a tool writes it again",
            LitterKind::Compiled | LitterKind::Dependencies => {
                "compiled or installed on this machine, and made again there where the skill runs"
            }
        };
        let why = format!("{entries} left out: {reason}");
        findings.warn(Finding::new(finding_codes::JUNK_DROPPED, why).in_file(&root));
    }
    kept
}

/// The top folder that contains all files, if any.
fn top_folder<B>(entries: &[RawEntry<B>]) -> Option<String> {
    let mut tops = entries.iter().filter(|e| !e.folder).map(|e| e.name.split_once('/').map(|(top, _)| top));
    let first = tops.next()??;
    let alone = tops.all(|top| top == Some(first));
    (alone && PackagePath::parse(first).is_ok()).then(|| first.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(names: &[&str]) -> (Vec<String>, Option<String>, Findings) {
        let entries = names.iter().map(|name| RawEntry {
            name: name.trim_end_matches('/').to_owned(),
            folder: name.ends_with('/'),
            executable: false,
            body: (),
        });
        let mut findings = Findings::default();
        let layout = arrange(entries.collect(), Origin::Publisher, &Limits::default(), &mut findings);
        (layout.files.into_iter().map(|f| f.path.as_str().to_owned()).collect(), layout.top, findings)
    }

    #[test]
    fn one_top_folder_is_stripped() {
        let (files, top, _) = place(&["x/", "x/SKILL.md", "x/y/", "x/y/a", "__MACOSX/x/._SKILL.md"]);
        assert_eq!((files, top.as_deref()), (vec!["SKILL.md".into(), "y/a".into()], Some("x")));
        let many = "./".repeat(32_000) + "c";
        let (files, top, _) = place(&["./SKILL.md", "././b/a", &many]);
        assert_eq!((files, top), (vec!["SKILL.md".to_owned(), "b/a".into(), "c".into()], None));
        let (files, top, mut findings) = place(&["../SKILL.md", "../a"]);
        assert_eq!((files.len(), top), (0, None));
        assert_eq!(findings.take_errors().unwrap_err().findings.len(), 2);
        let (_, top, mut findings) = place(&["/SKILL.md"]);
        assert!(top.is_none() && findings.take_errors().is_err());
    }

    #[test]
    fn junk_is_dropped_with_a_warning_for_each_root() {
        let names = [
            "SKILL.md",
            "a/.DS_Store",
            "._x",
            "b/Thumbs.db",
            ".git/HEAD",
            ".git/a/b",
            "x/node_modules/aux.js",
        ];
        let (files, _, mut findings) = place(&names);
        assert_eq!(files, ["SKILL.md"]);
        assert!(findings.take_errors().is_ok());
        let warned: Vec<_> = findings.into_warnings().into_iter().filter_map(|w| w.path).collect();
        assert_eq!(warned, ["._x", ".git", "a/.DS_Store", "b/Thumbs.db", "x/node_modules"]);
        let (_, _, mut findings) = place(&["SKILL.md", "node_modules/../../x"]);
        assert_eq!(findings.take_errors().unwrap_err().findings[0].code, finding_codes::PATH_TRAVERSAL);
    }
}
