//! Who the caller is.

use registry::names::Handle;
use registry::private::PlatformRole;
use serde::Serialize;

use super::super::prelude::*;

#[derive(Serialize)]
struct Whoami<'a> {
    user: User<'a>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct User<'a> {
    handle: &'a Handle,
    display_name: &'a str,
    role: PlatformRole,
}

/// Says whose token it is.
pub(super) async fn whoami(call: Call) -> Result<Response, Problem> {
    let handle = call.caller()?.handle()?;
    call.read(|catalog| {
        let user = catalog.private.user(handle).ok_or_else(Problem::unauthenticated)?;
        let (handle, display_name, role) = (&user.handle, user.display_name.as_str(), user.role);
        json(StatusCode::OK, &Whoami { user: User { handle, display_name, role } })
    })
}
