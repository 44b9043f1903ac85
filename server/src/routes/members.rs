//! Members of a namespace.

use std::sync::Arc;

use hyper::StatusCode;
use registry::access::Access;
use registry::names::{Handle, Namespace};
use registry::ops::members::{self, RemoveMember, SetMember};
use registry::private::MemberRole;
use registry::private::record::Member;
use serde::Deserialize;

use super::Params;
use super::fields::{page_of, parse_field};
use crate::Response;
use crate::auth::Caller;
use crate::problem::Problem;
use crate::reply::{Receipt, commit, json, no_content, reply_with_revision};
use crate::request::Request;
use crate::state::App;

/// `GET /api/v1/namespaces/{slug}/members`.
pub fn list(
    app: &Arc<App>,
    caller: &Caller,
    request: &Request,
    params: &Params,
) -> Result<Response, Problem> {
    let namespace: Namespace = params.parse("slug")?;
    let members: Vec<_> = app.registry.read(|catalog| {
        super::namespaces::find(catalog, &namespace)?;
        Access::of(catalog, &caller.actor).read_members(&namespace)?;
        let members = catalog.private.members(&namespace);
        let record = |(handle, place): (&Handle, &_)| {
            catalog.private.user(handle).map(|user| Member::new(user, *place))
        };
        Ok::<_, Problem>(members.filter_map(record).collect())
    })?;
    json(StatusCode::OK, &page_of(&request.query, members)?)
}

/// Someone to take in.
#[derive(Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(crate) struct NewMember {
    #[cfg_attr(feature = "openapi", schemars(with = "Handle"))]
    user_id: String,
    #[cfg_attr(feature = "openapi", schemars(with = "MemberRole"))]
    role: String,
}

/// `POST /api/v1/namespaces/{slug}/members`.
pub async fn add(
    app: &Arc<App>,
    caller: &Caller,
    mut request: Request,
    params: &Params,
) -> Result<Response, Problem> {
    let namespace = params.parse("slug")?;
    let body: NewMember = crate::body::json(&mut request, app.settings.http.json).await?;
    let handle =
        body.user_id.parse().map_err(|why| Problem::not_found(format!("There is no such user: {why}.")))?;
    let input = SetMember { namespace, handle, role: parse_field("role", &body.role)? };
    let by = caller.of(&request);
    let committed = commit(app, by, move |context| members::add(context, &input)).await?;
    Ok(reply_with_revision(app, Receipt::from(&committed), json(StatusCode::CREATED, &committed.reply)?)
        .await)
}

/// Another role.
#[derive(Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct NewRole {
    #[cfg_attr(feature = "openapi", schemars(with = "MemberRole"))]
    role: String,
}

/// `PUT /api/v1/namespaces/{slug}/members/{userId}/role`.
pub async fn set_role(
    app: &Arc<App>,
    caller: &Caller,
    mut request: Request,
    params: &Params,
) -> Result<Response, Problem> {
    let (namespace, handle) = (params.parse("slug")?, params.parse("userId")?);
    let body: NewRole = crate::body::json(&mut request, app.settings.http.json).await?;
    let role: MemberRole = parse_field("role", &body.role)?;
    let input = SetMember { namespace, handle, role };
    let by = caller.of(&request);
    let committed = commit(app, by, move |context| members::set_role(context, &input)).await?;
    Ok(reply_with_revision(app, Receipt::from(&committed), json(StatusCode::OK, &committed.reply)?).await)
}

/// `DELETE /api/v1/namespaces/{slug}/members/{userId}`.
pub async fn remove(app: &Arc<App>, by: registry::Caller, params: &Params) -> Result<Response, Problem> {
    let input = RemoveMember { namespace: params.parse("slug")?, handle: params.parse("userId")? };
    let committed = commit(app, by, move |context| members::remove(context, &input)).await?;
    Ok(reply_with_revision(app, Receipt::from(&committed), no_content()).await)
}
