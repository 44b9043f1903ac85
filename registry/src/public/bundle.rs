//! Bundles: skills that belong together.

use serde::{Deserialize, Serialize};

use super::Revision;
use crate::names::{BundleName, Required, check_required};
use crate::text_rules::{check_text, check_title};
use crate::time::Timestamp;

/// The most skills of a bundle.
pub const MAX_MEMBERS: usize = 100;

/// The most bundles of a namespace, and the most of other namespaces that may have one skill: each is a few files of the
/// tree, which a new version of the skill renders again. The catalog ignores further ones, which only a false feed has.
pub const MAX_BUNDLES: usize = 100;

/// The most characters of the title and of the description.
const MAX_TITLE: usize = 128;
const MAX_DESCRIPTION: usize = 1_024;

/// A bundle after a change.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Bundle {
    /// Namespace and name.
    #[serde(flatten)]
    pub name: BundleName,
    /// The title.
    pub title: String,
    /// The description, which may be empty.
    pub description: String,
    /// The skills: 1 to 100, of any namespaces, no two with one slug.
    pub members: Vec<Required>,
}

impl Bundle {
    /// Checks texts and members. The error is the name of a field, and the rest of a sentence about it.
    pub fn check(&self) -> Result<(), (&'static str, String)> {
        check_title(&self.title, MAX_TITLE).map_err(|why| ("title", why))?;
        check_text(&self.description, MAX_DESCRIPTION).map_err(|why| ("description", why))?;
        if self.members.is_empty() {
            return Err(("members", "has no skill".into()));
        }
        check_required(&self.members, MAX_MEMBERS).map_err(|why| ("members", why))?;
        let mut slugs: Vec<_> = self.members.iter().map(|member| &member.slug).collect();
        slugs.sort();
        match slugs.windows(2).find(|pair| pair.first() == pair.get(1)).and_then(<[_]>::first) {
            Some(slug) => {
                Err(("members", format!("has two skills named `{slug}`, which clients put into one folder")))
            }
            None => Ok(()),
        }
    }
}

/// A bundle of the catalog.
#[derive(Debug, Clone)]
pub struct BundleEntry {
    /// Its last state.
    pub bundle: Bundle,
    /// The time of its last change.
    pub updated_at: Timestamp,
    /// The row of its last change.
    pub revision: Revision,
}
