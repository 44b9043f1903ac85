//! Skill references, as people write them on the command line.

use std::fmt;
use std::str::FromStr;

use generator::address::Pointer;
use registry::names::{Coordinate, TolerantVersion};

use crate::ClientError;

/// A skill, and optionally a version or tag of it.
///
/// The text is `hello`, `namespace--hello`, `@namespace/hello` or `namespace/hello`,
/// optionally followed by `@1.2.0` or `@tag`. `Display` writes `hello` for the namespace
/// `global` and `@namespace/hello` for others.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SkillReference {
    /// The skill.
    pub coordinate: Coordinate,
    /// The version or tag. None means the latest version.
    pub pointer: Option<Pointer>,
}

impl SkillReference {
    /// The name of a skill in arguments and output: `hello` in the namespace `global`,
    /// `@namespace/hello` in others.
    pub fn argument(coordinate: &Coordinate) -> String {
        if coordinate.namespace.is_global() { coordinate.slug.to_string() } else { coordinate.scoped() }
    }
}

impl FromStr for SkillReference {
    type Err = ClientError;

    fn from_str(text: &str) -> Result<Self, ClientError> {
        let refused = |why: &dyn fmt::Display| ClientError::Reference {
            text: text.chars().take(200).collect::<String>().escape_debug().to_string(),
            why: why.to_string(),
        };
        // The first `@` of `@namespace/hello@1.2.0` is part of the name.
        let (scope, rest) = text.strip_prefix('@').map_or(("", text), |rest| ("@", rest));
        let (name, pointer) = match rest.split_once('@') {
            Some((name, pointer)) => (name, Some(pointer)),
            None => (rest, None),
        };
        let coordinate = match name.split_once('/') {
            Some((namespace, slug)) => Coordinate::new(
                namespace.parse().map_err(|why| refused(&why))?,
                slug.parse().map_err(|why| refused(&why))?,
            ),
            None if scope.is_empty() => name.parse().map_err(|why| refused(&why))?,
            None => return Err(refused(&"a name with `@` needs a namespace and a `/`")),
        };
        if let Some(version) = pointer.filter(|pointer| is_incomplete(pointer)) {
            let version = version.to_owned();
            return Err(ClientError::IncompleteVersion { coordinate, version, choices: None });
        }
        let pointer =
            pointer.map(|pointer| parse_pointer(pointer).map_err(|why| refused(&why))).transpose()?;
        Ok(Self { coordinate, pointer })
    }
}

/// Whether a text is a version with fewer than three numbers. `1` could mean 1.0.0 or the newest
/// 1.x, so it is refused.
fn is_incomplete(text: &str) -> bool {
    let bare = text.strip_prefix(['v', 'V']).unwrap_or(text);
    let core = bare.split(['-', '+']).next().unwrap_or_default();
    core.split('.').count() < 3 && text.parse::<TolerantVersion>().is_ok()
}

/// Parses a version (`v1.2.0` means 1.2.0) or a tag. No tag can be parsed as a version.
fn parse_pointer(text: &str) -> Result<Pointer, registry::names::NameError> {
    match text.parse::<TolerantVersion>() {
        Ok(read) => Ok(Pointer::Version(read.version)),
        Err(why) => text.parse().map(Pointer::Tag).map_err(|no_tag| {
            // A text that starts with a digit is meant as a version.
            if text.starts_with(|c: char| c.is_ascii_digit()) { why } else { no_tag }
        }),
    }
}

impl fmt::Display for SkillReference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&Self::argument(&self.coordinate))?;
        match &self.pointer {
            Some(pointer) => write!(f, "@{pointer}"),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn read(text: &str) -> String {
        text.parse::<SkillReference>().unwrap().to_string()
    }

    #[test]
    fn parse_accepts_each_form() {
        for (text, expected) in [
            ("hello", "hello"),
            ("global--hello", "hello"),
            ("@global/hello", "hello"),
            ("global/hello", "hello"),
            ("tools--hello", "@tools/hello"),
            ("@tools/hello", "@tools/hello"),
            ("tools/hello", "@tools/hello"),
            ("hello@1.2.0", "hello@1.2.0"),
            ("hello@v1.2.0", "hello@1.2.0"),
            ("@tools/hello@1.2.0-rc.1", "@tools/hello@1.2.0-rc.1"),
            ("tools/hello@stable", "@tools/hello@stable"),
            ("tools--hello@latest", "@tools/hello@latest"),
        ] {
            assert_eq!(read(text), expected, "{text}");
        }
    }

    #[test]
    fn incomplete_version_is_refused() {
        for text in ["1", "v1", "1.2", "V1.2", "1-rc.1", "1.2-beta", "0"] {
            let why = format!("@tools/hello@{text}").parse::<SkillReference>().unwrap_err();
            assert_eq!(why.code(), "invalid_reference", "{text}");
            let why = why.to_string();
            assert!(why.contains(&format!("`{text}`")) && why.contains("three numbers"), "{text}: {why}");
        }
    }

    #[test]
    fn parse_of_other_text_names_the_forms() {
        for text in [
            "",
            "@",
            "@hello",
            "/",
            "a/",
            "/a",
            "@a/b/c",
            "a--b--c",
            "Hello",
            "hello@",
            "hello@1.2.0+b",
            "hello@a@b",
            "hello@ÿ",
            "../a",
            "a/..",
            "@tools--hello",
            "hello 1",
        ] {
            let why = text.parse::<SkillReference>().unwrap_err().to_string();
            assert!(why.contains("@namespace/hello"), "{text}: {why}");
        }
    }

    proptest! {
        #[test]
        fn display_of_a_parsed_reference_parses_again(
            namespace in "[a-z0-9]([a-z0-9-]{0,20}[a-z0-9])?",
            slug in "[a-z0-9]([a-z0-9-]{0,20}[a-z0-9])?",
            pointer in "(@([0-9]{1,3}\\.[0-9]{1,3}\\.[0-9]{1,3}(-[a-z]{1,5})?|[a-z][a-z0-9._-]{0,10}))?",
        ) {
            let reference = format!("@{namespace}/{slug}{pointer}").parse::<SkillReference>();
            prop_assume!(reference.is_ok());
            let reference = reference.unwrap();
            prop_assert_eq!(reference.to_string().parse::<SkillReference>().unwrap(), reference.clone());
            let canonical = format!("{}{pointer}", reference.coordinate);
            prop_assert_eq!(canonical.parse::<SkillReference>().unwrap(), reference);
        }

        #[test]
        fn parse_of_any_text_does_not_panic(text in "\\PC{0,40}") {
            let _ = text.parse::<SkillReference>();
        }
    }
}
