//! How a person names a skill, and perhaps which version of it.

use std::fmt;
use std::str::FromStr;

use generator::address::Pointer;
use registry::names::{Coordinate, TolerantVersion};

use crate::ClientError;

/// A skill, and perhaps a version or a tag of it.
///
/// Its text is `hello`, `namespace--hello`, `@namespace/hello` or
/// `namespace/hello`, with `@1.2.0` or `@tag` behind where one is meant.
/// `Display` writes the first form for `global` and the third for all others.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SkillReference {
    /// The skill.
    pub coordinate: Coordinate,
    /// What is meant of it; None: its latest version.
    pub pointer: Option<Pointer>,
}

impl SkillReference {
    /// What people call a skill, in what commands are given and in what they print: `hello` in
    /// `global`, `@namespace/hello` elsewhere.
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
            None => return Err(refused(&"what begins with `@` has a namespace and a `/`")),
        };
        let pointer = pointer.map(|pointer| meant(pointer).map_err(|why| refused(&why))).transpose()?;
        Ok(Self { coordinate, pointer })
    }
}

/// A version as people write it (`v1.2` is 1.2.0), else a tag: no tag can be
/// read as a version.
fn meant(text: &str) -> Result<Pointer, registry::names::NameError> {
    match text.parse::<TolerantVersion>() {
        Ok(read) => Ok(Pointer::Version(read.version)),
        Err(why) => text.parse().map(Pointer::Tag).map_err(|no_tag| {
            // Whoever begins with a digit means a version.
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
    fn each_form_is_read() {
        for (text, expected) in [
            ("hello", "hello"),
            ("global--hello", "hello"),
            ("@global/hello", "hello"),
            ("global/hello", "hello"),
            ("tools--hello", "@tools/hello"),
            ("@tools/hello", "@tools/hello"),
            ("tools/hello", "@tools/hello"),
            ("hello@1.2.0", "hello@1.2.0"),
            ("hello@v1.2", "hello@1.2.0"),
            ("@tools/hello@1.2.0-rc.1", "@tools/hello@1.2.0-rc.1"),
            ("tools/hello@stable", "@tools/hello@stable"),
            ("tools--hello@latest", "@tools/hello@latest"),
        ] {
            assert_eq!(read(text), expected, "{text}");
        }
    }

    #[test]
    fn others_are_refused_with_the_forms() {
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
        fn what_is_read_comes_back(
            namespace in "[a-z0-9]([a-z0-9-]{0,20}[a-z0-9])?",
            slug in "[a-z0-9]([a-z0-9-]{0,20}[a-z0-9])?",
            pointer in "(@([0-9]{1,3}\\.[0-9]{1,3}\\.[0-9]{1,3}(-[a-z]{1,5})?|[a-z][a-z0-9._-]{0,10}))?",
        ) {
            if let Ok(reference) = format!("@{namespace}/{slug}{pointer}").parse::<SkillReference>() {
                prop_assert_eq!(reference.to_string().parse::<SkillReference>().unwrap(), reference.clone());
                let canonical = format!("{}{pointer}", reference.coordinate);
                prop_assert_eq!(canonical.parse::<SkillReference>().unwrap(), reference);
            }
        }

        #[test]
        fn any_text_is_answered(text in "\\PC{0,40}") {
            // Read or refused, but nothing else.
            let _ = text.parse::<SkillReference>();
        }
    }
}
