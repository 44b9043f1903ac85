//! Records of skills as only some see them.

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
    /// The skill, with its numbers now.
    #[serde(flatten)]
    pub summary: SkillSummary<'a>,
    /// When.
    pub starred_at: Option<Timestamp>,
}

/// How many versions there are of a skill, as its submitter may know.
#[derive(Debug, Clone, Copy, Serialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct OwnCounts {
    /// Offered to everyone.
    pub published: u64,
    /// Handed in by the caller, and not decided.
    pub pending_review: u64,
    /// Handed in by the caller, and rejected.
    pub rejected: u64,
    /// Offered no more.
    pub yanked: u64,
}

/// A skill that the caller has written or handed in.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
pub struct OwnSkill<'a> {
    /// The skill, with its numbers now.
    #[serde(flatten)]
    pub summary: SkillSummary<'a>,
    /// Its versions.
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
    /// The record of an offer; None while its skill is removed.
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
