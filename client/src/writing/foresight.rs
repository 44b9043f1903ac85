//! What a publication would change at a registry, after a dry run.

use generator::address::Document;
use registry::api::private::{PublishReply, PublishStatus};
use registry::api::public::SkillDetail;
use serde::Serialize;
use serde_json::Value;

use crate::{ClientError, Source};

/// What a publication would change.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Foreseen {
    /// What would be new.
    pub news: News,
    /// The latest public version of the skill, if it has one.
    pub latest: Option<String>,
    /// Whether the version would wait for a review.
    pub review: bool,
}

/// What would be new.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum News {
    /// The skill.
    Skill,
    /// A version of a public skill.
    Version,
    /// Nothing: the version is public, with the same content.
    Nothing,
}

/// Compares the answer to a dry run with what is public. `accepted` is that answer.
pub fn foresee(source: &Source, accepted: &PublishReply) -> Result<Foreseen, ClientError> {
    let coordinate = &accepted.canonical_slug;
    let skill = source.document::<SkillDetail<'_>>(&Document::Skill(coordinate.clone()))?;
    let version = Document::Version(coordinate.clone(), accepted.version.clone());
    // The registry refuses other content under the number of a version that exists.
    let news = match &skill {
        None => News::Skill,
        Some(_) if source.document::<Value>(&version)?.is_some() => News::Nothing,
        Some(_) => News::Version,
    };
    let latest = skill.and_then(|skill| skill.summary.version).map(|version| version.to_string());
    Ok(Foreseen { news, latest, review: accepted.status == PublishStatus::PendingReview })
}
