//! The caller's tokens.

use std::sync::Arc;

use super::prelude::*;
use registry::access::Access as Rights;
use registry::api::private::{NewToken, TokenRecord};
use registry::api::public::Page;
use registry::local::LocalStore;
use registry::names::Handle;
use registry::ops::tokens::{self, IssueToken};
use registry::private::{Scope, Scopes, Secret, Token};
use registry::public::Id;

#[rustfmt::skip]
pub(super) fn routes() -> Vec<Route> {
    vec![
        get("/api/v1/tokens", TOKENS, list)
            .describe("listTokens", "Lists the caller's tokens.")
            .paged().replies::<Page<TokenRecord>>(200),
        get("/api/v1/users/{userId}/tokens", TOKENS, list_of)
            .describe("listTokensOf", "Lists the tokens of a user. For platform admins.")
            .paged().replies::<Page<TokenRecord>>(200),
        post("/api/v1/tokens", TOKENS, create)
            .describe(
                "createToken",
                "Creates a token. Its scopes cannot exceed those of the credential in use.",
            ).body::<TokenRequest>().replies::<NewToken>(201).fails(&[Code::Conflict]),
        delete("/api/v1/tokens/{id}", Access::Credential, revoke)
            .describe(
                "revokeToken",
                "Revokes one of the caller's tokens, and those made with it. Platform admins revoke anybody's. Needs the scope `tokens`, except for the token in use.",
            ).replies_nothing().fails(&[Code::Forbidden]),
    ]
}

/// The record of a token. An error of the local store hides only the last use.
/// Reads from a disk: call it without holding a lock.
pub(super) fn record(local: &LocalStore, token: &Token) -> TokenRecord {
    let last_used = local.token_last_used(&token.id.to_string());
    TokenRecord::new(token, last_used.unwrap_or_default())
}

async fn list(call: Call) -> Result<Response, Problem> {
    let handle = call.caller()?.handle()?;
    let tokens = call.read(|catalog| catalog.private.tokens_of(handle).cloned().collect());
    page_of(&call, tokens).await
}

async fn list_of(call: Call) -> Result<Response, Problem> {
    let (caller, handle) = (call.caller()?, call.param::<Handle>("userId")?);
    let tokens = call.read(|catalog| {
        Rights::of(catalog, &caller.actor).manage_users()?;
        registry::ops::user(catalog, &handle)?;
        Ok::<_, Problem>(catalog.private.tokens_of(&handle).cloned().collect())
    })?;
    page_of(&call, tokens).await
}

async fn page_of(call: &Call, tokens: Vec<Token>) -> Result<Response, Problem> {
    let page = call.page_of(tokens)?;
    let local = Arc::clone(&call.app.local);
    let page = blocking(move || Ok(page.map(|token| record(&local, &token)))).await?;
    json(StatusCode::OK, &page)
}

/// A token to create.
#[derive(Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "openapi", schemars(rename = "NewToken"))]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct TokenRequest {
    #[cfg_attr(feature = "openapi", schemars(length(min = 1, max = 64)))]
    name: String,
    #[serde(default)]
    #[cfg_attr(feature = "openapi", schemars(with = "Option<Vec<Scope>>", length(min = 1)))]
    scopes: Option<Vec<String>>,
    #[serde(default)]
    /// When the token expires: a time in the future, in RFC 3339.
    #[cfg_attr(feature = "openapi", schemars(extend("format" = "date-time")))]
    expires_at: Option<String>,
}

async fn create(mut call: Call) -> Result<Response, Problem> {
    let body: TokenRequest = call.json().await?;
    let scopes = body.scopes.map(|names| {
        let scopes: Result<Vec<Scope>, _> = names.iter().map(|name| parse_field("scopes", name)).collect();
        scopes.map(Scopes::from)
    });
    let expires_at = body.expires_at.map(|text| parse_field("expiresAt", &text)).transpose()?;
    let secret = Secret::generate().map_err(Problem::internal)?;
    let input = IssueToken {
        handle: None,
        name: body.name,
        scopes: scopes.transpose()?,
        expires_at,
        digest: secret.digest(),
        prefix: secret.prefix(),
        quotas: call.app.settings.quotas,
    };
    let done = call.commit(tokens::issue, input).await?;
    let created = NewToken { record: done.reply.clone(), text: secret.reveal().to_owned() };
    call.reply(StatusCode::CREATED, &done, &created).await
}

async fn revoke(call: Call) -> Result<Response, Problem> {
    let actor = &call.caller()?.actor;
    // A token can always end itself. So parse only then: others get 403 for every id.
    let id = call.param("id");
    if id.as_ref().ok() != actor.credential.as_ref() {
        actor.needs(Scope::Tokens)?;
    }
    let id: Id = id?;
    let done = call.commit(|context, id| tokens::revoke(context, *id), id).await?;
    call.no_content(&done).await
}
