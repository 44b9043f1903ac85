//! What a package says about itself.

use serde_json::{Map, Value};

use crate::names::{Namespace, Slug, TolerantVersion};

/// How much is forgiven.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Strictness {
    /// Front matter must be there and right: native publishing.
    Strict,
    /// What is broken is repaired with a warning: the ClawHub dialect and
    /// `skillmirror import --tolerant`.
    Tolerant,
}

/// The name that front matter claims: `<slug>`, or `<namespace>--<slug>`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RequestedName {
    /// The namespace, where the name has one.
    pub namespace: Option<Namespace>,
    /// The skill's name.
    pub slug: Slug,
}

/// What the entry file says, within the contract's bounds ("Packages").
#[derive(Debug, Clone, PartialEq)]
pub struct Manifest {
    /// From `name`.
    pub requested_name: Option<RequestedName>,
    /// Without a `name`: the name of the top folder, else of the source,
    /// brought into the form of a slug.
    pub slug_from_source: Option<Slug>,
    /// From `version`, else `metadata.version`.
    pub version: Option<TolerantVersion>,
    /// 1 to 1,024 characters, no white space around them.
    pub description: String,
    /// From `metadata.title`, else `title`: at most 128 characters.
    pub title: Option<String>,
    /// At most 128 characters.
    pub license: Option<String>,
    /// An http or https address of at most 2,048 characters.
    pub homepage: Option<String>,
    /// From `keywords`, `metadata.keywords` or `tags`: at most 32 of at most
    /// 64 characters, each once, in their order.
    pub keywords: Vec<String>,
    /// The headings of the text, without markup: at most 64 of at most 128
    /// characters, together at most 2 KiB, each once, in their order.
    pub headings: Vec<String>,
    /// All of the front matter as JSON. A number is a number here: `name` and
    /// `version` above have the text as it is written.
    pub front_matter: Map<String, Value>,
}

impl Manifest {
    /// The best name the package has: the requested_name one, else its source's.
    pub fn slug(&self) -> Option<&Slug> {
        self.requested_name.as_ref().map(|claim| &claim.slug).or(self.slug_from_source.as_ref())
    }
}

/// Brings a text into the form of a slug, where that is possible: lower case,
/// one `-` for each run of other characters, at most 64.
pub(super) fn slugified(text: &str) -> Option<Slug> {
    let mut slug = String::new();
    for c in text.chars().flat_map(char::to_lowercase) {
        if slug.len() >= 64 {
            break;
        }
        if c.is_ascii_lowercase() || c.is_ascii_digit() {
            slug.push(c);
        } else if !slug.is_empty() && !slug.ends_with('-') {
            slug.push('-');
        }
    }
    slug.trim_end_matches('-').parse().ok()
}

/// A slug from the name of a folder or an archive.
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
    fn slugs_from_other_names() {
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
