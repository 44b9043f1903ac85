//! Records of skills that only some people may see.

use serde::Serialize;

use crate::catalog::Catalog;
use crate::names::{Namespace, Slug};
use crate::private::Offer;
use crate::public::record::SkillSummary;
use crate::public::{Id, Person};
use crate::time::Timestamp;

/// A skill that the caller has starred.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct StarredSkill<'a> {
    /// The skill, with its live counters.
    #[serde(flatten)]
    pub summary: SkillSummary<'a>,
    /// The time of the star.
    pub starred_at: Option<Timestamp>,
}

/// The number of versions of a skill, as its submitter may know it.
#[derive(Debug, Clone, Copy, Serialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct OwnCounts {
    /// Published and not yanked.
    pub published: u64,
    /// Submitted by the caller and not decided.
    pub pending_review: u64,
    /// Submitted by the caller and rejected.
    pub rejected: u64,
    /// Yanked.
    pub yanked: u64,
}

/// A skill that the caller owns or has submitted.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
pub struct OwnSkill<'a> {
    /// The skill, with its live counters.
    #[serde(flatten)]
    pub summary: SkillSummary<'a>,
    /// The number of its versions.
    pub counts: OwnCounts,
}

/// A skill that is offered to another author.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "openapi", schemars(rename = "Transfer"))]
pub struct TransferRecord {
    id: Id,
    namespace: Namespace,
    slug: Slug,
    from: Person,
    to: Person,
    message: Option<String>,
    created_at: Timestamp,
    expires_at: Timestamp,
}

impl TransferRecord {
    /// The record of an offer, or None while its skill is removed.
    pub fn new(catalog: Catalog<'_>, offer: &Offer) -> Option<Self> {
        let coordinate = &catalog.public.skill_by_id(offer.skill)?.coordinate;
        Some(Self {
            id: offer.id,
            namespace: coordinate.namespace.clone(),
            slug: coordinate.slug.clone(),
            from: catalog.person(&offer.from),
            to: catalog.person(&offer.to),
            message: offer.message.clone(),
            created_at: offer.created_at,
            expires_at: offer.expires_at,
        })
    }
}
