//! Semantic versions (2.0.0) without build metadata.

use std::cmp::Ordering;
use std::fmt;
use std::str::FromStr;

use super::{NameError, date_version, quoted, reserved, text_forms};

/// A version of a skill: at most 64 characters, without `+build`, and without a file
/// suffix at the end. Ordered by precedence (semver.org, item 11).
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Version(semver::Version);

impl Version {
    /// `1.0.0`, the default for the first version of a skill.
    pub fn first() -> Self {
        Self(semver::Version::new(1, 0, 0))
    }

    /// Whether the version has a pre-release part (`-rc.1`).
    pub fn is_prerelease(&self) -> bool {
        !self.0.pre.is_empty()
    }

    /// The next release: the patch raised by one, or the release of a pre-release. None if
    /// the patch is at its maximum.
    pub fn next_patch(&self) -> Option<Self> {
        let v = &self.0;
        let patch = if self.is_prerelease() { v.patch } else { v.patch.checked_add(1)? };
        Some(Self(semver::Version::new(v.major, v.minor, patch)))
    }

    /// Compares for the choice of the latest version: releases are above pre-releases,
    /// then precedence decides.
    pub fn cmp_as_latest(&self, other: &Self) -> Ordering {
        (!self.is_prerelease()).cmp(&!other.is_prerelease()).then_with(|| self.cmp(other))
    }

    /// Whether the version is in a range, by cargo's rules.
    pub fn satisfies(&self, range: &semver::VersionReq) -> bool {
        range.matches(&self.0)
    }

    /// The smallest version above this one. None if its patch is at its maximum.
    pub(super) fn successor(&self) -> Option<Self> {
        let semver::Version { major, minor, patch, pre, .. } = &self.0;
        match pre.is_empty() {
            true => format!("{major}.{minor}.{}-0", patch.checked_add(1)?),
            false => format!("{self}.0"),
        }
        .parse()
        .ok()
    }

    /// Whether both versions would share a file on a file system that ignores case.
    pub fn eq_ignoring_case(&self, other: &Self) -> bool {
        (self.0.major, self.0.minor, self.0.patch) == (other.0.major, other.0.minor, other.0.patch)
            && self.0.pre.as_str().eq_ignore_ascii_case(other.0.pre.as_str())
    }
}

impl FromStr for Version {
    type Err = NameError;

    fn from_str(text: &str) -> Result<Self, NameError> {
        let fail = |why: &str| Err(NameError::new(format!("the version {} {why}", quoted(text))));
        if text.len() > 64 {
            return fail("is longer than 64 characters: shorten it");
        }
        let parsed = match semver::Version::parse(text) {
            Ok(parsed) => parsed,
            Err(_) => return fail("is not semantic: write MAJOR.MINOR.PATCH, as in 1.2.0"),
        };
        if !parsed.build.is_empty() {
            return fail("has build metadata: remove the `+` and all after it");
        }
        if reserved::ends_in_file_suffix(text) {
            return fail("ends in a file suffix: choose another pre-release name");
        }
        Ok(Self(parsed))
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

text_forms!(Version);

/// A version as people write it: `v1.2`, `1` and ` 1.2.0 ` are completed. A date
/// (`2024-01-01`, `20240101`) is refused, because it would become a pre-release or a number
/// that no later version exceeds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TolerantVersion {
    /// The completed version.
    pub version: Version,
    /// Whether the text differs from the version.
    pub repaired: bool,
}

impl FromStr for TolerantVersion {
    type Err = NameError;

    fn from_str(text: &str) -> Result<Self, NameError> {
        let trimmed = text.trim();
        let bare = trimmed.strip_prefix(['v', 'V']).unwrap_or(trimmed);
        // `2024.1.1` and `2024.1` are versions as they are.
        if let Some(why) = date_version::remedy(bare).filter(|_| !is_dotted(bare)) {
            return Err(NameError::new(format!("the version {} {why}", quoted(text))));
        }
        let core_end = bare.find(['-', '+']).unwrap_or(bare.len());
        let (core, rest) = bare.split_at(core_end);
        let pieces = core.split('.').count();
        let full = match pieces {
            1 => format!("{core}.0.0{rest}"),
            2 => format!("{core}.0{rest}"),
            _ => bare.to_owned(),
        };
        // The error speaks of what was written, not of the completed form.
        let version = full.parse::<Version>().or_else(|why| match trimmed.parse::<Version>() {
            Ok(version) => Ok(version),
            Err(_) if pieces == 3 => Err(why),
            Err(own) => Err(own),
        })?;
        let repaired = version.to_string() != text;
        Ok(Self { version, repaired })
    }
}

/// Whether a text is a version, or becomes one with `.0` at its end.
fn is_dotted(text: &str) -> bool {
    text.contains('.') && [text.parse::<Version>(), format!("{text}.0").parse()].iter().any(Result::is_ok)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strict_versions() {
        for good in ["1.0.0", "0.0.0", "1.2.3-rc.1", "1.0.0-x-y.7", "1.0.0-json-2", "1.0.0-0json"] {
            assert_eq!(good.parse::<Version>().unwrap().to_string(), good);
        }
        for bad in [
            "",
            "1",
            "1.2",
            "v1.0.0",
            "1.0.0+b",
            "01.0.0",
            "1.0.0-rc.json",
            "1.0.0-a.ZIP",
            "1.0.0 ",
            "1.0.0-",
            "latest",
        ] {
            assert!(bad.parse::<Version>().is_err(), "{bad}");
        }
        assert!(format!("1.0.0-{}", "a".repeat(64)).parse::<Version>().is_err());
    }

    #[test]
    fn tolerant_versions() {
        for (text, read) in [
            ("v1.2.0", "1.2.0"),
            ("1", "1.0.0"),
            ("1.2", "1.2.0"),
            (" 1.2.0", "1.2.0"),
            ("1.2-rc", "1.2.0-rc"),
        ] {
            let got: TolerantVersion = text.parse().unwrap();
            assert_eq!((got.version.to_string().as_str(), got.repaired), (read, true));
        }
        assert!(!"1.2.0".parse::<TolerantVersion>().unwrap().repaired);
        for bad in ["", "v", "x", "1.2.3.4", "1..2", "1.x"] {
            assert!(bad.parse::<TolerantVersion>().is_err(), "{bad}");
        }
    }

    #[test]
    fn date_as_version_is_refused() {
        for date in ["2024-01-01", "v2024-1-1", " 2024.01.01", "20240101", "2024/1/1", "2024.01.01-rc"] {
            let why = date.parse::<TolerantVersion>().unwrap_err().to_string();
            assert!(why.ends_with("is a date: write 2024.1.1"), "{date}: {why}");
        }
        for (good, read) in [
            ("2024.1.1", "2024.1.1"),
            ("2024.1", "2024.1.0"),
            ("2024.1.1-rc", "2024.1.1-rc"),
            ("2024", "2024.0.0"),
        ] {
            assert_eq!(good.parse::<TolerantVersion>().unwrap().version.to_string(), read);
        }
        // As pre-releases that somebody wrote in full, dates are versions.
        assert!("1.0.0-2024-01-01".parse::<TolerantVersion>().is_ok());
        assert!("2024.0.0-01-01".parse::<TolerantVersion>().is_ok());
    }

    #[test]
    fn latest_prefers_releases() {
        let v = |s: &str| s.parse::<Version>().unwrap();
        assert_eq!(v("1.0.0").cmp_as_latest(&v("2.0.0-rc.1")), Ordering::Greater);
        assert_eq!(v("2.0.0-rc.2").cmp_as_latest(&v("2.0.0-rc.10")), Ordering::Less);
        assert_eq!(v("1.0.9").next_patch(), Some(v("1.0.10")));
        assert_eq!(v("2.0.0-rc.1").next_patch(), Some(v("2.0.0")));
        assert_eq!(v("1.0.18446744073709551615").next_patch(), None);
    }
}
