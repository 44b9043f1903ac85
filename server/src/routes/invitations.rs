//! Invitations to own a namespace.

use registry::api::private::{InvitationRecord, Member};
use registry::api::public::Page;
use registry::names::Handle;
use registry::ops::invitations::{self, AcceptInvitation, Invite};

use super::prelude::*;

#[rustfmt::skip]
pub(super) fn routes() -> Vec<Route> {
    vec![
        get("/api/v1/me/invitations", READ, list)
            .describe("listInvitations", "Lists the invitations that the caller made or received.")
            .paged().replies::<Page<InvitationRecord>>(200),
        post("/api/v1/namespaces/{slug}/invitations", MANAGE, invite)
            .describe("inviteOwner", "Invites a person to own a namespace. Replaces an earlier invitation.")
            .body::<NewInvitation>().replies::<InvitationRecord>(201).fails(&[Code::Conflict]),
        delete("/api/v1/namespaces/{slug}/invitations/{userId}", MANAGE, end)
            .describe("endInvitation", "Withdraws or declines an invitation.")
            .replies_nothing(),
        post("/api/v1/namespaces/{slug}/invitations/{userId}/accept", MANAGE, accept)
            .describe("acceptInvitation", "Accepts an invitation. The caller becomes an owner.")
            .replies::<Member>(200).fails(&[Code::Conflict]),
    ]
}

async fn list(call: Call) -> Result<Response, Problem> {
    let handle = call.caller()?.handle()?;
    call.read(|catalog| {
        let invitations = catalog.private.invitations.with(handle);
        let all: Vec<_> =
            invitations.iter().map(|invitation| InvitationRecord::new(catalog, invitation)).collect();
        json(StatusCode::OK, &call.page_of(all)?)
    })
}

/// The person to invite.
#[derive(Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct NewInvitation {
    #[cfg_attr(feature = "openapi", schemars(with = "registry::names::Handle"))]
    user_id: String,
}

async fn invite(mut call: Call) -> Result<Response, Problem> {
    let namespace = call.param("slug")?;
    let body: NewInvitation = call.json().await?;
    let handle: Handle =
        body.user_id.parse().map_err(|why| Problem::not_found(format!("There is no such user: {why}.")))?;
    call.follow_accounts(Some(&handle)).await?;
    let done = call.commit(invitations::invite, Invite { namespace, handle }).await?;
    let record = call.read(|catalog| InvitationRecord::new(catalog, &done.reply));
    call.reply(StatusCode::CREATED, &done, &record).await
}

async fn end(call: Call) -> Result<Response, Problem> {
    let input = Invite { namespace: call.param("slug")?, handle: call.param("userId")? };
    let done = call.commit(invitations::end, input).await?;
    call.no_content(&done).await
}

async fn accept(call: Call) -> Result<Response, Problem> {
    let invite = Invite { namespace: call.param("slug")?, handle: call.param("userId")? };
    let input = AcceptInvitation { invite, quotas: call.app.settings.quotas };
    call.follow_accounts(None).await?;
    let done = call.commit(invitations::accept, input).await?;
    call.reply(StatusCode::OK, &done, &done.reply).await
}
