//! A path in a package.

use crate::names::is_windows_device;

use super::finding::Finding;
use super::finding_codes;

/// A relative path that is valid on all file systems, without misleading characters:
/// separated by `/`, at most 255 bytes. Sorted by bytes.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PackagePath(String);

/// Bytes of a path.
pub(super) const MAX_BYTES: usize = 255;

impl PackagePath {
    /// Parses the name of an entry, without a trailing slash.
    pub fn parse(text: &str) -> Result<Self, Finding> {
        match problem(text) {
            None => Ok(Self(text.to_owned())),
            Some((code, why)) => Err(Finding::new(code, why).in_file(text)),
        }
    }

    /// The path as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// The worst problem of a path.
fn problem(text: &str) -> Option<(&'static str, &'static str)> {
    let drive = |b: &[u8]| b.len() >= 2 && b[0].is_ascii_alphabetic() && b[1] == b':';
    if text.is_empty() {
        return Some((finding_codes::PATH_EMPTY, "an entry has no name: remove it"));
    }
    if text.chars().any(char::is_control) {
        return Some((
            finding_codes::PATH_CONTROL_CHARACTER,
            "the path has a control character: rename the file",
        ));
    }
    if text.chars().any(is_invisible) {
        let why =
            "the path has an invisible character, or one that changes the writing direction: rename the file";
        return Some((finding_codes::PATH_INVISIBLE_CHARACTER, why));
    }
    if text.contains('\\') {
        return Some((finding_codes::PATH_BACKSLASH, "the path has a backslash: separate folders with `/`"));
    }
    if text.starts_with('/') {
        return Some((
            finding_codes::PATH_ABSOLUTE,
            "the path is absolute: make it relative to the skill's folder",
        ));
    }
    if drive(text.as_bytes()) {
        let why = "the path has a drive letter: make it relative to the skill's folder";
        return Some((finding_codes::PATH_DRIVE_LETTER, why));
    }
    if text.split('/').any(|piece| matches!(piece, "" | "." | "..")) {
        let why = "the path has a `..`, `.` or empty piece: write it without";
        return Some((finding_codes::PATH_TRAVERSAL, why));
    }
    if text.len() > MAX_BYTES {
        return Some((finding_codes::PATH_TOO_LONG, "the path is longer than 255 bytes: shorten it"));
    }
    text.split('/').find_map(|piece| {
        if piece.contains(':') {
            Some((
                finding_codes::PATH_COLON,
                "the path has a `:`, which Windows cannot store: rename the file",
            ))
        } else if piece.ends_with(['.', ' ']) {
            let why = "a name ends in a dot or space, which Windows drops: rename the file";
            Some((finding_codes::PATH_TRAILING_DOT_OR_SPACE, why))
        } else if is_windows_device(piece) {
            Some((
                finding_codes::PATH_RESERVED,
                "the path has a device name of Windows, which is reserved: rename the file",
            ))
        } else {
            None
        }
    })
}

/// Whether a character can make a name look like another one: marks of the writing
/// direction (Unicode UAX #9), and invisible characters. Joiners and variation selectors
/// are allowed, because scripts and emoji need them.
pub fn is_invisible(c: char) -> bool {
    matches!(
        c,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}'
            | '\u{180b}'..='\u{180f}' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}'
            | '\u{e0000}'..='\u{e00ff}'
    )
}

/// Whether a character is invisible or changes how other text looks, while programs and agents
/// still read it. Not meant are hyphens and marks that bidirectional text and some scripts need
/// (Unicode UAX #9, UAX #14), or joiners and variation selectors, which form emoji.
pub fn is_unseen(c: char) -> bool {
    let is_of_writing =
        matches!(c, '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{180b}'..='\u{180f}' | '\u{200e}' | '\u{200f}');
    is_invisible(c) && !is_of_writing
}

/// Whether an invalid path could lead out of the folder or mislead a reader. The other
/// invalid paths are only impossible on some systems.
pub(super) fn is_dangerous(finding: &Finding) -> bool {
    !matches!(
        finding.code.as_str(),
        finding_codes::PATH_COLON
            | finding_codes::PATH_TRAILING_DOT_OR_SPACE
            | finding_codes::PATH_RESERVED
            | finding_codes::PATH_TOO_LONG
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn invalid_path_is_refused() {
        let long = "a/".repeat(127) + "bb";
        for (bad, code) in [
            ("", finding_codes::PATH_EMPTY),
            ("/etc/passwd", finding_codes::PATH_ABSOLUTE),
            ("//x", finding_codes::PATH_ABSOLUTE),
            ("..", finding_codes::PATH_TRAVERSAL),
            ("a/../b", finding_codes::PATH_TRAVERSAL),
            ("a//b", finding_codes::PATH_TRAVERSAL),
            ("a/./b", finding_codes::PATH_TRAVERSAL),
            ("a/", finding_codes::PATH_TRAVERSAL),
            ("a\\b", finding_codes::PATH_BACKSLASH),
            ("C:/x", finding_codes::PATH_DRIVE_LETTER),
            ("c:x", finding_codes::PATH_DRIVE_LETTER),
            ("a\0b", finding_codes::PATH_CONTROL_CHARACTER),
            ("a\nb", finding_codes::PATH_CONTROL_CHARACTER),
            ("a\u{85}b", finding_codes::PATH_CONTROL_CHARACTER),
            ("exe.\u{202e}gpj", finding_codes::PATH_INVISIBLE_CHARACTER),
            ("a\u{200b}b", finding_codes::PATH_INVISIBLE_CHARACTER),
            ("a\u{2028}b", finding_codes::PATH_INVISIBLE_CHARACTER),
            ("\u{feff}a", finding_codes::PATH_INVISIBLE_CHARACTER),
            ("a\u{e0041}", finding_codes::PATH_INVISIBLE_CHARACTER),
            ("dir/a:b", finding_codes::PATH_COLON),
            ("dir./a", finding_codes::PATH_TRAILING_DOT_OR_SPACE),
            ("a ", finding_codes::PATH_TRAILING_DOT_OR_SPACE),
            ("...", finding_codes::PATH_TRAILING_DOT_OR_SPACE),
            ("x/CON", finding_codes::PATH_RESERVED),
            ("nul.txt", finding_codes::PATH_RESERVED),
            ("COM¹.md", finding_codes::PATH_RESERVED),
            (&long, finding_codes::PATH_TOO_LONG),
        ] {
            assert_eq!(PackagePath::parse(bad).unwrap_err().code, code, "{bad:?}");
        }
    }

    #[test]
    fn valid_path_is_accepted() {
        let long = "a/".repeat(127) + "b";
        for good in [
            "SKILL.md",
            "a/b.c",
            "..a/b..c",
            ".env",
            "ü ñ/日本.md",
            "com10",
            "console.md",
            "\u{2764}\u{fe0f}.md",
            &long,
        ] {
            assert_eq!(PackagePath::parse(good).unwrap().as_str(), good);
        }
    }

    proptest! {
        #[test]
        fn accepted_path_stays_inside_its_folder(text in "([a-z]{1,3}|[a-z]{1,2}[./][a-z]|[a-zA-Z.:/\\\\ ]{1,3}){1,3}") {
            let path = PackagePath::parse(&text);
            prop_assume!(path.is_ok());
            let joined = std::path::Path::new("/root").join(path.unwrap().as_str());
            prop_assert!(joined.starts_with("/root"));
            prop_assert!(joined.components().all(|c| !matches!(c, std::path::Component::ParentDir)));
        }
    }
}
