//! Stars and ratings.

use super::prelude::*;
use registry::api::private::{Rated, Starred};
use registry::ops::ratings::{self, RateSkill};
use registry::ops::stars;
use registry::private::Score;

#[rustfmt::skip]
pub(super) fn routes() -> Vec<Route> {
    vec![
        post("/api/v1/skills/{namespace}/{slug}/star", SOCIAL, star)
            .describe("star", "Stars a skill. Starring it again changes nothing.")
            .replies::<Starred>(200).fails(&[Code::Gone]),
        delete("/api/v1/skills/{namespace}/{slug}/star", SOCIAL, unstar)
            .describe("unstar", "Removes the caller's star. Removing it again changes nothing.")
            .replies::<Starred>(200).fails(&[Code::Gone]),
        post("/api/v1/skills/{namespace}/{slug}/rating", SOCIAL, rate)
            .describe("rate", "Rates a skill. Replaces the caller's earlier rating.")
            .body::<NewRating>().replies::<Rated>(200).fails(&[Code::Gone]),
    ]
}

async fn star(call: Call) -> Result<Response, Problem> {
    let done = call.commit(stars::add, call.skill()?).await?;
    call.reply(StatusCode::OK, &done, &done.reply).await
}

async fn unstar(call: Call) -> Result<Response, Problem> {
    let done = call.commit(stars::remove, call.skill()?).await?;
    call.reply(StatusCode::OK, &done, &done.reply).await
}

/// A rating.
#[derive(Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
struct NewRating {
    #[cfg_attr(feature = "openapi", schemars(with = "Score"))]
    score: serde_json::Number,
}

async fn rate(mut call: Call) -> Result<Response, Problem> {
    let skill = call.skill()?;
    let body: NewRating = call.json().await?;
    let score = body.score.as_u64().and_then(|score| u8::try_from(score).ok());
    let score = score.and_then(|score| Score::try_from(score).ok());
    let score = score.ok_or_else(|| Problem::invalid_field("score", "it is a whole number from 1 to 5"))?;
    let done = call.commit(ratings::set, RateSkill { skill, score }).await?;
    call.reply(StatusCode::OK, &done, &done.reply).await
}
