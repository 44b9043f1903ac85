//! Addresses of the ClawHub dialect. Its documents are below `clawhub`, and its discovery is at the
//! root, where clients look for it.

use registry::names::Coordinate;
use registry::public::Sort;

use super::query::parameter;
use super::{Document, Pointer};

/// A document of the ClawHub dialect.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ClawhubDocument {
    /// Where the dialect is.
    Discovery,
    /// A skill. It also answers which version is the latest.
    Skill(Coordinate),
    /// The top of a list of skills. Only the orders in [`ClawhubDocument::ORDERS`] are documents.
    Skills(Sort),
}

impl ClawhubDocument {
    /// The orders in which skills are listed. The first is the default.
    pub const ORDERS: [Sort; 4] = [Sort::Updated, Sort::Created, Sort::Downloads, Sort::Stars];

    /// The path from the origin without the suffix. `None` if the list has no document.
    pub(super) fn stem(&self) -> Option<String> {
        Some(match self {
            Self::Discovery => ".well-known/clawhub".into(),
            Self::Skill(c) => format!("clawhub/api/v1/skills/{c}"),
            Self::Skills(Sort::Updated) => "clawhub/api/v1/skills".into(),
            Self::Skills(sort) if Self::ORDERS.contains(sort) => {
                format!("clawhub/api/v1/skills/_list/{}", sort.as_str())
            }
            Self::Skills(_) => return None,
        })
    }

    /// Whether requests name the file with its suffix.
    pub(super) fn is_served_as_file(&self) -> bool {
        matches!(self, Self::Discovery)
    }

    /// The document at a path below `clawhub`. A query that asks for something else has none.
    pub(super) fn at(segments: &[&str], query: &str) -> Option<Document> {
        let is_plain = |names: &[&str]| names.iter().all(|name| parameter(query, name).is_none());
        let document = match segments {
            ["api", "v1", "skills"] => {
                is_plain(&["limit", "sort", "prefix", "cursor"]).then_some(Self::Skills(Sort::Updated))?
            }
            ["api", "v1", "skills", "_list", sort] => {
                let sort = sort.parse().ok()?;
                (sort != Sort::Updated && Self::ORDERS.contains(&sort)).then_some(Self::Skills(sort))?
            }
            ["api", "v1", "skills", slug] => {
                is_plain(&["ownerHandle"]).then(|| slug.parse().ok().map(Self::Skill))??
            }
            _ => return None,
        };
        Some(Document::Clawhub(document))
    }

    /// The package that `/clawhub/api/v1/download?slug=&version=` asks for.
    pub fn package(path: &str, query: &str) -> Option<Document> {
        let (slug, version) = (parameter(query, "slug")?, parameter(query, "version")?);
        let package = || {
            let skill = slug.parse().ok()?;
            let version =
                version.parse().map(Pointer::Version).or_else(|_| version.parse().map(Pointer::Tag));
            Some(Document::CompatPackage(skill, version.ok()?))
        };
        (path == "/clawhub/api/v1/download").then(package).flatten()
    }

    /// The documents that a registry has once.
    pub(crate) fn once() -> impl Iterator<Item = Self> {
        std::iter::once(Self::Discovery).chain(Self::lists())
    }

    /// The lists of skills.
    pub(crate) fn lists() -> impl Iterator<Item = Self> {
        Self::ORDERS.into_iter().map(Self::Skills)
    }
}
