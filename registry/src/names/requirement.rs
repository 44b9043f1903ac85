//! Version requirements: which versions of a skill are wanted.

use std::fmt;
use std::str::FromStr;

use semver::VersionReq;

use super::{NameError, TagName, TolerantVersion, Version};

/// The most characters of a requirement.
const MAX_LENGTH: usize = 200;

/// The versions of a skill that are wanted, as people write them after `@` and in `skills.toml`.
///
/// A full version is exactly that version: `1.2.0`, `v1.2.0` and `=1.2.0` mean the same. Shorter
/// ones and those with an operator mean what they mean to cargo: `1` is `^1`, and `~1.2`, `>=1, <3`
/// and `*` are ranges. Another text is a tag. `Display` writes the form of lock files, which
/// parses to the same requirement.
#[derive(Clone, PartialEq, Eq)]
pub enum Requirement {
    /// The latest version.
    Latest,
    /// The version that a tag points to. The tag is not `latest`.
    Tag(TagName),
    /// One version.
    Exact(Version),
    /// The highest version in a range. Pre-releases count only if the range names one with the
    /// same three numbers.
    Range(VersionReq),
}

impl Requirement {
    /// Whether a version is one of those wanted. None if only the registry knows: for tags.
    pub fn allows(&self, version: &Version) -> Option<bool> {
        match self {
            Self::Latest | Self::Tag(_) => None,
            Self::Exact(wanted) => Some(wanted == version),
            Self::Range(range) => Some(version.satisfies(range)),
        }
    }

    /// The requirement without [`Self::Exact`], as the record of installed skills has it.
    pub fn if_movable(self) -> Option<Self> {
        Some(self).filter(|requirement| !matches!(requirement, Self::Exact(_)))
    }
}

impl FromStr for Requirement {
    /// The reason, in words.
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text.len() > MAX_LENGTH {
            return Err(format!("a version requirement is longer than {MAX_LENGTH} characters"));
        }
        let bare = text.strip_prefix(['v', 'V']).unwrap_or(text);
        if bare.starts_with(|c: char| c.is_ascii_digit()) {
            return version_or_range(text, bare);
        }
        if text.starts_with(['=', '^', '~', '>', '<', '*']) {
            return range(text);
        }
        let tag: TagName = text.parse().map_err(|why: NameError| why.to_string())?;
        Ok(if tag.is_latest() { Self::Latest } else { Self::Tag(tag) })
    }
}

/// Parses a text that begins with a digit, perhaps after a `v`.
fn version_or_range(text: &str, bare: &str) -> Result<Requirement, String> {
    let core = bare.split(['-', '+']).next().unwrap_or_default();
    let numbers = core.split('.').count();
    let has_only_numbers = core.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    let is_prerelease = bare.len() > core.len();
    if is_prerelease && numbers < 3 && has_only_numbers && bare.parse::<TolerantVersion>().is_ok() {
        // `1-rc.1` could be a pre-release of anything.
        return Err(format!("`{bare}` needs all three numbers, as in 1.2.0-rc.1"));
    }
    if is_prerelease || numbers >= 3 && has_only_numbers {
        let read: Result<TolerantVersion, _> = text.parse();
        return read.map(|read| Requirement::Exact(read.version)).map_err(|why| why.to_string());
    }
    // A date such as 20240101 is no version.
    if has_only_numbers {
        text.parse::<TolerantVersion>().map_err(|why| why.to_string())?;
    }
    range(bare)
}

/// Parses a range. One that only one version satisfies is that version.
fn range(text: &str) -> Result<Requirement, String> {
    if let Some(exact) = text.strip_prefix('=').and_then(|version| version.trim().parse().ok()) {
        return Ok(Requirement::Exact(exact));
    }
    let parsed = VersionReq::parse(text);
    parsed.map(Requirement::Range).map_err(|why| {
        let shown: String = text.chars().take(60).collect();
        format!("the version requirement `{}` is invalid ({why})", shown.escape_debug())
    })
}

impl fmt::Display for Requirement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Latest => f.write_str("latest"),
            Self::Tag(tag) => tag.fmt(f),
            Self::Exact(version) => write!(f, "={version}"),
            Self::Range(range) => range.fmt(f),
        }
    }
}

super::text_forms!(Requirement);

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn read(text: &str) -> String {
        text.parse::<Requirement>().map_or_else(|why| format!("refused: {why}"), |read| read.to_string())
    }

    #[test]
    fn parse_reads_requirements_as_cargo_and_full_versions_as_exact() {
        for (text, expected) in [
            ("1", "^1"),
            ("v1", "^1"),
            ("1.2", "^1.2"),
            ("0", "^0"),
            ("^1.2", "^1.2"),
            ("^1.2.0", "^1.2.0"),
            ("~1.2", "~1.2"),
            (">=1, <3", ">=1, <3"),
            ("1.*", "1.*"),
            ("1.x", "1.*"),
            ("*", "*"),
            ("=1.2", "=1.2"),
            ("1.2.0", "=1.2.0"),
            ("v1.2.0", "=1.2.0"),
            ("=1.2.0", "=1.2.0"),
            ("1.2.0-rc.1", "=1.2.0-rc.1"),
            ("latest", "latest"),
            ("stable", "stable"),
            ("vanilla", "vanilla"),
        ] {
            assert_eq!(read(text), expected, "{text}");
            assert_eq!(read(expected), expected, "{text}");
        }
    }

    #[test]
    fn parse_of_other_text_says_why() {
        for text in
            ["", "1-rc.1", "1.2.0+b", "2024-01-01", "^", ">=", "1.2.3.4", "1..2", "é", "a b", "^x", "../a"]
        {
            assert!(read(text).starts_with("refused: "), "{text}: {}", read(text));
        }
        assert!(read(&"1".repeat(300)).starts_with("refused: "));
    }

    #[test]
    fn allows_follows_cargo() {
        let allows = |requirement: &str, version: &str| {
            requirement.parse::<Requirement>().unwrap().allows(&version.parse().unwrap())
        };
        for (requirement, version, expected) in [
            ("1", "1.9.0", true),
            ("1", "2.0.0", false),
            ("0.2", "0.2.9", true),
            ("0.2", "0.3.0", false),
            ("~1.2", "1.2.9", true),
            ("~1.2", "1.3.0", false),
            ("1.2.0", "1.2.0", true),
            ("1.2.0", "1.2.1", false),
            ("^1.2.0", "1.2.1", true),
            ("1", "1.3.0-rc.1", false),
            ("^1.3.0-rc.1", "1.3.0-rc.2", true),
            ("*", "7.0.0", true),
        ] {
            assert_eq!(allows(requirement, version), Some(expected), "{requirement} {version}");
        }
        assert_eq!(allows("stable", "1.0.0"), None);
    }

    proptest! {
        #[test]
        fn display_of_a_parsed_requirement_parses_again(text in "[=^~v]?[0-9]{1,2}(\\.[0-9x]{1,2}){0,2}(-[a-z]{1,4})?|\\PC{0,20}") {
            if let Ok(read) = text.parse::<Requirement>() {
                prop_assert_eq!(read.to_string().parse::<Requirement>().unwrap(), read);
            }
        }
    }
}
