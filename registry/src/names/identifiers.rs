//! The names of namespaces, skills, users and tags.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use super::suggestion::{MAX_BYTES, suggestion};
use super::{NameError, Remedy, TolerantVersion, quoted, reserved, text_forms};

/// Checks the common rule of namespaces, slugs and handles:
/// `[a-z0-9]([a-z0-9-]{0,62}[a-z0-9])?` without `--`, and no device name of Windows.
fn check_label(what: &str, text: &str) -> Result<(), NameError> {
    if text.is_empty() {
        return Err(NameError::new(format!("the {what} is empty: it needs 1 to 64 characters")));
    }
    let allowed = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-';
    // Each with what to do if no valid name is close.
    let rules = [
        (text.len() <= MAX_BYTES, "is longer than 64 characters", "shorten it"),
        (text.bytes().all(allowed), "may have only the characters a-z, 0-9 and `-`", "choose another"),
        (
            !text.starts_with('-') && !text.ends_with('-'),
            "must begin and end with a letter or digit",
            "choose another",
        ),
        (!text.contains("--"), "has `--`, which separates namespace and slug", "use a single `-`"),
        (!reserved::is_windows_device(text), "is a device name on Windows", "choose another"),
    ];
    let Some((_, why, remedy)) = rules.iter().find(|(is_kept, ..)| !is_kept) else { return Ok(()) };
    let why = format!("the {what} {} {why}", quoted(text));
    let remedy = suggestion(text).map_or(Remedy::Choose(remedy), Remedy::Write);
    Err(NameError { why, remedy })
}

/// Returns the error of the first rule that `text` breaks.
fn check_rules(what: &str, text: &str, rules: &[(bool, &str)]) -> Result<(), NameError> {
    match rules.iter().find(|(is_kept, _)| !is_kept) {
        Some((_, why)) => Err(NameError::new(format!("the {what} {} {why}", quoted(text)))),
        None => Ok(()),
    }
}

macro_rules! label {
    ($(#[$doc:meta])* $name:ident, $parse:expr) => {
        $(#[$doc])*
        #[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(Arc<str>);

        impl $name {
            /// The name as text.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl FromStr for $name {
            type Err = NameError;

            fn from_str(text: &str) -> Result<Self, NameError> {
                let check: fn(&str) -> Result<(), NameError> = $parse;
                check(text)?;
                Ok(Self(text.into()))
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }

        text_forms!($name);
    };
}

label!(
    /// The name of a namespace: `global`, or a team.
    Namespace,
    |text| {
        check_label("namespace", text)?;
        if reserved::NAMESPACES.contains(&text) {
            return Err(NameError::new(format!("the namespace `{text}` is reserved: choose another")));
        }
        Ok(())
    }
);

label!(
    /// The name of a skill in its namespace.
    Slug,
    |text| check_label("slug", text)
);

label!(
    /// The name of a user. Handles never change and are never reused.
    Handle,
    |text| check_label("handle", text)
);

label!(
    /// A movable name for a version: `[a-z0-9][a-z0-9._-]{0,63}`, but nothing that
    /// [`TolerantVersion`] reads. The reserved tag `latest` is valid here.
    TagName,
    check_tag
);

fn check_tag(text: &str) -> Result<(), NameError> {
    let allowed = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || matches!(b, b'.' | b'_' | b'-');
    let suffix = "ends in a file suffix, so its file could be another document's: choose another";
    let rules = [
        (matches!(text.len(), 1..=64), "must have 1 to 64 characters"),
        (text.bytes().all(allowed), "may have only the characters a-z, 0-9, `.`, `_` and `-`"),
        (text.starts_with(|c: char| c.is_ascii_alphanumeric()), "must begin with a letter or digit"),
        (!text.ends_with('.'), "must not end in a dot"),
        (text.parse::<TolerantVersion>().is_err(), "can be read as a version: choose another"),
        (!reserved::ends_in_file_suffix(text), suffix),
        (!reserved::is_windows_device(text), "is a device name on Windows: choose another"),
    ];
    check_rules("tag", text, &rules)
}

impl Namespace {
    /// The built-in namespace, which platform admins manage.
    pub fn global() -> Self {
        Self("global".into())
    }

    /// Whether this is the built-in namespace.
    pub fn is_global(&self) -> bool {
        &*self.0 == "global"
    }
}

impl TagName {
    /// The reserved tag that follows the highest release by itself.
    pub fn latest() -> Self {
        Self("latest".into())
    }

    /// Whether this is the reserved tag `latest`.
    pub fn is_latest(&self) -> bool {
        &*self.0 == "latest"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn label_is_valid_only_by_the_common_rule() {
        let long = "a".repeat(64);
        for good in ["a", "0", "a-b", "0xterrybit", "api", &long] {
            assert!(good.parse::<Slug>().is_ok(), "{good}");
        }
        let too_long = "a".repeat(65);
        for bad in ["", "-a", "a-", "a--b", "A", "a_b", "a.b", "é", "con", "com1", "a/b", &too_long] {
            assert!(bad.parse::<Slug>().is_err(), "{bad}");
            assert!(bad.parse::<Handle>().is_err(), "{bad}");
        }
        for bad in ["api", "users", "well-known", "lpt9"] {
            assert!(bad.parse::<Namespace>().is_err(), "{bad}");
        }
        assert!("global".parse::<Namespace>().is_ok_and(|n| n.is_global()));
    }

    #[test]
    fn tag_like_a_version_or_file_is_invalid() {
        for good in ["latest", "beta", "v-next", "2024_lts", "0a", "release-1.x"] {
            assert!(good.parse::<TagName>().is_ok(), "{good}");
        }
        for bad in [
            "",
            "1",
            "1.2",
            "v1",
            "v1.2.3",
            "1.0.0-rc.1",
            "a.",
            ".a",
            "a.json",
            "a.minisig",
            "zip",
            "A",
            "a b",
            "con",
            "aux.x",
        ] {
            assert!(bad.parse::<TagName>().is_err(), "{bad}");
        }
    }
}
