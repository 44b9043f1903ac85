//! What a reader has to say about a package: errors and warnings alike.

use std::fmt;

use serde::{Deserialize, Serialize};

/// The stable codes of all findings. Clients may depend on them: a code is
/// never reused for something else.
pub mod code {
    macro_rules! codes {
        ($($(#[$doc:meta])* $name:ident = $text:literal;)*) => {
            $($(#[$doc])* pub const $name: &str = $text;)*
            /// All of them, in the order of this file.
            pub const ALL: &[&str] = &[$($text),*];
        };
    }
    codes! {
        /// More findings than a list holds; the message has the count.
        MORE_FINDINGS = "more_findings";

        /// Not a zip archive, or one whose directory can't be read.
        ZIP_UNREADABLE = "zip_unreadable";
        /// Bytes that belong to no entry: before, between or after them.
        ZIP_STRAY_BYTES = "zip_stray_bytes";
        /// Two entries share bytes.
        ZIP_OVERLAP = "zip_overlap";
        /// The end record lies about the number, place or size of the entries.
        ZIP_DIRECTORY_MISMATCH = "zip_directory_mismatch";
        /// A part of an archive in several volumes.
        ZIP_SPLIT = "zip_split";
        /// A zip64 directory, which no archive of an allowed size needs.
        ZIP_ZIP64 = "zip_zip64";
        /// The local header says something else than the central one.
        ZIP_HEADER_MISMATCH = "zip_header_mismatch";
        /// A compression method other than stored and deflate.
        ZIP_METHOD = "zip_method";
        /// An encrypted entry.
        ZIP_ENCRYPTED = "zip_encrypted";
        /// A symbolic link, device, pipe or socket.
        ZIP_SPECIAL_FILE = "zip_special_file";
        /// Content that doesn't unpack, or has another size or checksum than declared.
        ZIP_CORRUPT = "zip_corrupt";

        /// A name that is not UTF-8.
        PATH_NOT_UTF8 = "path_not_utf8";
        /// An empty name.
        PATH_EMPTY = "path_empty";
        /// A path that begins with `/`.
        PATH_ABSOLUTE = "path_absolute";
        /// A path with a `..`, `.` or empty piece.
        PATH_TRAVERSAL = "path_traversal";
        /// A path with a backslash.
        PATH_BACKSLASH = "path_backslash";
        /// A path with a drive letter.
        PATH_DRIVE_LETTER = "path_drive_letter";
        /// A path with a NUL or another control character.
        PATH_CONTROL_CHARACTER = "path_control_character";
        /// A path with a colon, which Windows can't store.
        PATH_COLON = "path_colon";
        /// A piece that ends in a dot or space, which Windows drops.
        PATH_TRAILING_DOT_OR_SPACE = "path_trailing_dot_or_space";
        /// A device name on Windows.
        PATH_RESERVED = "path_reserved";
        /// A path of more than 255 bytes.
        PATH_TOO_LONG = "path_too_long";
        /// Two paths that some file systems take for one.
        PATH_DUPLICATE = "path_duplicate";
        /// A path that is both file and folder.
        PATH_FILE_AND_FOLDER = "path_file_and_folder";

        /// More files, or more entries, than allowed.
        TOO_MANY_FILES = "too_many_files";
        /// A file over the limit.
        FILE_TOO_LARGE = "file_too_large";
        /// All files together over the limit.
        PACKAGE_TOO_LARGE = "package_too_large";
        /// Unpacks to suspiciously more than it packs.
        RATIO_TOO_HIGH = "ratio_too_high";
        /// Warning: files that are no content were left out.
        JUNK_DROPPED = "junk_dropped";

        /// No SKILL.md at the root or in the one top folder.
        SKILL_MD_MISSING = "skill_md_missing";
        /// SKILL.md is not UTF-8.
        SKILL_MD_NOT_UTF8 = "skill_md_not_utf8";
        /// Warning: `skills.md` was read as the entry file.
        SKILL_MD_MISNAMED = "skill_md_misnamed";

        /// SKILL.md has no front matter.
        FRONT_MATTER_MISSING = "front_matter_missing";
        /// The front matter's closing `---` is missing.
        FRONT_MATTER_UNCLOSED = "front_matter_unclosed";
        /// The front matter is over a limit.
        FRONT_MATTER_TOO_LARGE = "front_matter_too_large";
        /// The front matter is not readable YAML, or not a map.
        FRONT_MATTER_INVALID = "front_matter_invalid";
        /// Warning: a line of the front matter was read otherwise than YAML would.
        FRONT_MATTER_REPAIRED = "front_matter_repaired";

        /// Warning: the front matter names no skill.
        NAME_MISSING = "name_missing";
        /// The name breaks the rule for slugs.
        NAME_INVALID = "name_invalid";
        /// Warning: the name was brought into the form of a slug.
        NAME_REPAIRED = "name_repaired";
        /// No description and nothing to take one from.
        DESCRIPTION_MISSING = "description_missing";
        /// The description is no text, or too long.
        DESCRIPTION_INVALID = "description_invalid";
        /// Warning: the description was taken from the text below.
        DESCRIPTION_FROM_TEXT = "description_from_text";
        /// The version is not one.
        VERSION_INVALID = "version_invalid";
        /// Warning: the version was completed.
        VERSION_REPAIRED = "version_repaired";
        /// The title is no text, or too long.
        TITLE_INVALID = "title_invalid";
        /// The license is no text, or too long.
        LICENSE_INVALID = "license_invalid";
        /// The homepage is no http(s) address, or too long.
        HOMEPAGE_INVALID = "homepage_invalid";
        /// The keywords are no list of texts, too many, or too long.
        KEYWORDS_INVALID = "keywords_invalid";

        /// The name's namespace is another one than that published to.
        NAMESPACE_MISMATCH = "namespace_mismatch";
        /// Warning: published under another slug than the name says.
        SLUG_DIFFERS = "slug_differs";
        /// Warning: the tag `latest` can't be set.
        TAG_RESERVED = "tag_reserved";

        /// A private key or credential, with high confidence.
        SECRET_FOUND = "secret_found";
        /// Warning: something that may be one.
        SECRET_SUSPECTED = "secret_suspected";
    }
}

/// One thing that is wrong, or that was done otherwise than written.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Finding {
    /// The file it is about, as its path in the package; none for the whole.
    pub path: Option<String>,
    /// The line in that file, from 1.
    pub line: Option<u64>,
    /// One of [`code`].
    pub code: String,
    /// A sentence: what is wrong and what to do.
    pub message: String,
}

impl Finding {
    /// Whether it is for the publisher and the reviewers alone.
    pub fn is_about_secrets(&self) -> bool {
        self.code.starts_with("secret_")
    }

    /// A finding about the package as a whole.
    pub(crate) fn new(code: &str, message: impl Into<String>) -> Self {
        Self { path: None, line: None, code: code.into(), message: message.into() }
    }

    /// The same, about one file.
    pub(super) fn at(mut self, path: &str) -> Self {
        self.path = Some(path.into());
        self
    }

    /// The same, about one line.
    pub(super) fn on(mut self, line: u64) -> Self {
        self.line = Some(line);
        self
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(path) = &self.path {
            write!(f, "{}", path.escape_debug())?;
            if let Some(line) = self.line {
                write!(f, ":{line}")?;
            }
            f.write_str(": ")?;
        }
        f.write_str(&self.message)
    }
}

/// Findings in the making: errors that will refuse the package, and warnings.
#[derive(Default)]
pub(super) struct Findings {
    errors: Vec<Finding>,
    warnings: Vec<Finding>,
    uncounted: usize,
}

/// How many findings a list holds; the rest is a count.
pub(super) const MAX_FINDINGS: usize = 100;

/// How many are collected before the later ones are only counted.
const MAX_COLLECTED: usize = 10_000;

impl Findings {
    /// Adds something that refuses the package.
    pub(super) fn error(&mut self, finding: Finding) {
        if self.errors.len() < MAX_COLLECTED {
            self.errors.push(finding);
        } else {
            self.uncounted += 1;
        }
    }

    /// Adds something that its publisher should know.
    pub(super) fn warn(&mut self, finding: Finding) {
        if self.warnings.len() < MAX_COLLECTED {
            self.warnings.push(finding);
        }
    }

    /// The refusal, where there is one; else nothing.
    pub(super) fn check(&mut self) -> Result<(), Refusal> {
        if self.errors.is_empty() {
            return Ok(());
        }
        let uncounted = std::mem::take(&mut self.uncounted);
        Err(Refusal { findings: capped(std::mem::take(&mut self.errors), uncounted) })
    }

    /// Only for a caller that knows there are no errors: the warnings.
    pub(super) fn into_warnings(self) -> Vec<Finding> {
        capped(self.warnings, 0)
    }
}

fn capped(mut list: Vec<Finding>, uncounted: usize) -> Vec<Finding> {
    list.sort();
    list.dedup();
    let more = list.len().saturating_sub(MAX_FINDINGS) + uncounted;
    if more > 0 {
        list.truncate(MAX_FINDINGS);
        list.push(Finding::new(code::MORE_FINDINGS, format!("{more} more findings are not listed here")));
    }
    list
}

/// Why a package was refused: every offending entry, sorted by path and line,
/// at most a hundred and a count of the others. Never empty.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// What is wrong.
    pub findings: Vec<Finding>,
}

impl Refusal {
    /// A refusal for one reason.
    pub(super) fn one(finding: Finding) -> Self {
        Self { findings: vec![finding] }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, finding) in self.findings.iter().enumerate() {
            if i > 0 {
                f.write_str("; ")?;
            }
            write!(f, "{finding}")?;
        }
        Ok(())
    }
}

impl std::error::Error for Refusal {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lists_are_capped_and_counted() {
        let mut findings = Findings::default();
        for n in 0..250 {
            findings.error(Finding::new(code::PATH_COLON, "x").at(&format!("f{n:03}")).on(1));
        }
        let refusal = findings.check().unwrap_err();
        assert_eq!(refusal.findings.len(), MAX_FINDINGS + 1);
        assert_eq!(refusal.findings[0].to_string(), "f000:1: x");
        assert!(refusal.findings[MAX_FINDINGS].message.starts_with("150 more"));
        assert!(findings.check().is_ok());
    }

    #[test]
    fn codes_are_unique_and_plain() {
        let mut seen = std::collections::BTreeSet::new();
        for code in code::ALL {
            assert!(seen.insert(code), "{code}");
            assert!(code.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_'));
        }
    }
}
