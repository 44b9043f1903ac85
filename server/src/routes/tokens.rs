//! The caller's own tokens.

use std::sync::Arc;

use hyper::StatusCode;
use registry::local::LocalStore;
use registry::ops::issue_token::{IssueToken, issue_token};
use registry::ops::revoke_token::revoke_token;
use registry::private::record::TokenRecord;
use registry::private::{Scope, Scopes, Secret, Token};
use registry::public::Id;
use registry::public::record::Page;
use serde::{Deserialize, Serialize};

use super::Params;
use super::fields::{page_of, parse_field};
use crate::Response;
use crate::auth::Caller;
use crate::problem::Problem;
use crate::reply::{Receipt, blocking, commit, json, no_content, reply_with_revision};
use crate::request::Request;
use crate::state::App;

/// A token's record; a local store that fails does not hide the token. Asks
/// that store, so it may wait for a disk: with no lock held.
pub(crate) fn record(local: &LocalStore, token: &Token) -> TokenRecord {
    let last_used = local.token_last_used(&token.id.to_string());
    TokenRecord::new(token, last_used.unwrap_or_default())
}

/// `GET /api/v1/tokens`.
pub async fn list(app: &Arc<App>, caller: &Caller, query: &str) -> Result<Response, Problem> {
    let tokens: Vec<Token> = app.registry.read(|catalog| {
        let own = caller.actor.handle.iter().flat_map(|handle| catalog.private.tokens_of(handle));
        own.cloned().collect()
    });
    let Page { items, total, page, size } = page_of(query, tokens)?;
    let local = Arc::clone(&app.local);
    let items: Vec<_> =
        blocking(move || Ok(items.iter().map(|token| record(&local, token)).collect())).await?;
    json(StatusCode::OK, &Page { items, total, page, size })
}

/// A token to make.
#[derive(Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(crate) struct NewToken {
    #[cfg_attr(feature = "openapi", schemars(length(min = 1, max = 64)))]
    name: String,
    #[serde(default)]
    #[cfg_attr(feature = "openapi", schemars(with = "Option<Vec<Scope>>", length(min = 1)))]
    scopes: Option<Vec<String>>,
    #[serde(default)]
    /// When it ends: a time to come, in RFC 3339.
    #[cfg_attr(feature = "openapi", schemars(extend("format" = "date-time")))]
    expires_at: Option<String>,
}

/// A token with its text, which is shown this once.
#[derive(Serialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "openapi", schemars(rename = "NewTokenText"))]
pub(crate) struct Created {
    #[serde(flatten)]
    record: TokenRecord,
    token: String,
}

/// `POST /api/v1/tokens`.
pub async fn create(app: &Arc<App>, caller: &Caller, mut request: Request) -> Result<Response, Problem> {
    let body: NewToken = crate::body::json(&mut request, app.settings.http.json).await?;
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
    };
    let by = caller.of(&request);
    let committed = commit(app, by, move |context| issue_token(context, &input)).await?;
    let receipt = Receipt::from(&committed);
    let created = Created { record: committed.reply, token: secret.reveal().to_owned() };
    Ok(reply_with_revision(app, receipt, json(StatusCode::CREATED, &created)?).await)
}

/// `DELETE /api/v1/tokens/{id}`.
pub async fn revoke(app: &Arc<App>, by: registry::Caller, params: &Params) -> Result<Response, Problem> {
    let id: Id = params.parse("id")?;
    let registry = Arc::clone(&app.registry);
    let committed = blocking(move || Ok(registry.commit(&by, |context| revoke_token(context, id))?)).await?;
    Ok(reply_with_revision(app, Receipt::from(&committed), no_content()).await)
}
