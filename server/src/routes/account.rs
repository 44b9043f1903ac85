//! Who the caller is.

use std::sync::Arc;

use hyper::StatusCode;
use registry::private::User;
use registry::private::record::{Account, OwnNamespace, Whoami};

use crate::Response;
use crate::answer::{blocking, json};
use crate::auth::Caller;
use crate::problem::Problem;
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
