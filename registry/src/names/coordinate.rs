//! Coordinates, and canonical slugs as their text.

use std::fmt;
use std::str::FromStr;

use super::{NameError, Namespace, Slug};

/// The full name of a skill. As text it is the canonical slug: `<slug>` in `global`, else
/// `<namespace>--<slug>`. Parsing reads `global--x` as `x`.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Coordinate {
    /// The namespace of the skill.
    pub namespace: Namespace,
    /// The name in the namespace.
    pub slug: Slug,
}

impl Coordinate {
    /// Combines namespace and slug.
    pub fn new(namespace: Namespace, slug: Slug) -> Self {
        Self { namespace, slug }
    }

    /// Parses `@namespace/slug`, and no other form. None if the text does not look like it.
    pub fn parse_scoped(text: &str) -> Option<Result<Self, NameError>> {
        let (namespace, slug) = text.strip_prefix('@')?.split_once('/')?;
        Some(namespace.parse().and_then(|namespace| Ok(Self::new(namespace, slug.parse()?))))
    }

    /// The form for messages: `@namespace/slug`.
    pub fn scoped(&self) -> String {
        format!("@{}/{}", self.namespace, self.slug)
    }
}

impl FromStr for Coordinate {
    type Err = NameError;

    fn from_str(text: &str) -> Result<Self, NameError> {
        match text.split_once("--") {
            Some((namespace, slug)) => Ok(Self::new(namespace.parse()?, slug.parse()?)),
            None => Ok(Self::new(Namespace::global(), text.parse()?)),
        }
    }
}

impl fmt::Display for Coordinate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.namespace.is_global() {
            write!(f, "{}", self.slug)
        } else {
            write!(f, "{}--{}", self.namespace, self.slug)
        }
    }
}

super::text_forms!(Coordinate);

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn label() -> impl Strategy<Value = String> {
        "[a-z0-9]([a-z0-9-]{0,62}[a-z0-9])?"
    }

    proptest! {
        #[test]
        fn canonical_slug_is_read_back(namespace in label(), slug in label()) {
            let (namespace, slug) = (namespace.parse(), slug.parse());
            prop_assume!(namespace.is_ok() && slug.is_ok());
            let coordinate = Coordinate::new(namespace.unwrap(), slug.unwrap());
            prop_assert_eq!(coordinate.to_string().parse::<Coordinate>(), Ok(coordinate));
        }

        #[test]
        fn coordinate_has_one_canonical_text(text in "[a-z0-9-]{1,12}(--)?[a-z0-9-]{0,6}") {
            let coordinate = text.parse::<Coordinate>();
            prop_assume!(coordinate.is_ok());
            let canonical = coordinate.unwrap().to_string();
            let long = format!("global--{canonical}");
            prop_assert!(canonical == text || long == text);
        }
    }

    #[test]
    fn coordinate_in_global_is_only_the_slug() {
        let short: Coordinate = "x".parse().unwrap();
        assert_eq!("global--x".parse(), Ok(short.clone()));
        assert_eq!((short.to_string(), short.scoped()), ("x".into(), "@global/x".into()));
        assert_eq!("team--x".parse::<Coordinate>().unwrap().scoped(), "@team/x");
        for bad in ["", "--", "a--", "--a", "a--b--c", "api--x", "A--b"] {
            assert!(bad.parse::<Coordinate>().is_err(), "{bad}");
        }
    }
}
