//! The accounts of all people, for platform admins.

use registry::access::Access as Rights;
use registry::api::private::UserRecord;
use registry::api::public::Page;
use registry::names::Handle;
use registry::ops::users;

use super::prelude::*;

#[rustfmt::skip]
pub(super) fn routes() -> Vec<Route> {
    vec![
        get("/api/v1/users", READ, list)
            .describe("listUsers", "Lists all accounts by handle. For platform admins.")
            .paged().replies::<Page<UserRecord>>(200),
        get("/api/v1/users/{userId}", READ, show)
            .describe("showUser", "Shows an account. For platform admins.")
            .replies::<UserRecord>(200),
        post("/api/v1/users/{userId}/disable", MANAGE, disable)
            .describe("disableUser", "Disables an account and all its credentials. For platform admins.")
            .replies_nothing().fails(&[Code::Conflict]),
        post("/api/v1/users/{userId}/enable", MANAGE, enable)
            .describe("enableUser", "Enables an account again, with the credentials that it still has. For platform admins.")
            .replies_nothing(),
    ]
}

async fn list(call: Call) -> Result<Response, Problem> {
    let caller = call.caller()?;
    call.read(|catalog| {
        Rights::of(catalog, &caller.actor).read_users()?;
        let page = call.page_of(catalog.private.users().collect())?;
        json(StatusCode::OK, &page.map(UserRecord::from))
    })
}

async fn show(call: Call) -> Result<Response, Problem> {
    let (caller, handle) = (call.caller()?, call.param("userId")?);
    call.read(|catalog| {
        Rights::of(catalog, &caller.actor).read_users()?;
        json(StatusCode::OK, &UserRecord::from(registry::ops::user(catalog, &handle)?))
    })
}

async fn disable(call: Call) -> Result<Response, Problem> {
    let handle: Handle = call.param("userId")?;
    let done = call.commit(users::disable, handle).await?;
    call.no_content(&done).await
}

async fn enable(call: Call) -> Result<Response, Problem> {
    let handle: Handle = call.param("userId")?;
    let done = call.commit(users::enable, handle).await?;
    call.no_content(&done).await
}
