//! Skill references, as people write them on the command line.

use std::fmt;
use std::str::FromStr;

use registry::names::{Coordinate, Requirement};

use super::page_address::{Named, is_address, named};
use crate::ClientError;
use crate::registry_address::without_secrets;

/// A skill, and optionally which versions of it are wanted.
///
/// The text is `hello`, `namespace--hello`, `@namespace/hello` or `namespace/hello`,
/// optionally followed by `@` and a [`Requirement`]. `Display` writes `hello` for the namespace
/// `global` and `@namespace/hello` for others.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SkillReference {
    /// The skill.
    pub coordinate: Coordinate,
    /// The wanted versions, if they are named. None means the latest version.
    pub requirement: Option<Requirement>,
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
        if is_address(text) {
            return Err(ClientError::Reference { text: without_secrets(text), why: advice(text) });
        }
        // The first `@` of `@namespace/hello@1.2.0` is part of the name.
        let (scope, rest) = text.strip_prefix('@').map_or(("", text), |rest| ("@", rest));
        let (name, requirement) = match rest.split_once('@') {
            Some((name, requirement)) => (name, Some(requirement)),
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
        let requirement = requirement.map(|text| text.parse().map_err(|why| refused(&why))).transpose()?;
        Ok(Self { coordinate, requirement })
    }
}

impl fmt::Display for SkillReference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&Self::argument(&self.coordinate))?;
        match &self.requirement {
            // On a command line a full version needs no operator.
            Some(Requirement::Exact(version)) => write!(f, "@{version}"),
            Some(requirement) => write!(f, "@{requirement}"),
            None => Ok(()),
        }
    }
}

/// Says what to write instead of an address.
///
/// No request goes to that address: the user decides which registry is used and gets a token.
fn advice(address: &str) -> String {
    match named(address) {
        Some((Named::Skill(skill, version), registry)) => {
            let reference =
                SkillReference { coordinate: skill, requirement: version.map(Requirement::Exact) };
            format!("it is an address. Write `{reference} --registry {registry}` instead")
        }
        Some((Named::Namespace(namespace), registry)) => format!(
            "it is the address of a namespace. `skillmirror search \"\" --namespace {namespace} --registry {registry}` \
             lists its skills"
        ),
        None => {
            "it is an address, and not that of a skill. Write the name of the skill, and the address of its \
                 registry after `--registry`"
                .to_owned()
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
            ("hello@1", "hello@^1"),
            ("@tools/hello@v1.2", "@tools/hello@^1.2"),
            ("hello@~1.2", "hello@~1.2"),
            ("hello@=1.2.0", "hello@1.2.0"),
            ("hello@>=1, <3", "hello@>=1, <3"),
        ] {
            assert_eq!(read(text), expected, "{text}");
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
            "hello@1-rc.1",
            "hello@^x",
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

    #[test]
    fn address_says_what_to_write() {
        for (text, expected) in [
            ("http://h/global/a/", "`a --registry http://h` "),
            ("http://h/global/a", "`a --registry http://h` "),
            ("HTTPS://H:8443/tools/a/?q=1#versions", "`@tools/a --registry https://h:8443` "),
            ("https://h/skills/global/a/", "`a --registry https://h/skills` "),
            ("https://h/x/y/tools/a/index.html", "`@tools/a --registry https://h/x/y` "),
            ("https://h/tools/a/index.md", "`@tools/a --registry https://h` "),
            ("https://h/tools/a.git", "`@tools/a --registry https://h` "),
            ("https://h/api/v1/skills/tools/a", "`@tools/a --registry https://h` "),
            (
                "https://h/x/api/v1/skills/tools/a/versions/1.2.0.json",
                "`@tools/a@1.2.0 --registry https://h/x` ",
            ),
            ("https://h/api/v1/download/tools--a/1.2.0.zip", "`@tools/a@1.2.0 --registry https://h` "),
            ("file:///srv/tree/global/a/index.html", "`a --registry file:///srv/tree` "),
            ("http://h/tools/", "--namespace tools --registry http://h`"),
            ("http://h/", "not that of a skill"),
            ("http://h/search/?q=pdf", "not that of a skill"),
            ("http://u:secret@h/global/a/", "not that of a skill"),
            ("http://", "not that of a skill"),
        ] {
            let shown = text.parse::<SkillReference>().unwrap_err().to_string();
            assert!(shown.contains(expected) && !shown.contains("secret"), "{text}: {shown}");
        }
        for name in ["a", "@tools/a", "tools/a@1.0.0", "x://y", ""] {
            assert!(!is_address(name), "{name}");
        }
    }

    proptest! {
        #[test]
        fn display_of_a_parsed_reference_parses_again(
            namespace in "[a-z0-9]([a-z0-9-]{0,20}[a-z0-9])?",
            slug in "[a-z0-9]([a-z0-9-]{0,20}[a-z0-9])?",
            wanted in "(@([0-9]{1,3}\\.[0-9]{1,3}\\.[0-9]{1,3}(-[a-z]{1,5})?|[a-z][a-z0-9._-]{0,10}))?",
        ) {
            let reference = format!("@{namespace}/{slug}{wanted}").parse::<SkillReference>();
            prop_assume!(reference.is_ok());
            let reference = reference.unwrap();
            prop_assert_eq!(reference.to_string().parse::<SkillReference>().unwrap(), reference.clone());
            let canonical = format!("{}{wanted}", reference.coordinate);
            prop_assert_eq!(canonical.parse::<SkillReference>().unwrap(), reference);
        }

        #[test]
        fn parse_of_any_text_does_not_panic(text in "\\PC{0,40}") {
            let _ = text.parse::<SkillReference>();
        }
    }
}
