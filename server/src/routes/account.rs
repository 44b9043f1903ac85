//! Who the caller is, and what they change about it.

use std::sync::Arc;

use hyper::StatusCode;
use registry::local::PasswordChange;
use registry::names::Handle;
use registry::ops::account::{self, ChangeAccount};
use registry::private::record::{Account, OwnNamespace, Whoami};
use registry::private::{Password, User};

use serde::Deserialize;

use crate::Response;
use crate::auth::Caller;
use crate::client_address::ClientAddress;
use crate::problem::Problem;
use crate::reply::{Receipt, blocking, commit, json, reply_with_revision};
use crate::request::Request;
use crate::sign_in::{Proof, Verdict};
use crate::state::App;

fn with_user<R>(
    app: &Arc<App>,
    caller: &Caller,
    look: impl FnOnce(registry::catalog::Catalog<'_>, &User) -> R,
) -> Result<R, Problem> {
    app.registry.read(|catalog| {
        let user = caller.actor.handle.as_ref().and_then(|handle| catalog.private.user(handle));
        user.map(|user| look(catalog, user)).ok_or_else(Problem::unauthenticated)
    })
}

/// `GET /api/v1/whoami`.
pub fn whoami(app: &Arc<App>, caller: &Caller) -> Result<Response, Problem> {
    let record = with_user(app, caller, |_, user| Whoami::from(user))?;
    json(StatusCode::OK, &record)
}

/// `GET /api/v1/auth/me`.
pub async fn me(app: &Arc<App>, caller: &Caller) -> Result<Response, Problem> {
    let (user, namespaces, token) = with_user(app, caller, |catalog, user| {
        let own = catalog.private.namespaces_of(&user.handle);
        let role = |slug: &_| catalog.role(slug, &user.handle);
        let namespaces = own.filter_map(|slug| Some(OwnNamespace { slug: slug.clone(), role: role(slug)? }));
        let token = caller.actor.credential.and_then(|id| catalog.private.token_by_id(id));
        (user.clone(), namespaces.collect::<Vec<_>>(), token.cloned())
    })?;
    let local = Arc::clone(&app.local);
    let token = blocking(move || Ok(token.map(|token| super::tokens::record(&local, &token)))).await?;
    json(StatusCode::OK, &Account::new(&user, namespaces, token))
}

/// What is to be another; absent fields stay.
#[derive(Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(crate) struct ChangedAccount {
    #[serde(default)]
    #[cfg_attr(feature = "openapi", schemars(length(min = 1, max = 128)))]
    display_name: Option<String>,
    #[serde(default)]
    #[cfg_attr(feature = "openapi", schemars(with = "Option<String>", length(min = 8, max = 256), extend("format" = "password")))]
    password: Option<Password>,
    #[serde(default)]
    #[cfg_attr(feature = "openapi", schemars(with = "Option<String>", extend("format" = "password")))]
    current_password: Option<Password>,
}

/// `PUT /api/v1/auth/me`. What is refused changes nothing.
pub async fn change(app: &Arc<App>, caller: &Caller, mut request: Request) -> Result<Response, Problem> {
    let body: ChangedAccount = crate::body::json(&mut request, app.settings.http.json).await?;
    let (new, by) = (body.password, caller.of(&request));
    let input = ChangeAccount { display_name: body.display_name, has_new_password: new.is_some() };
    if let Some(new) = new {
        let proof = prove(app, caller, request.client, &new, body.current_password).await?;
        // A name that cannot be one is to stop all of it.
        let (registry, tried, by) = (Arc::clone(&app.registry), input.clone(), by.clone());
        blocking(move || Ok(registry.dry_run(&by, |context| account::change(context, &tried))?)).await?;
        replace_password(app, caller, proof, new).await?;
    }
    let done = commit(app, by, move |context| account::change(context, &input)).await?;
    let response = me(app, caller).await?;
    Ok(reply_with_revision(app, Receipt::from(&done), response).await)
}

/// Looks whether the caller knows the present password, and the new one may be
/// one.
async fn prove(
    app: &Arc<App>,
    caller: &Caller,
    client: ClientAddress,
    new: &Password,
    current: Option<Password>,
) -> Result<Proof, Problem> {
    new.check().map_err(|why| Problem::invalid_field("password", why.to_string()))?;
    let current = current.ok_or_else(|| {
        Problem::missing_field("currentPassword", "send the password that is to be changed")
    })?;
    let handle = caller.actor.handle.as_ref().map_or("", Handle::as_str);
    let stores = (&app.registry, &app.local);
    match app.sign_in.check(stores, handle, current, client).await? {
        Verdict::Right(proof) => Ok(proof),
        Verdict::Wrong => Err(wrong_current()),
    }
}

fn wrong_current() -> Problem {
    Problem::forbidden(
        "`currentPassword` is not your password: correct it, or ask an operator where you have none.",
    )
}

/// Ends all sessions but the one in use.
async fn replace_password(
    app: &Arc<App>,
    caller: &Caller,
    proof: Proof,
    new: Password,
) -> Result<(), Problem> {
    let new = app.sign_in.hash(new).await?;
    let (local, kept) = (Arc::clone(&app.local), caller.actor.session.clone());
    let Proof { handle, phc } = proof;
    let changed = blocking(move || {
        let change =
            PasswordChange { handle: &handle, old_phc: &phc, new_phc: &new, kept_session: kept.as_deref() };
        Ok(local.change_password(&change)?)
    })
    .await?;
    // Somebody else was faster, so that it is not the password any more.
    if changed { Ok(()) } else { Err(wrong_current()) }
}
