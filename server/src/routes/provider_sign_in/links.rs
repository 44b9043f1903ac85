//! The accounts at providers that belong to the caller's account.

use std::sync::Arc;

use hyper::header::SET_COOKIE;
use registry::api::private::LinkRecord;
use registry::api::public::FullList;
use registry::ops::identities;
use registry::public::Id;
use serde::Serialize;

use super::super::prelude::*;
use super::start::{self, Purpose, Start};
use crate::security::fresh_proof;

/// A link to begin.
#[derive(Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(super) struct NewLink {
    /// The name of the provider.
    provider: String,
}

/// Where the browser goes to link an account.
#[derive(Serialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
pub(super) struct LinkBegun {
    /// The page of the provider.
    location: String,
}

pub(super) async fn list(call: Call) -> Result<Response, Problem> {
    let handle = call.caller()?.handle()?;
    let providers = &call.app.settings.sign_in.providers;
    let links: Vec<_> = call.read(|catalog| {
        let record = |link: &registry::private::IdentityLink| LinkRecord {
            id: link.id,
            issuer: link.identity.issuer.clone(),
            title: providers
                .iter()
                .find(|provider| provider.issuer() == link.identity.issuer)
                .map(|provider| provider.settings.title.clone()),
            created_at: link.created_at,
        };
        catalog.private.identities.of(handle).map(record).collect()
    });
    json(StatusCode::OK, &FullList::from(links))
}

/// The id of the caller's session. A token must not give or take ways to sign in.
fn session(call: &Call) -> Result<String, Problem> {
    let session = call.caller()?.actor.session.clone();
    session.ok_or_else(|| Problem::forbidden("Ways to sign in are changed in a browser: sign in there."))
}

pub(super) async fn begin(mut call: Call) -> Result<Response, Problem> {
    let (session, handle) = (session(&call)?, call.caller()?.handle()?.clone());
    let NewLink { provider } = call.json().await?;
    // With the link, somebody could always sign in as the caller.
    fresh_proof::require(&call.app, call.caller()?, None, call.request.client).await?;
    let Start { address, cookie, .. } =
        start::begin(&call, &provider, Purpose::Link { handle, session }).await?;
    let mut response = json(StatusCode::OK, &LinkBegun { location: address })?;
    response.headers_mut().insert(SET_COOKIE, cookie);
    Ok(response)
}

pub(super) async fn end(call: Call) -> Result<Response, Problem> {
    session(&call)?;
    fresh_proof::require(&call.app, call.caller()?, None, call.request.client).await?;
    let (id, handle) = (call.param::<Id>("id")?, call.caller()?.handle()?.clone());
    let (app, owner) = (Arc::clone(&call.app), handle.clone());
    let has_password =
        blocking(move || Ok(app.settings.sign_in.passwords && app.local.password(&owner)?.is_some())).await?;
    let done = call.commit(
        move |context, id: &Id| {
            let mut others = context.catalog.private.identities.of(&handle).filter(|link| link.id != *id);
            if !has_password && others.next().is_none() {
                let why = "it is your only way to sign in: link another account first, or ask for a password";
                return Err(registry::ops::OpError::Conflict(why.into()));
            }
            identities::unlink(context, *id)
        },
        id,
    );
    let done = done.await?;
    call.no_content(&done).await
}
