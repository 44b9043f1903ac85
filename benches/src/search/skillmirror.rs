//! Skillmirror's own search, as the server uses it.

use generator::search::{Query, SharedIndex};
use generator::settings::TreeSettings;
use registry::public::{Id, PublicCatalog};

use super::Skill;
use super::catalog::{catalog, number};
use super::engine::{Engine, Found};
use super::requests;
use crate::Failure;

/// An index beside the catalog that it is of.
pub(super) struct Skillmirror {
    catalog: PublicCatalog,
    index: SharedIndex,
}

impl Skillmirror {
    /// An engine with these skills.
    pub(super) fn with(skills: &[Skill]) -> Result<Self, Failure> {
        let skillmirror =
            Self { catalog: catalog(skills)?, index: SharedIndex::new(TreeSettings::default().precompute) };
        // Now, and not with the first query.
        drop(skillmirror.index.current(&skillmirror.catalog));
        Ok(skillmirror)
    }

    /// The requests and bytes of a query to a reader of the index files.
    pub(super) fn cold(&self, query: &str) -> Result<(usize, usize), Failure> {
        requests::cold(&self.index.current(&self.catalog), query)
    }
}

impl Engine for Skillmirror {
    fn name(&self) -> &'static str {
        "Skillmirror"
    }

    fn search(&self, query: &str, limit: usize) -> Result<Vec<Found>, Failure> {
        let hits = self.index.current(&self.catalog).find(&Query::new(query), None)?.hits;
        let skills = hits.iter().take(limit).filter_map(|hit| self.catalog.skill_by_id(Id(hit.id)));
        let found = skills.map(|skill| Found {
            number: number(skill.id.0),
            slug: skill.coordinate.slug.to_string(),
            name: skill.display_version().map(|version| version.name.to_string()).unwrap_or_default(),
        });
        Ok(found.collect())
    }
}
