//! Where a locked skill is in a project.

use std::fmt;
use std::path::{Component, Path, PathBuf};
use std::str::FromStr;

use registry::names::Slug;

/// The most characters of a place.
const MAX_LENGTH: usize = 240;

/// The most folders in a place.
const MAX_DEPTH: usize = 12;

/// Folders that belong to other programs. A lock file may have come with somebody else's project,
/// and must not put files there.
const FORBIDDEN: [&str; 4] = [".git", ".hg", ".svn", ".skillmirror"];

/// The path of a skill's own folder, relative to the project, as in `.claude/skills/hello`.
///
/// It never leaves the project: its parts are separated by `/`, and none is empty, `.`, `..`, the
/// folder of a version control system, or ends in a space or dot. It has no control characters,
/// and no `\`, `:` and other characters that Windows forbids.
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

    /// Whether one of both is the other, or in it, on a file system that ignores case.
    pub fn overlaps(&self, other: &Self) -> bool {
        let [one, other] = [self, other].map(|place| place.text.to_lowercase() + "/");
        one.starts_with(&other) || other.starts_with(&one)
    }
}

/// Finds two places of which one is the other, or in it, and returns them with what was given for each.
/// File systems that ignore case count.
pub(super) fn first_overlap<'p, T: Copy>(
    places: impl Iterator<Item = (&'p Place, T)>,
) -> Option<[(&'p Place, T); 2]> {
    let mut places: Vec<_> =
        places.map(|(place, of)| (place.text.to_lowercase() + "/", (place, of))).collect();
    places.sort_by(|(one, _), (other, _)| one.cmp(other));
    // What is in a folder follows it directly, or after others that are in it.
    places.windows(2).find_map(|two| match two {
        [(one, first), (other, second)] if other.starts_with(one.as_str()) => Some([*first, *second]),
        _ => None,
    })
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
        if text.chars().any(|c| c.is_control() || registry::package::is_unseen(c)) {
            return refused("has control characters or invisible ones");
        }
        if text.contains(['\\', ':', '*', '?', '"', '<', '>', '|']) {
            return refused("has a character that Windows forbids in file names");
        }
        for part in text.split('/') {
            if part == ".." {
                return refused("leaves the project");
            }
            if part.is_empty() || part.ends_with(['.', ' ']) || part.starts_with(' ') {
                return refused("has an empty part, or one that begins or ends with a dot or space");
            }
            if FORBIDDEN.contains(&part.to_lowercase().as_str()) {
                return refused(&format!("is in `{part}`, which belongs to another program"));
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
            ("skills//hello", "empty part"),
            ("./hello", "dot"),
            (".git/hooks", "another program"),
            ("a/.GIT/hooks", "another program"),
            ("skills/.skillmirror", "another program"),
            ("C:/hello", "Windows"),
            ("skills\\..\\hello", "Windows"),
            ("skills/Hello", "name"),
            ("skills/", "empty part"),
            ("", "empty part"),
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
        assert!(overlaps("skills/a", "Skills/a") && overlaps("a/b/c", "a/b") && overlaps("a", "a/b"));
        assert!(!overlaps("skills/a", "skills/ab") && !overlaps("a/x", "b/x"));
    }
}
