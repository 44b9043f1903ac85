//! Advisories.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use crate::names::{Coordinate, Namespace, Slug, Version, VersionRange};
use crate::public::{Advisory, AdvisoryId, AdvisoryIssuer, AdvisoryLevel, PublicCatalog};
use crate::time::Timestamp;

/// An advisory, in the record of a version that it is about. Withdrawn ones are left out.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "openapi", schemars(rename = "AdvisoryOfVersion"))]
pub struct AdvisoryNote<'a> {
    pub id: AdvisoryId,
    pub level: AdvisoryLevel,
    pub title: Cow<'a, str>,
    /// The first version without it.
    pub fixed_in: Option<Cow<'a, Version>>,
}

impl<'a> AdvisoryNote<'a> {
    /// The advisories that hold for a version of a skill, in the order of their publication.
    pub fn of(catalog: &'a PublicCatalog, skill: &Coordinate, version: &Version) -> Vec<Self> {
        let all = catalog.advisories().of_skill(skill);
        all.filter(|advisory| advisory.affects(version)).map(Self::new).collect()
    }

    fn new(Advisory { id, published, .. }: &'a Advisory) -> Self {
        let title = Cow::Borrowed(&*published.title);
        Self {
            id: *id,
            level: published.level,
            title,
            fixed_in: published.fixed_in.as_ref().map(Cow::Borrowed),
        }
    }
}

/// An advisory.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "openapi", schemars(rename = "Advisory"))]
pub struct AdvisoryRecord<'a> {
    pub id: AdvisoryId,
    pub namespace: Cow<'a, Namespace>,
    pub slug: Cow<'a, Slug>,
    /// The affected versions: those in any of these ranges.
    pub affected: Cow<'a, [VersionRange]>,
    pub level: AdvisoryLevel,
    pub title: Cow<'a, str>,
    /// What is wrong and what to do, in plain text.
    pub text: Cow<'a, str>,
    /// The first version without it.
    pub fixed_in: Option<Cow<'a, Version>>,
    /// In whose name it was published.
    pub issuer: AdvisoryIssuer,
    pub published_at: Timestamp,
    /// The time of its withdrawal: then it holds for no version.
    pub withdrawn_at: Option<Timestamp>,
    pub withdrawal_reason: Option<Cow<'a, str>>,
}

impl<'a> AdvisoryRecord<'a> {
    /// The record of an advisory.
    pub fn new(advisory: &'a Advisory) -> Self {
        let Advisory { id, published, published_at, withdrawn, .. } = advisory;
        Self {
            id: *id,
            namespace: Cow::Borrowed(&published.skill.namespace),
            slug: Cow::Borrowed(&published.skill.slug),
            affected: (&*published.affected).into(),
            level: published.level,
            title: (&*published.title).into(),
            text: (&*published.text).into(),
            fixed_in: published.fixed_in.as_ref().map(Cow::Borrowed),
            issuer: published.issuer,
            published_at: *published_at,
            withdrawn_at: withdrawn.as_ref().map(|(at, _)| *at),
            withdrawal_reason: withdrawn
                .as_ref()
                .and_then(|(_, reason)| reason.as_deref())
                .map(Cow::Borrowed),
        }
    }

    /// What the record of an affected version has of it. None for other versions.
    pub fn note_for(&self, version: &Version) -> Option<AdvisoryNote<'static>> {
        let holds = self.withdrawn_at.is_none() && self.affected.iter().any(|range| range.contains(version));
        holds.then(|| AdvisoryNote {
            id: self.id,
            level: self.level,
            title: Cow::Owned(self.title.clone().into_owned()),
            fixed_in: self.fixed_in.clone().map(|version| Cow::Owned(version.into_owned())),
        })
    }
}
