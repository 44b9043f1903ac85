//! Giving skills to other authors.

use registry::catalog::Catalog;
use registry::names::Handle;
use registry::ops::transfers::{self, AcceptOffer, MakeOffer};
use registry::private::Offer;
use registry::time::Timestamp;
use serde_json::{Value, json};

use super::super::prelude::*;
use super::body::{fields, skill};

pub(super) fn routes() -> [Route; 6] {
    [
        get("/clawhub/api/v1/transfers/incoming", READ, incoming),
        get("/clawhub/api/v1/transfers/outgoing", READ, outgoing),
        post("/clawhub/api/v1/skills/{slug}/transfer", MANAGE, offer),
        post("/clawhub/api/v1/skills/{slug}/transfer/accept", MANAGE, accept),
        post("/clawhub/api/v1/skills/{slug}/transfer/reject", MANAGE, end),
        post("/clawhub/api/v1/skills/{slug}/transfer/cancel", MANAGE, end),
    ]
}

async fn incoming(call: Call) -> Result<Response, Problem> {
    list(&call, |offer, caller| offer.to == *caller, |offer| ("fromUser", &offer.from))
}

async fn outgoing(call: Call) -> Result<Response, Problem> {
    list(&call, |offer, caller| offer.from == *caller, |offer| ("toUser", &offer.to))
}

/// The open offers that `chosen` picks, each with the other person.
fn list(
    call: &Call,
    chosen: impl Fn(&Offer, &Handle) -> bool,
    other: impl Fn(&Offer) -> (&str, &Handle),
) -> Result<Response, Problem> {
    let (caller, now) = (call.caller()?.handle()?, Timestamp::now());
    let transfers: Vec<Value> = call.read(|catalog| {
        let offers = catalog.private.offers.with(caller);
        let open = offers.into_iter().filter(|offer| !offer.is_expired(now) && chosen(offer, caller));
        open.filter_map(|offer| record(catalog, offer, other(offer))).collect()
    });
    json(StatusCode::OK, &json!({ "transfers": transfers }))
}

/// `None` while the skill is removed.
fn record(catalog: Catalog<'_>, offer: &Offer, (role, person): (&str, &Handle)) -> Option<Value> {
    let skill = catalog.public.skill_by_id(offer.skill)?;
    let name = skill.display_version().map_or("", |version| &version.name);
    let mut record = json!({
        "_id": offer.id,
        "skill": { "_id": skill.id, "slug": skill.coordinate, "displayName": name },
        "requestedAt": millis(offer.created_at),
        "expiresAt": millis(offer.expires_at),
    });
    record[role] =
        json!({ "_id": person, "handle": person, "displayName": catalog.person(person).display_name });
    if let Some(message) = &offer.message {
        record["message"] = message.as_str().into();
    }
    Some(record)
}

fn millis(time: Timestamp) -> i64 {
    time.as_unix() * 1000
}

async fn offer(mut call: Call) -> Result<Response, Problem> {
    let fields = fields(&mut call).await?;
    let coordinate = skill(&call, &fields)?;
    let to = fields.to_user_handle.unwrap_or_default();
    let to: Handle = parse_field("toUserHandle", to.trim().trim_start_matches('@'))?;
    let message = fields.message.filter(|message| !message.trim().is_empty());
    let done = call.commit(transfers::offer, MakeOffer { coordinate, to, message }).await?;
    let Offer { id, to, expires_at, .. } = &done.reply;
    let record =
        json!({ "ok": true, "transferId": id, "toUserHandle": to, "expiresAt": millis(*expires_at) });
    call.reply(StatusCode::OK, &done, &record).await
}

async fn accept(mut call: Call) -> Result<Response, Problem> {
    let fields = fields(&mut call).await?;
    let skill = skill(&call, &fields)?;
    let record = json!({ "ok": true, "skillSlug": skill });
    let input = AcceptOffer { coordinate: skill, quotas: call.app.settings.quotas };
    let done = call.commit(transfers::accept, input).await?;
    call.reply(StatusCode::OK, &done, &record).await
}

/// Declines or withdraws an offer. Both sides may ask for either.
async fn end(mut call: Call) -> Result<Response, Problem> {
    let fields = fields(&mut call).await?;
    let skill = skill(&call, &fields)?;
    let record = json!({ "ok": true, "skillSlug": skill });
    let done = call.commit(transfers::end, skill).await?;
    call.reply(StatusCode::OK, &done, &record).await
}
