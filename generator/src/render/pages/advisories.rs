//! Advisories on pages.

use registry::api::public::AdvisoryRecord;
use registry::names::{Coordinate, Version};
use registry::public::Advisory;
use serde_json::{Value, json};

use super::{Links, with};
use crate::address::Document;
use crate::render::advisories::MAX_SHOWN;

impl Links<'_> {
    /// The page of the last changed advisories.
    pub(super) fn all_advisories(&self) -> Value {
        let last = self.catalog.advisories().last_changed().take(MAX_SHOWN);
        let items: Vec<_> = last.map(|advisory| self.advisory(advisory)).collect();
        json!({ "items": items, "indexHref": self.href(&Document::AdvisoryIndex), "max": MAX_SHOWN })
    }

    /// The advisories that hold for a version.
    pub(super) fn advisories_of(&self, c: &Coordinate, version: &Version) -> Value {
        let all = self.catalog.advisories().of_skill(c).filter(|advisory| advisory.affects(version));
        all.map(|advisory| self.advisory(advisory)).collect()
    }

    fn advisory(&self, advisory: &Advisory) -> Value {
        let c = advisory.coordinate();
        let ranges: Vec<_> = advisory.published.affected.iter().map(ToString::to_string).collect();
        let more = json!({
            "coordinate": c.scoped(),
            "skillHref": self.catalog.skill(&c).map(|_| self.href_of_skill(&c)),
            "osvHref": self.href(&Document::Advisory(advisory.id)),
            "ranges": ranges.join(" or "),
        });
        with(&AdvisoryRecord::new(advisory), more)
    }
}
