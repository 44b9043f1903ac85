//! What the table states about a kind of document.

use registry::names::{BundleName, Coordinate, Namespace, TagName, Version};

pub use super::cause::Cause;
pub use super::needs::Needs;
use super::{Document, Subject};
use crate::address::{Format, Lifetime, Stage};

/// Everything about a kind of document but its content, which `render` makes. Documents of one variant of
/// [`Document`] are of several kinds if these facts differ.
#[derive(Debug, Clone, Copy)]
pub struct Kind {
    /// What it is, for comments in configurations of hosts.
    pub about: &'static str,
    /// The file in the tree, with `{name}` for each value of the [`Subject`]. A value with a star may have slashes,
    /// and ends the file. Empty if no tree has it: only servers answer it.
    pub file: &'static str,
    /// The end of the file's name that requests leave out.
    pub hidden: &'static str,
    /// A second address of the file, with the same parameters. Empty if the file has only one.
    pub alias: &'static str,
    /// Whether requests have parameters ([`Document::question`]). Hosts find its file by `hosts/queries.rs`.
    pub is_asked: bool,
    /// The format of the file.
    pub format: Format,
    /// How long caches may keep it.
    pub lifetime: Lifetime,
    /// The stage in which it is written.
    pub stage: Stage,
    /// How many there are, and which document a subject has.
    pub each: Each,
    /// The version of a skill that it shows. If the skill has none, the document does not exist.
    pub shows: Shows,
    /// Whether its file may lack a change that the documents of the changed skill show: lists and git
    /// repositories. A server answers it from the catalog then. (Readers of the feed and of the search
    /// index need files that were written together.)
    pub may_lag: bool,
    /// Whether its content depends on the public URL.
    pub shows_url: bool,
    /// Whether a closed registry sends it to everyone: clients need it to find the API, browsers to sign in.
    pub is_open: bool,
    /// The changes of its subject that outdate it.
    pub outdated_by: &'static [Cause],
    /// What it needs to exist, besides its subject.
    pub needs: Needs,
}

impl Kind {
    /// A document at the path of its file.
    pub const fn file(about: &'static str, file: &'static str, format: Format) -> Self {
        Self {
            about,
            file,
            hidden: "",
            alias: "",
            is_asked: false,
            format,
            lifetime: Lifetime::Short,
            stage: Stage::List,
            each: Each::Asked,
            shows: Shows::Nothing,
            needs: Needs::Nothing,
            may_lag: false,
            shows_url: false,
            is_open: false,
            outdated_by: &[],
        }
    }

    /// A JSON document at a path without `.json`.
    pub const fn json(about: &'static str, file: &'static str) -> Self {
        Self { hidden: ".json", ..Self::file(about, file, Format::Json) }
    }

    /// A package at a path without `.zip`.
    pub const fn zip(about: &'static str, file: &'static str) -> Self {
        Self { hidden: ".zip", ..Self::file(about, file, Format::Zip) }
    }

    /// A page for browsers, at the path of its folder. Its head has its whole URL.
    pub const fn page(file: &'static str) -> Self {
        Self { hidden: "index.html", ..Self::file("a page", file, Format::Html).shows_url() }
    }

    /// What only servers answer.
    pub const fn answer(about: &'static str) -> Self {
        Self::json(about, "").asked()
    }

    /// How many there are, when they are written, and what outdates them.
    pub const fn each(self, each: Each, stage: Stage, outdated_by: &'static [Cause]) -> Self {
        Self { each, stage, outdated_by, ..self }
    }

    pub const fn shows(self, shows: Shows) -> Self {
        Self { shows, ..self }
    }

    pub const fn needs(self, needs: Needs) -> Self {
        Self { needs, ..self }
    }

    pub const fn shows_url(self) -> Self {
        Self { shows_url: true, ..self }
    }

    pub const fn open(self) -> Self {
        Self { is_open: true, ..self }
    }

    pub const fn may_lag(self) -> Self {
        Self { may_lag: true, ..self }
    }

    pub const fn asked(self) -> Self {
        Self { is_asked: true, ..self }
    }

    pub const fn alias(self, alias: &'static str) -> Self {
        Self { alias, ..self }
    }

    pub const fn immutable(self) -> Self {
        Self { lifetime: Lifetime::Immutable, ..self }
    }

    /// The path of a request without a query, as a pattern like [`Self::file`].
    pub fn request(&self) -> &'static str {
        self.file.strip_suffix(self.hidden).unwrap_or(self.file)
    }

    /// The document with these values in the places of the file.
    pub fn at(&'static self, values: &[&str]) -> Option<Document> {
        self.own(self.each.at(values)?)
    }

    /// The document of a subject.
    pub fn of(&'static self, subject: Subject<'_>) -> Option<Document> {
        self.own(self.each.of(subject)?)
    }

    /// A document if it is of this kind: for one subject, kinds may differ by its values.
    fn own(&'static self, document: Document) -> Option<Document> {
        std::ptr::eq(document.kind(), self).then_some(document)
    }
}

/// How many documents of a kind there are: the function that makes one of its subject.
#[derive(Debug, Clone, Copy)]
pub enum Each {
    /// As many as servers are asked for.
    Asked,
    /// One in a registry.
    Once(fn() -> Document),
    /// One for each skill. The values of its file are the namespace and the slug, or the canonical slug.
    Skill(fn(Coordinate) -> Document),
    /// One for each version; its values end with the version.
    Version(fn(Coordinate, Version) -> Document),
    /// One for each tag and for `latest`, or `None` for those without; its values end with the tag.
    Tag(fn(Coordinate, TagName) -> Option<Document>),
    /// One for each namespace.
    Namespace(fn(Namespace) -> Document),
    /// One for each bundle.
    Bundle(fn(BundleName) -> Document),
    /// One for each query with a precomputed answer.
    Query(fn(&str) -> Document),
    /// Those with these values, which the parts of `existing.rs` list.
    Values(fn(&[&str]) -> Option<Document>),
}

impl Each {
    /// The document with these values in the places of its file.
    fn at(self, values: &[&str]) -> Option<Document> {
        Some(match (self, values) {
            (Self::Once(document), []) => document(),
            (Self::Skill(of), values) => of(coordinate(values)?),
            (Self::Version(of), [values @ .., version]) => of(coordinate(values)?, version.parse().ok()?),
            (Self::Tag(of), [values @ .., tag]) => of(coordinate(values)?, tag.parse().ok()?)?,
            (Self::Namespace(of), [name]) => of(name.parse().ok()?),
            (Self::Bundle(of), [namespace, name]) => {
                of(BundleName { namespace: namespace.parse().ok()?, name: name.parse().ok()? })
            }
            (Self::Query(of), [query]) => of(query),
            (Self::Values(of), values) => of(values)?,
            _ => return None,
        })
    }

    /// The document of a subject.
    fn of(self, subject: Subject<'_>) -> Option<Document> {
        Some(match (self, subject) {
            (Self::Once(document), Subject::Registry) => document(),
            (Self::Skill(of), Subject::Skill(c)) => of(c.clone()),
            (Self::Version(of), Subject::Version(c, version)) => of(c.clone(), version.clone()),
            (Self::Tag(of), Subject::Tag(c, tag)) => of(c.clone(), tag.clone())?,
            (Self::Namespace(of), Subject::Namespace(name)) => of(name.clone()),
            (Self::Bundle(of), Subject::Bundle(name)) => of(name.clone()),
            (Self::Query(of), Subject::Query(query)) => of(query),
            _ => return None,
        })
    }
}

/// The skill of the values of a file.
pub(super) fn coordinate(values: &[&str]) -> Option<Coordinate> {
    match values {
        [canonical] => canonical.parse().ok(),
        [namespace, slug] => Some(Coordinate::new(namespace.parse().ok()?, slug.parse().ok()?)),
        _ => None,
    }
}

/// The version of a skill that a document shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shows {
    /// None, or all of them.
    Nothing,
    /// The version or the tag of its subject. The exact addresses of a yanked version keep working.
    Pointed,
    /// The version of its subject, unless it is yanked.
    Offered,
    /// The latest one.
    Latest,
    /// The latest one, or the highest if all are yanked.
    Display,
}
