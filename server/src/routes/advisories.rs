//! Advisories about versions of a skill.

use super::prelude::*;
use registry::api::public::{AdvisoryRecord, FullList};
use registry::names::{Coordinate, TolerantVersion, VersionRange};
use registry::ops::advisories::{self, NewAdvisory, Withdrawal};
use registry::public::{AdvisoryId, AdvisoryLevel};

#[rustfmt::skip]
pub(super) fn routes() -> Vec<Route> {
    vec![
        get("/api/v1/skills/{namespace}/{slug}/advisories", Access::PublicRead, super::public::no_document)
            .describe("listAdvisories", "Lists the advisories of a skill that has any, also of a removed one.")
            .replies::<FullList<AdvisoryRecord<'_>>>(200).fails(&[Code::Gone]),
        post("/api/v1/skills/{namespace}/{slug}/advisories", MANAGE, publish)
            .describe("publishAdvisory", "Publishes an advisory about versions of a skill, removed or not.")
            .body::<Body>().replies::<AdvisoryRecord<'_>>(201).waits_for_tree().fails(&[Code::Conflict]),
        post("/api/v1/skills/{namespace}/{slug}/advisories/{advisory}/withdraw", MANAGE, withdraw)
            .describe("withdrawAdvisory", "Withdraws an advisory: it holds for no version any more.")
            .optional_body::<Reason>().replies::<AdvisoryRecord<'_>>(200).waits_for_tree(),
    ]
}

/// An advisory to publish.
#[derive(Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
#[cfg_attr(feature = "openapi", schemars(rename = "NewAdvisory"))]
struct Body {
    /// Ranges of versions, as people write them: `<1.2.3`.
    #[cfg_attr(feature = "openapi", schemars(with = "Vec<VersionRange>", length(min = 1, max = registry::public::MAX_RANGES)))]
    affected: Vec<String>,
    level: AdvisoryLevel,
    #[cfg_attr(feature = "openapi", schemars(length(min = 1, max = registry::public::MAX_ADVISORY_TITLE)))]
    title: String,
    #[cfg_attr(feature = "openapi", schemars(length(min = 1, max = 16_384)))]
    text: String,
    #[serde(default)]
    #[cfg_attr(feature = "openapi", schemars(with = "Option<TolerantVersion>"))]
    fixed_in: Option<String>,
}

/// Why an advisory is withdrawn.
#[derive(Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "openapi", schemars(rename = "WithdrawalReason"))]
struct Reason {
    #[serde(default)]
    #[cfg_attr(feature = "openapi", schemars(length(max = 2048)))]
    reason: Option<String>,
}

/// A response with the record of an advisory.
fn advisory_reply(call: &Call, status: StatusCode, id: AdvisoryId) -> Result<Response, Problem> {
    call.read(|catalog| match catalog.public.advisories().get(id) {
        Some(advisory) => json(status, &AdvisoryRecord::new(advisory)),
        None => Err(Problem::nothing_here()),
    })
}

async fn publish(mut call: Call) -> Result<Response, Problem> {
    let skill: Coordinate = call.skill()?;
    let Body { affected, level, title, text, fixed_in } = call.json().await?;
    let affected: Result<Vec<VersionRange>, _> =
        affected.iter().map(|range| parse_field("affected", range)).collect();
    let fixed_in: Option<TolerantVersion> = fixed_in.map(|text| parse_field("fixedIn", &text)).transpose()?;
    let fixed_in = fixed_in.map(|fixed| fixed.version);
    let input = NewAdvisory { skill, affected: affected?, level, title, text, fixed_in };
    let done = call.commit(advisories::publish, input).await?;
    call.finish(&done, advisory_reply(&call, StatusCode::CREATED, done.reply)?).await
}

async fn withdraw(mut call: Call) -> Result<Response, Problem> {
    let (skill, advisory) = (call.skill()?, call.param("advisory")?);
    let Reason { reason } = call.json().await?;
    let done = call.commit(advisories::withdraw, Withdrawal { skill, advisory, reason }).await?;
    call.finish(&done, advisory_reply(&call, StatusCode::OK, advisory)?).await
}
