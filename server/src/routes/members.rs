//! Members of a namespace.

use super::prelude::*;
use registry::access::Access;
use registry::api::private::Member;
use registry::api::public::Page;
use registry::names::{Handle, Namespace};
use registry::ops::members::{self, RemoveMember, SetMember};

#[rustfmt::skip]
pub(super) fn routes() -> Vec<Route> {
    vec![
        get("/api/v1/namespaces/{slug}/members", READ, list)
            .describe("listMembers", "Lists the members of a namespace.")
            .paged().replies::<Page<Member>>(200),
        post("/api/v1/namespaces/{slug}/members", MANAGE, add)
            .describe("addMember", "Adds a member to a namespace.")
            .body::<NewMember>().replies::<Member>(201).fails(&[Code::Conflict]),
        put("/api/v1/namespaces/{slug}/members/{userId}/role", MANAGE, set_role)
            .describe("changeRole", "Changes the role of a member.")
            .body::<NewRole>().replies::<Member>(200).fails(&[Code::Conflict]),
        delete("/api/v1/namespaces/{slug}/members/{userId}", MANAGE, remove)
            .describe("removeMember", "Removes a member. Members may remove themselves.")
            .replies_nothing().fails(&[Code::Conflict]),
    ]
}

async fn list(call: Call) -> Result<Response, Problem> {
    let namespace: Namespace = call.param("slug")?;
    let caller = call.caller()?;
    let members: Vec<_> = call.read(|catalog| {
        registry::ops::namespace(catalog, &namespace)?;
        Access::of(catalog, &caller.actor).read_members(&namespace)?;
        let record = |(handle, membership): (&Handle, &_)| {
            catalog.private.user(handle).map(|user| Member::new(user, *membership))
        };
        Ok::<_, Problem>(catalog.private.members(&namespace).filter_map(record).collect())
    })?;
    json(StatusCode::OK, &call.page_of(members)?)
}

/// A user to add, and the role.
#[derive(Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct NewMember {
    #[cfg_attr(feature = "openapi", schemars(with = "Handle"))]
    user_id: String,
    #[cfg_attr(feature = "openapi", schemars(with = "registry::private::MemberRole"))]
    role: String,
}

async fn add(mut call: Call) -> Result<Response, Problem> {
    let namespace = call.param("slug")?;
    let body: NewMember = call.json().await?;
    let handle: Handle =
        body.user_id.parse().map_err(|why| Problem::not_found(format!("There is no such user: {why}.")))?;
    let input = SetMember { namespace, handle, role: parse_field("role", &body.role)? };
    call.follow_accounts(Some(&input.handle)).await?;
    let done = call.commit(members::add, input).await?;
    call.reply(StatusCode::CREATED, &done, &done.reply).await
}

/// A new role.
#[derive(Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
struct NewRole {
    #[cfg_attr(feature = "openapi", schemars(with = "registry::private::MemberRole"))]
    role: String,
}

async fn set_role(mut call: Call) -> Result<Response, Problem> {
    let (namespace, handle) = (call.param("slug")?, call.param("userId")?);
    let body: NewRole = call.json().await?;
    let input = SetMember { namespace, handle, role: parse_field("role", &body.role)? };
    call.follow_accounts(None).await?;
    let done = call.commit(members::set_role, input).await?;
    call.reply(StatusCode::OK, &done, &done.reply).await
}

async fn remove(call: Call) -> Result<Response, Problem> {
    let input = RemoveMember { namespace: call.param("slug")?, handle: call.param("userId")? };
    call.follow_accounts(None).await?;
    let done = call.commit(members::remove, input).await?;
    call.no_content(&done).await
}
