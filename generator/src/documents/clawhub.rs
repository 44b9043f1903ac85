//! Documents of the ClawHub dialect. They are below `clawhub`, and its discovery is at the root, where
//! clients look for it.

use registry::names::Coordinate;
use registry::public::Sort;

use super::kind::{Cause, Each, Kind, Needs};
use super::{Document, Pointer, Subject};
use crate::address::{Format, Stage, parameter};

pub static DISCOVERY: Kind = Kind::file(ABOUT, ".well-known/clawhub.json", Format::Json)
    .each(Each::Once(|| Document::Clawhub(ClawhubDocument::Discovery)), Stage::List, &[])
    .needs(Needs::PublicUrl)
    .shows_url()
    .open();

pub static SKILL: Kind = Kind::json(ABOUT, "clawhub/api/v1/skills/{skill}.json").each(
    Each::Skill(|c| Document::Clawhub(ClawhubDocument::Skill(c))),
    Stage::Skill,
    &[Cause::Published, Cause::Yanked, Cause::Removed, Cause::Tag, Cause::Author],
);

/// The default list.
pub static UPDATED: Kind = list("clawhub/api/v1/skills.json", || of(Sort::Updated));
pub static CREATED: Kind = list("clawhub/api/v1/skills/_list/created.json", || of(Sort::Created));
pub static DOWNLOADS: Kind = list("clawhub/api/v1/skills/_list/downloads.json", || of(Sort::Downloads));
pub static STARS: Kind = list("clawhub/api/v1/skills/_list/stars.json", || of(Sort::Stars));

/// A list in another order.
pub static ASKED: Kind = Kind::answer(ABOUT).may_lag();

/// All kinds of this family.
pub static KINDS: &[&Kind] = &[&SKILL, &DISCOVERY, &UPDATED, &CREATED, &DOWNLOADS, &STARS, &ASKED];

const ABOUT: &str = "a document for ClawHub clients";

const fn list(file: &'static str, document: fn() -> Document) -> Kind {
    Kind::json(ABOUT, file).each(Each::Once(document), Stage::List, Cause::LISTS).may_lag()
}

fn of(sort: Sort) -> Document {
    Document::Clawhub(ClawhubDocument::Skills(sort))
}

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

    pub(super) fn kind(&self) -> &'static Kind {
        match self {
            Self::Discovery => &DISCOVERY,
            Self::Skill(_) => &SKILL,
            Self::Skills(Sort::Updated) => &UPDATED,
            Self::Skills(Sort::Created) => &CREATED,
            Self::Skills(Sort::Downloads) => &DOWNLOADS,
            Self::Skills(Sort::Stars) => &STARS,
            Self::Skills(_) => &ASKED,
        }
    }

    pub(super) fn subject(&self) -> Subject<'_> {
        match self {
            Self::Skill(c) => Subject::Skill(c),
            Self::Discovery | Self::Skills(_) => Subject::Registry,
        }
    }

    /// The package that `/clawhub/api/v1/download?slug=&version=` asks for.
    pub fn package(path: &str, query: &str) -> Option<Document> {
        let (slug, version) = (parameter(query, "slug")?, parameter(query, "version")?);
        let package = || Some(Document::CompatPackage(slug.parse().ok()?, Pointer::parse(&version)?));
        (path == "/clawhub/api/v1/download").then(package).flatten()
    }
}
