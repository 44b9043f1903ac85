//! Offers of skills to other authors.

use registry::api::private::TransferRecord;
use registry::api::public::{Page, SkillDetail};
use registry::names::Handle;
use registry::ops::transfers::{self, AcceptOffer, MakeOffer};

use super::prelude::*;
use super::skills::skill_reply;

#[rustfmt::skip]
pub(super) fn routes() -> Vec<Route> {
    vec![
        get("/api/v1/me/transfers", READ, list)
            .describe("listTransfers", "Lists the offers that the caller made or received.")
            .paged().replies::<Page<TransferRecord>>(200),
        post("/api/v1/skills/{namespace}/{slug}/transfer", MANAGE, offer)
            .describe("offerSkill", "Offers a skill to another author. Replaces an earlier offer.")
            .body::<NewOffer>().replies::<TransferRecord>(201).fails(&[Code::Conflict, Code::Gone]),
        delete("/api/v1/skills/{namespace}/{slug}/transfer", MANAGE, end)
            .describe("withdrawOffer", "Withdraws or declines an offer.")
            .replies_nothing().fails(&[Code::Gone]),
        post("/api/v1/skills/{namespace}/{slug}/transfer/accept", MANAGE, accept)
            .describe("acceptSkill", "Accepts an offered skill.")
            .replies::<SkillDetail<'_>>(200).waits_for_tree().fails(&[Code::Conflict, Code::Gone]),
    ]
}

async fn list(call: Call) -> Result<Response, Problem> {
    let handle = call.caller()?.handle()?;
    call.read(|catalog| {
        let offers = catalog.private.offers.with(handle);
        let all: Vec<_> = offers.iter().filter_map(|offer| TransferRecord::new(catalog, offer)).collect();
        json(StatusCode::OK, &call.page_of(all)?)
    })
}

/// The author that a skill is offered to.
#[derive(Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
struct NewOffer {
    #[cfg_attr(feature = "openapi", schemars(with = "Handle"))]
    to: String,
    #[serde(default)]
    #[cfg_attr(feature = "openapi", schemars(length(max = 2048)))]
    message: Option<String>,
}

async fn offer(mut call: Call) -> Result<Response, Problem> {
    let coordinate = call.skill()?;
    let body: NewOffer = call.json().await?;
    let to: Handle = parse_field("to", &body.to)?;
    let done = call.commit(transfers::offer, MakeOffer { coordinate, to, message: body.message }).await?;
    let response = call.read(|catalog| {
        let record = TransferRecord::new(catalog, &done.reply);
        record.map(|record| json(StatusCode::CREATED, &record))
    });
    let response = response.ok_or_else(|| Problem::gone("The skill was removed in the meantime."))??;
    call.finish(&done, response).await
}

async fn end(call: Call) -> Result<Response, Problem> {
    let done = call.commit(transfers::end, call.skill()?).await?;
    call.no_content(&done).await
}

async fn accept(call: Call) -> Result<Response, Problem> {
    let skill = call.skill()?;
    let input = AcceptOffer { coordinate: skill.clone(), quotas: call.app.settings.quotas };
    let done = call.commit(transfers::accept, input).await?;
    call.finish(&done, skill_reply(&call, &skill)?).await
}
