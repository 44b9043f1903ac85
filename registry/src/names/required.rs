//! Skills that another skill or a bundle needs.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::{Coordinate, Namespace, Requirement, Slug};

/// A skill that is needed, and the versions of it that will do.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
pub struct Required {
    /// The namespace of the skill.
    pub namespace: Namespace,
    /// The name of the skill in its namespace.
    pub slug: Slug,
    /// The versions that will do: a range, a full version after `=`, a tag, or `latest`.
    pub requirement: Requirement,
}

impl Required {
    /// The full name of the skill.
    pub fn coordinate(&self) -> Coordinate {
        Coordinate::new(self.namespace.clone(), self.slug.clone())
    }
}

impl fmt::Display for Required {
    /// Writes `@team/grilling ^1`, for messages.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.coordinate().scoped(), self.requirement)
    }
}

/// A needed skill as people write it: `team/grilling@^1`, or `grilling` in the same namespace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WrittenRequired {
    /// The namespace, if it is named.
    pub namespace: Option<Namespace>,
    /// The name of the skill in its namespace.
    pub slug: Slug,
    /// The versions that will do. Default: the latest.
    pub requirement: Requirement,
}

impl WrittenRequired {
    /// Completes the name. `default` is the namespace of a skill that names none.
    pub fn in_namespace(self, default: &Namespace) -> Required {
        let Self { namespace, slug, requirement } = self;
        Required { namespace: namespace.unwrap_or_else(|| default.clone()), slug, requirement }
    }

    /// Parses a list with commas. A piece that begins with an operator belongs to the range before it, as in
    /// `pdf@>=1, <3`.
    pub fn parse_list(text: &str) -> Result<Vec<Self>, String> {
        let mut pieces: Vec<String> = Vec::new();
        for piece in text.split(',').map(str::trim) {
            match pieces.last_mut().filter(|_| piece.starts_with(['<', '>', '=', '~', '^'])) {
                Some(last) => *last += &format!(", {piece}"),
                None => pieces.push(piece.to_owned()),
            }
        }
        pieces.iter().map(|piece| piece.parse()).collect()
    }
}

impl FromStr for WrittenRequired {
    /// The reason and the remedy, in words.
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let bare = text.strip_prefix('@').unwrap_or(text);
        let (name, requirement) = match bare.split_once('@') {
            Some((name, requirement)) => (name.trim(), requirement.trim().parse()),
            None => (bare.trim(), Ok(Requirement::Latest)),
        };
        let names = name.split_once('/').or_else(|| name.split_once("--"));
        let (namespace, slug) = names.map_or((None, name), |(namespace, slug)| (Some(namespace), slug));
        let namespace = namespace.map(str::parse).transpose();
        match (namespace, slug.parse(), requirement) {
            (Ok(namespace), Ok(slug), Ok(requirement)) => Ok(Self { namespace, slug, requirement }),
            (Err(why), ..) | (_, Err(why), _) => Err(refused(text, &why)),
            (.., Err(why)) => Err(refused(text, &why)),
        }
    }
}

fn refused(text: &str, why: &dyn fmt::Display) -> String {
    let shown: String = text.chars().take(80).collect();
    let shown = shown.escape_debug();
    format!(
        "`{shown}` names no skill and versions of it ({why}): write it as in `team/grilling@^1, domain-modeling`"
    )
}

/// The most skills that a skill requires.
pub const MAX_REQUIRED: usize = 32;

/// Checks that at most `max` skills are required, none of them twice. The error is the rest of a sentence.
pub fn check_required(all: &[Required], max: usize) -> Result<(), String> {
    if all.len() > max {
        return Err(format!("has {} skills, and at most {max} are allowed", all.len()));
    }
    let mut names: Vec<_> = all.iter().map(Required::coordinate).collect();
    names.sort();
    match names.windows(2).find(|pair| pair.first() == pair.get(1)).and_then(<[_]>::first) {
        Some(twice) => Err(format!("names {} twice", twice.scoped())),
        None => Ok(()),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn read(text: &str) -> String {
        let own: Namespace = "own".parse().unwrap();
        match WrittenRequired::parse_list(text) {
            Ok(all) => {
                let all = all.into_iter().map(|one| one.in_namespace(&own).to_string());
                all.collect::<Vec<_>>().join("; ")
            }
            Err(why) => format!("refused: {why}"),
        }
    }

    #[test]
    fn list_is_read_with_ranges_and_short_names() {
        for (text, expected) in [
            ("team/grilling@^1, domain-modeling", "@team/grilling ^1; @own/domain-modeling latest"),
            ("@team/a@1.2.0,b@=1.2.0", "@team/a =1.2.0; @own/b =1.2.0"),
            ("team--a@>=1, <3 , b@stable", "@team/a >=1, <3; @own/b stable"),
            ("a @ 1", "@own/a ^1"),
        ] {
            assert_eq!(read(text), expected, "{text}");
        }
    }

    #[test]
    fn unreadable_list_says_how_to_write_it() {
        for text in ["", "a,", "A", "a@", "a b", "^1", "a@^x", "a/b/c", "https://x/y", "a@1@2", "api/x"] {
            let why = read(text);
            assert!(why.starts_with("refused: ") && why.contains("team/grilling@^1"), "{text}: {why}");
        }
    }
}
