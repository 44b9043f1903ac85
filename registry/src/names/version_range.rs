//! Ranges of versions that an advisory is about.

use std::fmt;
use std::str::FromStr;

use semver::{Comparator, Op, VersionReq};

use super::{Requirement, Version, text_forms};

/// A range of versions, in the language of [`Requirement`] without tags. Unlike a requirement it has every
/// pre-release between its bounds: `<2` has `1.5.0-rc.1`, because an advisory must not overlook one. An upper bound with
/// fewer than three numbers leaves out its own pre-releases: `<2` and `^1` do not have `2.0.0-rc.1`.
#[derive(Clone, PartialEq, Eq)]
pub struct VersionRange {
    requirement: Requirement,
    lower: Option<Version>,
    upper: UpperBound,
}

/// The end of a range.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum UpperBound {
    /// Every later version is in the range.
    None,
    /// The first version after the range.
    Before(Version),
    /// The last version of the range.
    UpTo(Version),
}

impl VersionRange {
    /// The first version of the range. None if it has all versions below its end.
    pub fn lower(&self) -> Option<&Version> {
        self.lower.as_ref()
    }

    /// The end of the range.
    pub fn upper(&self) -> &UpperBound {
        &self.upper
    }

    /// Whether a version is in the range.
    pub fn contains(&self, version: &Version) -> bool {
        self.lower.as_ref().is_none_or(|lower| lower <= version)
            && match &self.upper {
                UpperBound::None => true,
                UpperBound::Before(end) => version < end,
                UpperBound::UpTo(last) => version <= last,
            }
    }

    fn new(requirement: Requirement) -> Option<Self> {
        let mut range = Self { requirement, lower: None, upper: UpperBound::None };
        match range.requirement.clone() {
            Requirement::Latest | Requirement::Tag(_) => return None,
            Requirement::Exact(version) => range.narrow(Some(version.clone()), UpperBound::UpTo(version)),
            Requirement::Range(VersionReq { comparators }) => {
                for comparator in &comparators {
                    let (lower, upper) = bounds(comparator)?;
                    range.narrow(lower, upper);
                }
            }
        }
        Some(range)
    }

    /// Leaves what is in other bounds, too.
    fn narrow(&mut self, lower: Option<Version>, upper: UpperBound) {
        self.lower = lower.max(self.lower.take());
        // Of two ends at one version, the exclusive one is the earlier.
        let end = |bound: &UpperBound| match bound {
            UpperBound::None => (true, None, true),
            UpperBound::Before(version) => (false, Some(version.clone()), false),
            UpperBound::UpTo(version) => (false, Some(version.clone()), true),
        };
        if end(&upper) < end(&self.upper) {
            self.upper = upper;
        }
    }
}

/// The bounds that a comparator sets. None if a number is too large.
fn bounds(comparator: &Comparator) -> Option<(Option<Version>, UpperBound)> {
    let Comparator { op, major, minor, patch, pre, .. } = comparator;
    let (major, is_full) = (*major, patch.is_some());
    // The numbers that are missing stand for all, so their pre-releases are included.
    let pre = if is_full { pre.as_str() } else { "0" };
    let core = format!("{major}.{}.{}", minor.unwrap_or(0), patch.unwrap_or(0));
    let base: Version = if pre.is_empty() { core } else { format!("{core}-{pre}") }.parse().ok()?;
    let next_major = || format!("{}.0.0-0", major.checked_add(1)?).parse().ok();
    let next_minor = || format!("{major}.{}.0-0", minor.unwrap_or(0).checked_add(1)?).parse().ok();
    let next_patch =
        || format!("{major}.{}.{}-0", minor.unwrap_or(0), patch.unwrap_or(0).checked_add(1)?).parse().ok();
    // After all versions that the numbers stand for.
    let after = || match minor {
        _ if is_full => base.successor(),
        Some(_) => next_minor(),
        None => next_major(),
    };
    Some(match op {
        Op::Greater => (Some(after()?), UpperBound::None),
        Op::GreaterEq => (Some(base), UpperBound::None),
        Op::Less => (None, UpperBound::Before(base)),
        Op::LessEq if is_full => (None, UpperBound::UpTo(base)),
        Op::LessEq => (None, UpperBound::Before(after()?)),
        Op::Exact | Op::Wildcard if is_full => (Some(base.clone()), UpperBound::UpTo(base)),
        Op::Tilde if is_full => (Some(base), UpperBound::Before(next_minor()?)),
        Op::Exact | Op::Wildcard | Op::Tilde => {
            let end = after()?;
            (Some(base), UpperBound::Before(end))
        }
        Op::Caret => {
            let end = match (major, minor, patch) {
                (1.., ..) | (0, None, _) => next_major()?,
                (0, Some(1..), _) | (0, Some(0), None) => next_minor()?,
                (0, Some(0), Some(_)) => next_patch()?,
            };
            (Some(base), UpperBound::Before(end))
        }
        // The crate may learn more operators.
        _ => return None,
    })
}

impl FromStr for VersionRange {
    /// The reason, in words.
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let range = Self::new(text.parse()?);
        range.ok_or_else(|| {
            format!("`{text}` is not a range of versions: write one like `<1.2.3` or `>=1, <1.4`")
        })
    }
}

impl fmt::Display for VersionRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.requirement.fmt(f)
    }
}

text_forms!(VersionRange);

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn range_has_the_versions_between_its_bounds_and_their_prereleases() {
        for (range, inside, outside) in [
            ("<1.2.3", "0.0.1-a 1.2.2 1.2.3-rc.1", "1.2.3 2.0.0"),
            ("<=1.2.3", "1.2.3", "1.2.4-0"),
            ("<2", "1.9.0-rc.1", "2.0.0-rc.1 2.0.0"),
            (">=1, <1.4", "1.0.0-rc.1 1.3.9", "0.9.9 1.4.0-rc.1 1.4.0"),
            (">1.2.0", "1.2.1-rc.1 2.0.0", "1.2.0"),
            (">1.2", "1.3.0", "1.2.9"),
            ("^1.2.0", "1.2.0 1.9.0-a", "1.2.0-rc.1 2.0.0-rc.1"),
            ("^0.2", "0.2.9", "0.3.0-0"),
            ("^0.0.3", "0.0.3", "0.0.4-a"),
            ("~1.2.3", "1.2.9", "1.2.2 1.3.0"),
            ("1.2.*", "1.2.0-a 1.2.7", "1.3.0-0"),
            ("1.2.0", "1.2.0", "1.2.0-rc.1 1.2.1-0"),
            ("=1.2.0-rc.1", "1.2.0-rc.1", "1.2.0-rc.1.0 1.2.0"),
            ("<=1.2.3, <1.2.3", "1.2.2", "1.2.3"),
            ("*", "0.0.0-0 9.9.9", ""),
        ] {
            let parsed: VersionRange = range.parse().unwrap();
            for version in inside.split(' ') {
                assert!(parsed.contains(&version.parse().unwrap()), "{range} {version}");
            }
            for version in outside.split(' ').filter(|text| !text.is_empty()) {
                assert!(!parsed.contains(&version.parse().unwrap()), "{range} {version}");
            }
            assert_eq!(parsed.to_string().parse::<VersionRange>().unwrap(), parsed, "{range}");
        }
        for wrong in ["latest", "stable", "", "^", "1 || 2", ">18446744073709551615"] {
            assert!(wrong.parse::<VersionRange>().is_err(), "{wrong}");
        }
    }
}
