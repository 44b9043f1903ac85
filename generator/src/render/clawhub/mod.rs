//! Answers of the ClawHub dialect: its documents, and what servers answer besides.
//!
//! The shapes are those that the `clawhub` command line checks. It refuses null
//! where a key may be absent, and a license other than its own, so licenses are left out.

mod found;
mod records;
mod versions;

use registry::names::{Coordinate, PublicUrl};
use registry::public::{PublicCatalog, Skill, Sort};

use self::records::{Discovery, Item, Items, SkillAnswer};
use super::RenderContext;
use crate::address::ClawhubDocument;
use crate::json::json;

pub use self::found::{prefixed, search};
pub use self::versions::{resolve, verify, version, versions};

/// How many skills a list has as a document, which is the default of every client.
pub const LIST_SIZE: usize = 25;

/// Renders a document. `None` if the registry has none of that name.
pub(crate) fn document(context: RenderContext<'_>, document: &ClawhubDocument) -> Option<Vec<u8>> {
    match document {
        ClawhubDocument::Discovery => context.settings.public_url.as_ref().map(discovery),
        ClawhubDocument::Skill(c) => context.catalog.skill(c).map(skill),
        ClawhubDocument::Skills(sort) => Some(list(context.catalog, *sort, LIST_SIZE)),
    }
}

/// Where the dialect is in the registry at `public_url`.
fn discovery(public_url: &PublicUrl) -> Vec<u8> {
    json(&Discovery { api_base: format!("{public_url}/clawhub"), auth_base: public_url })
}

/// A skill. It has no counters, so that a download does not rewrite it.
fn skill(skill: &Skill) -> Vec<u8> {
    json(&SkillAnswer::new(skill))
}

/// The first `limit` skills of a list.
pub fn list(catalog: &PublicCatalog, sort: Sort, limit: usize) -> Vec<u8> {
    let items = catalog.list(None, sort, 0, limit).map(Item::new).collect();
    json(&Items { items, next_cursor: None })
}

/// Whether `handle` is the author of a skill, in any letter case.
pub fn is_author(catalog: &PublicCatalog, c: &Coordinate, handle: &str) -> bool {
    catalog.skill(c).is_some_and(|skill| skill.author.as_str().eq_ignore_ascii_case(handle))
}
