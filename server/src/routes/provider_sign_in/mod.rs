//! Signing in with a provider.
//!
//! A sign-in begins here, goes on at the provider, and comes back to `callback`. What it needs then is in local data,
//! because another server may get the answer. It is bound to the browser by a cookie, so that nobody can give the end
//! of their own sign-in to somebody else, and it is taken only once.

mod account;
mod callback;
mod links;
pub(super) mod start;

use generator::address::parameter;
use registry::api::private::{LinkRecord, ProviderRecord, SignInWays};
use registry::api::public::FullList;

use super::client_login::page::refusal;
use super::prelude::*;
use start::{Purpose, begin, redirect};

#[rustfmt::skip]
pub(super) fn routes() -> Vec<Route> {
    vec![
        get("/api/v1/auth/providers", Access::Anyone, ways)
            .describe("listProviders", "Lists how people may sign in.")
            .replies::<SignInWays>(200),
        get("/api/v1/auth/sign-in/{provider}", Access::Anyone, show).undescribed(),
        get("/api/v1/auth/callback/{provider}", Access::Anyone, callback::come_back).undescribed(),
        post("/api/v1/auth/handle", Access::Anyone, callback::choose_handle).undescribed().counted_by_client(),
        get("/api/v1/auth/links", Access::Credential, links::list)
            .describe("listLinks", "Lists the accounts at providers that the caller signs in with.")
            .replies::<FullList<LinkRecord>>(200),
        post("/api/v1/auth/links", Access::Credential, links::begin)
            .describe("beginLink", "Begins to link the caller's account to one at a provider. Needs a session.")
            .body::<links::NewLink>().replies::<links::LinkBegun>(200).sets_cookie().fails(&[Code::Forbidden, Code::NotFound]),
        delete("/api/v1/auth/links/{id}", Access::Credential, links::end)
            .describe("endLink", "Ends such a link. Needs a session, and another way to sign in.")
            .replies_nothing().fails(&[Code::Forbidden, Code::Conflict, Code::NotFound]),
    ]
}

async fn ways(call: Call) -> Result<Response, Problem> {
    let settings = &call.app.settings.sign_in;
    let providers = settings.providers.iter().map(|provider| ProviderRecord {
        name: provider.settings.name.clone(),
        title: provider.settings.title.clone(),
    });
    json(StatusCode::OK, &SignInWays { passwords: settings.passwords, providers: providers.collect() })
}

/// Leads a browser to a provider.
async fn show(call: Call) -> Result<Response, Problem> {
    let to = parameter(&call.request.query, "to").unwrap_or_default();
    let name = call.params.get("provider").unwrap_or_default();
    match begin(&call, name, Purpose::Session { to }).await {
        Ok(start) => redirect(&start.address, Some(start.cookie)),
        Err(problem) => refusal(&call, problem),
    }
}
