//! The caller's account.

use std::sync::Arc;

use registry::api::private::{Account, OwnNamespace, Whoami};
use registry::catalog::Catalog;
use registry::local::PasswordChange;
use registry::names::Handle;
use registry::ops::account::{self, ChangeAccount};
use registry::private::{Password, User};

use super::prelude::*;
use super::session_steps::require_passwords;
use super::tokens;
use crate::app::App;
use crate::security::auth::Caller;
use crate::security::sign_in::Proof;

#[rustfmt::skip]
pub(super) fn routes() -> Vec<Route> {
    vec![
        get("/api/v1/whoami", Access::Credential, whoami)
            .describe("whoAmI", "Says who the caller is.")
            .replies::<Whoami>(200),
        get("/api/v1/auth/me", Access::Credential, show)
            .describe("showMe", "Shows the caller's account.")
            .replies::<Account>(200),
        put("/api/v1/auth/me", MANAGE, change)
            .describe("changeMe", "Changes the caller's account. Absent fields keep their values.")
            .optional_body::<ChangedAccount>().replies::<Account>(200).waits_for_tree()
            .of_accounts(),
    ]
}

fn with_user<R>(
    app: &App,
    caller: &Caller,
    read: impl FnOnce(Catalog<'_>, &User) -> R,
) -> Result<R, Problem> {
    let handle = caller.handle()?;
    app.registry.read(|catalog| {
        let user = catalog.private.user(handle);
        user.map(|user| read(catalog, user)).ok_or_else(Problem::unauthenticated)
    })
}

async fn whoami(call: Call) -> Result<Response, Problem> {
    let record = with_user(&call.app, call.caller()?, |_, user| Whoami::from(user))?;
    json(StatusCode::OK, &record)
}

async fn show(call: Call) -> Result<Response, Problem> {
    account_reply(&call.app, call.caller()?).await
}

/// A response with the account of `caller`.
pub(super) async fn account_reply(app: &Arc<App>, caller: &Caller) -> Result<Response, Problem> {
    let (user, namespaces) = with_user(app, caller, |catalog, user| {
        let own = catalog.private.namespaces_of(&user.handle);
        let role = |slug: &_| catalog.role(slug, &user.handle);
        let namespaces = own.filter_map(|slug| Some(OwnNamespace { slug: slug.clone(), role: role(slug)? }));
        (user.clone(), namespaces.collect::<Vec<_>>())
    })?;
    // The tokens of a private namespace's members are those of its main registry.
    let (registry, local) = match &app.accounts {
        Some(main) => (&main.registry, Arc::clone(&main.local)),
        None => (&app.registry, Arc::clone(&app.local)),
    };
    let token = registry.read(|catalog| catalog.private.token_by_id(caller.actor.credential?).cloned());
    let token = blocking(move || Ok(token.map(|token| tokens::record(&local, &token)))).await?;
    let private_namespaces = app.private_namespaces_of(&user.handle);
    json(StatusCode::OK, &Account { private_namespaces, ..Account::new(&user, namespaces, token) })
}

/// New values. Absent fields keep their values.
#[derive(Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct ChangedAccount {
    #[serde(default)]
    #[cfg_attr(feature = "openapi", schemars(length(min = 1, max = 128)))]
    display_name: Option<String>,
    #[serde(default)]
    #[cfg_attr(
        feature = "openapi",
        schemars(with = "Option<String>", length(min = 8, max = 256), extend("format" = "password"))
    )]
    password: Option<Password>,
    #[serde(default)]
    #[cfg_attr(feature = "openapi", schemars(with = "Option<String>", extend("format" = "password")))]
    current_password: Option<Password>,
}

/// Changes everything that is asked for, or nothing.
async fn change(mut call: Call) -> Result<Response, Problem> {
    let body: ChangedAccount = call.json().await?;
    let (new, kept_session) = (body.password, session_of(&call)?);
    let has_new_password = new.is_some();
    let input = ChangeAccount { display_name: body.display_name, has_new_password };
    if let Some(new) = new {
        require_passwords(&call.app)?;
        let proof = prove(&call, &new, body.current_password).await?;
        // Refuses an invalid display name before the password changes.
        let (registry, by, input) = (Arc::clone(&call.app.registry), call.registry_caller()?, input.clone());
        blocking(move || Ok(registry.dry_run(&by, |context| account::change(context, &input))?)).await?;
        replace_password(&call, proof, new, kept_session.clone()).await?;
    }
    let done = call.commit(account::change, input).await?;
    if let Some(session) = kept_session.filter(|_| has_new_password && is_token(&call)) {
        // The row has just parted the token from its session.
        let local = Arc::clone(&call.app.local);
        blocking(move || Ok(local.end_session(&session)?)).await?;
    }
    let response = account_reply(&call.app, call.caller()?).await?;
    call.finish(&done, response).await
}

/// Checks that the new password is valid and the caller knows the current one.
async fn prove(call: &Call, new: &Password, current: Option<Password>) -> Result<Proof, Problem> {
    new.check().map_err(|why| Problem::invalid_field("password", why.to_string()))?;
    let current = current.ok_or_else(|| {
        Problem::missing_field("currentPassword", "send the password that you want to replace")
    })?;
    let handle = call.caller()?.actor.handle.as_ref().map_or("", Handle::as_str);
    let proof = call.app.sign_in.check(handle, current, call.request.client).await?;
    proof.ok_or_else(wrong_current)
}

fn wrong_current() -> Problem {
    Problem::forbidden(
        "`currentPassword` is not your password: correct it, or ask an operator if you have no password.",
    )
}

/// The session in use, or in which the token in use was made.
fn session_of(call: &Call) -> Result<Option<String>, Problem> {
    let actor = &call.caller()?.actor;
    let of_token = |id| call.read(|catalog| catalog.private.token_by_id(id)?.session.clone());
    Ok(actor.session.clone().or_else(|| actor.credential.and_then(of_token)))
}

fn is_token(call: &Call) -> bool {
    call.caller.as_ref().is_some_and(|caller| caller.actor.credential.is_some())
}

/// Ends all sessions except the kept one.
async fn replace_password(
    call: &Call,
    proof: Proof,
    new: Password,
    kept_session: Option<String>,
) -> Result<(), Problem> {
    let new = call.app.sign_in.hash(&proof.handle, new).await?;
    let local = Arc::clone(&call.app.local);
    let Proof { handle, phc } = proof;
    let is_changed = blocking(move || {
        let kept_session = kept_session.as_deref();
        let change = PasswordChange { handle: &handle, old_phc: &phc, new_phc: &new, kept_session };
        Ok(local.change_password(&change)?)
    })
    .await?;
    // Otherwise another request has changed the password since it was proved.
    if is_changed { Ok(()) } else { Err(wrong_current()) }
}
