//! Where a locked skill is in a project.

use std::fmt;
use std::path::{Component, Path, PathBuf};
use std::str::FromStr;

use registry::names::Slug;
use registry::package::{PackagePath, folded};

/// The most characters of a place.
const MAX_LENGTH: usize = 240;

/// The most folders in a place.
const MAX_DEPTH: usize = 12;

/// Folders that belong to other programs. A lock file may have come with somebody else's project,
/// and must not put files there.
const FORBIDDEN: [&str; 4] = [".git", ".hg", ".svn", ".skillmirror"];

/// The path of a skill's own folder, relative to the project, as in `.claude/skills/hello`.
///
/// It never leaves the project, and means one folder on all systems: it is a path as packages may have it
/// ([`PackagePath`]), and no part is the folder of a version control system, a short name of Windows, or
/// has a character that Windows forbids.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    text: String,
    name: Slug,
}

/// A folder of skills as the places in it name it. None if it is outside of the project.
pub fn folder_in_project(folder: &Path) -> Option<PathBuf> {
    let probe: Slug = "x".parse().ok()?;
    Place::new(folder, &probe).map(|place| place.folder())
}

impl Place {
    /// The place of a skill's folder in a folder of skills. None if that is not in the project, or
    /// its path may not be in a lock file.
    pub fn new(folder: &Path, name: &Slug) -> Option<Self> {
        let mut parts = Vec::new();
        for part in folder.components() {
            match part {
                Component::Normal(part) => parts.push(part.to_str()?),
                Component::CurDir => {}
                _ => return None,
            }
        }
        parts.push(name.as_str());
        parts.join("/").parse().ok()
    }

    /// The folder of skills. `.` if that is the project itself.
    pub fn folder(&self) -> PathBuf {
        self.text.rsplit_once('/').map_or(".", |(folder, _)| folder).into()
    }

    /// The name of the skill's own folder.
    pub fn name(&self) -> &Slug {
        &self.name
    }

    /// The path as text.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Whether the two are one folder, or one contains the other, on a file system that ignores case or accents.
    pub fn overlaps(&self, other: &Self) -> bool {
        let [one, other] = [self, other].map(|place| folded(&place.text) + "/");
        one.starts_with(&other) || other.starts_with(&one)
    }
}

/// Finds two places of which one is the other, or in it, and returns them with what was given for each.
/// File systems that ignore case or accents count.
pub(super) fn first_overlap<'p, T: Copy>(
    places: impl Iterator<Item = (&'p Place, T)>,
) -> Option<[(&'p Place, T); 2]> {
    let mut places: Vec<_> = places.map(|(place, of)| (folded(&place.text) + "/", (place, of))).collect();
    places.sort_by(|(one, _), (other, _)| one.cmp(other));
    // What is in a folder follows it directly, or after others that are in it.
    places.windows(2).find_map(|two| match two {
        [(one, first), (other, second)] if other.starts_with(one.as_str()) => Some([*first, *second]),
        _ => None,
    })
}

/// Whether Windows may read the name as the short form of a longer one: `GIT~1` is `.git`.
fn is_short_name(part: &str) -> bool {
    let stem = part.split('.').next().unwrap_or(part);
    let number = stem.rsplit_once('~').filter(|(start, _)| !start.is_empty()).map(|(_, number)| number);
    stem.len() <= 8
        && number.is_some_and(|number| !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()))
}

impl FromStr for Place {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let refused = |why: &str| {
            let shown: String = text.chars().take(60).collect();
            Err(format!("the path `{}` {why}", shown.escape_debug()))
        };
        if text.chars().count() > MAX_LENGTH || text.split('/').count() > MAX_DEPTH {
            return refused("is too long");
        }
        if text.starts_with('/') {
            return refused("is absolute: a lock file has only paths in its project");
        }
        if text.split('/').any(|part| part == "..") {
            return refused("leaves the project");
        }
        if text.contains(['\\', ':', '*', '?', '"', '<', '>', '|']) {
            return refused("has a character that Windows forbids in file names");
        }
        if let Err(finding) = PackagePath::parse(text) {
            return refused(&format!("cannot be in a lock file: {}", finding.message));
        }
        for part in text.split('/') {
            if part.starts_with(' ') {
                return refused("has a part that begins with a space");
            }
            if FORBIDDEN.contains(&folded(part).as_str()) {
                return refused(&format!(
                    "is in `{}`, which belongs to another program",
                    part.escape_debug()
                ));
            }
            if is_short_name(part) {
                return refused(&format!(
                    "has the part `{part}`, which is the short name of another folder on Windows"
                ));
            }
        }
        let name = text.rsplit('/').next().unwrap_or(text);
        match name.parse::<Slug>() {
            Ok(name) => Ok(Self { text: text.to_owned(), name }),
            Err(why) => refused(&format!("ends in a name that no skill has ({why})")),
        }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn place_in_the_project_is_folder_and_name() {
        for (folder, expected, parent) in [
            ("skills", "skills/hello", "skills"),
            ("./my skills/", "my skills/hello", "my skills"),
            (".claude/skills", ".claude/skills/hello", ".claude/skills"),
            (".", "hello", "."),
            ("", "hello", "."),
        ] {
            let place = Place::new(Path::new(folder), &"hello".parse().unwrap()).unwrap();
            assert_eq!((place.as_str(), place.folder().as_path()), (expected, Path::new(parent)));
            assert_eq!(place.name().as_str(), "hello");
        }
        for folder in ["/srv/skills", "../skills", "a/../b", ".git", "a\u{7}b"] {
            assert_eq!(Place::new(Path::new(folder), &"hello".parse().unwrap()), None, "{folder}");
        }
    }

    #[test]
    fn place_outside_of_the_project_is_refused() {
        for (text, why) in [
            ("/etc/hello", "absolute"),
            ("../hello", "leaves"),
            ("skills/../../hello", "leaves"),
            ("skills//hello", "empty piece"),
            ("./hello", "empty piece"),
            (".git/hooks", "another program"),
            ("a/.GIT/hooks", "another program"),
            ("skills/.skillmirror", "another program"),
            ("C:/hello", "Windows"),
            ("skills\\..\\hello", "Windows"),
            ("skills/Hello", "name"),
            ("skills/", "empty piece"),
            ("", "no name"),
            ("GIT~1/hooks", "short name"),
            ("a/git~2/hooks", "short name"),
            ("SKILLM~1.X/a", "short name"),
            (".git./hooks", "dot or space"),
            (".git /hooks", "dot or space"),
            (" .git/hooks", "begins with a space"),
            (".git::$INDEX_ALLOCATION/hooks", "Windows"),
            (".g\u{200d}it/hooks", "another program"),
            ("a/.SkillMirror/hello", "another program"),
            ("aux/hello", "device"),
            ("COM1.x/hello", "device"),
            ("a/con", "device"),
            ("skills\u{feff}/hello", "invisible"),
            ("skills/\u{1b}[2J/hello", "control"),
            ("skills/\u{202e}x/hello", "invisible"),
        ] {
            let refused = text.parse::<Place>().unwrap_err();
            assert!(refused.contains(why), "{text:?}: {refused}");
        }
        assert!(format!("{}hello", "a/".repeat(130)).parse::<Place>().is_err());
    }

    #[test]
    fn overlaps_ignores_case() {
        let overlaps =
            |one: &str, other: &str| one.parse::<Place>().unwrap().overlaps(&other.parse().unwrap());
        assert!(overlaps("e\u{301}/a", "É/a"), "file systems that compare accents as Unicode does");
        assert!(overlaps("skills/a", "Skills/a") && overlaps("a/b/c", "a/b") && overlaps("a", "a/b"));
        assert!(!overlaps("skills/a", "skills/ab") && !overlaps("a/x", "b/x"));
    }
}
