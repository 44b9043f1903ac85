//! The manifest of a package.

use std::collections::BTreeMap;
use std::str::FromStr;

use serde_json::{Map, Value};

use crate::names::{Coordinate, NameError, Namespace, Slug, TolerantVersion, WrittenRequired, hyphenated};

/// Whether problems of SKILL.md are errors.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Strictness {
    /// Invalid front matter is an error. Publishing does this.
    Strict,
    /// Invalid front matter is repaired with a warning. `skillmirror import --tolerant` does
    /// this.
    Tolerant,
}

/// The name that front matter or a request asks for: `<slug>` or `<namespace>--<slug>`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RequestedName {
    /// The namespace, if the name has one.
    pub namespace: Option<Namespace>,
    /// The skill's name.
    pub slug: Slug,
}

impl FromStr for RequestedName {
    type Err = NameError;

    fn from_str(text: &str) -> Result<Self, NameError> {
        if !text.contains("--") {
            return Ok(Self { namespace: None, slug: text.parse()? });
        }
        let Coordinate { namespace, slug } = text.parse()?;
        Ok(Self { namespace: Some(namespace), slug })
    }
}

/// The fields of SKILL.md, within the limits of docs/api/packages.md ("SKILL.md").
#[derive(Debug, Clone, PartialEq)]
pub struct Manifest {
    /// The field `name`.
    pub requested_name: Option<RequestedName>,
    /// Without a `name`: the top folder or the source, converted to a slug.
    pub slug_from_source: Option<Slug>,
    /// The field `metadata.version`, else `version`.
    pub version: Option<TolerantVersion>,
    /// 1 to 1,024 characters, trimmed.
    pub description: String,
    /// The field `metadata.title`, else `title`: at most 128 characters.
    pub title: Option<String>,
    /// At most 128 characters.
    pub license: Option<String>,
    /// An http or https URL of at most 2,048 characters.
    pub homepage: Option<String>,
    /// The field `metadata.keywords`, `metadata.tags`, `keywords` or `tags`: at most 32 different keywords of
    /// at most 64 characters.
    pub keywords: Vec<String>,
    /// The field `metadata.requires`: at most 32 skills.
    pub requires: Vec<WrittenRequired>,
    /// The headings of the text, without markup: at most 64 different headings of at most
    /// 128 characters, together at most 2 KiB.
    pub headings: Vec<String>,
    /// The most frequent words of the text that no other field has, in lower case: at most 32 words of at most
    /// 24 characters, together at most 1 KiB.
    pub body_words: Vec<String>,
    /// The whole front matter as JSON. Numbers are JSON numbers here, while `name` and
    /// `version` are read from the text.
    pub front_matter: Map<String, Value>,
    /// The lines of its keys in the file: `version`, `metadata.version`.
    pub lines: BTreeMap<String, u64>,
}

impl Manifest {
    /// The slug of `requested_name`, else of the source.
    pub fn slug(&self) -> Option<&Slug> {
        self.requested_name.as_ref().map(|claim| &claim.slug).or(self.slug_from_source.as_ref())
    }
}

/// Converts a text to a slug, if possible: lower case, one `-` for each run of other
/// characters, at most 64 characters.
pub fn slugified(text: &str) -> Option<Slug> {
    hyphenated(text).parse().ok()
}

/// Converts the name of a folder or archive to a slug.
pub(super) fn slug_of_source(name: &str) -> Option<Slug> {
    let base = name.trim_end_matches(['/', '\\']).rsplit(['/', '\\']).next().unwrap_or(name);
    let stem = base.len().checked_sub(4).and_then(|at| base.split_at_checked(at));
    let base = stem.filter(|(_, end)| end.eq_ignore_ascii_case(".zip")).map_or(base, |(stem, _)| stem);
    slugified(base)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_names_become_slugs() {
        for (name, slug) in
            [("My Skill!", "my-skill"), ("novafon\\_api", "novafon-api"), ("a--b", "a-b"), ("-a-", "a")]
        {
            assert_eq!(slugified(name).unwrap().as_str(), slug);
        }
        for none in ["", "日本", "con", "--"] {
            assert_eq!(slugified(none), None);
        }
        assert_eq!(slugified(&"ab ".repeat(40)).unwrap().as_str().len(), 64);
        for name in ["/x/My_Skill.ZIP", "my-skill", "x/my-skill/", "C:\\my-skill.zip"] {
            assert_eq!(slug_of_source(name).unwrap().as_str(), "my-skill");
        }
        assert_eq!(slug_of_source(".zip"), None);
    }
}
