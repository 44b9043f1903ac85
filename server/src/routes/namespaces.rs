//! Namespaces are made and changed.

use std::sync::Arc;

use hyper::StatusCode;
use registry::catalog::Catalog;
use registry::names::Namespace;
use registry::ops::create_namespace::{CreateNamespace, create_namespace};
use registry::ops::update_namespace::{NamespaceChanges, UpdateNamespace, update_namespace};
use registry::public::record::NamespaceRecord;
use registry::public::{NamespaceEntry, NamespaceStatus};
use serde::Deserialize;

use super::Params;
use super::fields::parse_field;
use crate::Response;
use crate::auth::Caller;
use crate::problem::Problem;
use crate::reply::{Receipt, commit, json, reply_with_revision};
use crate::request::Request;
use crate::state::App;

/// A namespace to make.
#[derive(Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(crate) struct NewNamespace {
    #[cfg_attr(feature = "openapi", schemars(with = "Namespace"))]
    slug: String,
    #[serde(default)]
    #[cfg_attr(feature = "openapi", schemars(length(min = 1, max = 128)))]
    display_name: Option<String>,
    #[serde(default)]
    #[cfg_attr(feature = "openapi", schemars(length(max = 2048)))]
    description: Option<String>,
    #[serde(default)]
    review_required: Option<bool>,
}

/// The namespace, or the problem that there is none.
pub(super) fn find<'a>(catalog: Catalog<'a>, name: &Namespace) -> Result<&'a NamespaceEntry, Problem> {
    catalog.namespace(name).ok_or_else(|| Problem::not_found(format!("There is no namespace {name}.")))
}

fn answer(app: &Arc<App>, status: StatusCode, name: &Namespace) -> Result<Response, Problem> {
    app.registry.read(|catalog| json(status, &NamespaceRecord::new(find(catalog, name)?)))
}

/// `POST /api/v1/namespaces`.
pub async fn create(app: &Arc<App>, caller: &Caller, mut request: Request) -> Result<Response, Problem> {
    let body: NewNamespace = crate::body::json(&mut request, app.settings.http.json).await?;
    let slug: Namespace = parse_field("slug", &body.slug)?;
    let input = CreateNamespace {
        slug: slug.clone(),
        display_name: body.display_name,
        description: body.description.unwrap_or_default(),
        review_required: body.review_required.unwrap_or(false),
        creation: app.settings.creation,
    };
    let by = caller.of(&request);
    let committed = commit(app, by, move |context| create_namespace(context, &input)).await?;
    Ok(reply_with_revision(app, Receipt::from(&committed), answer(app, StatusCode::CREATED, &slug)?).await)
}

/// What is to be another; absent fields stay.
#[derive(Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(crate) struct ChangedNamespace {
    #[serde(default)]
    #[cfg_attr(feature = "openapi", schemars(length(min = 1, max = 128)))]
    display_name: Option<String>,
    #[serde(default)]
    #[cfg_attr(feature = "openapi", schemars(length(max = 2048)))]
    description: Option<String>,
    #[serde(default)]
    review_required: Option<bool>,
    #[serde(default)]
    status: Option<NamespaceStatus>,
}

/// `PUT /api/v1/namespaces/{slug}`.
pub async fn update(
    app: &Arc<App>,
    caller: &Caller,
    mut request: Request,
    params: &Params,
) -> Result<Response, Problem> {
    let name: Namespace = params.parse("slug")?;
    let body: ChangedNamespace = crate::body::json(&mut request, app.settings.http.json).await?;
    let changes = NamespaceChanges {
        display_name: body.display_name,
        description: body.description,
        review_required: body.review_required,
        status: body.status,
    };
    let input = UpdateNamespace { namespace: name.clone(), changes };
    let committed =
        commit(app, caller.of(&request), move |context| update_namespace(context, &input)).await?;
    Ok(reply_with_revision(app, Receipt::from(&committed), answer(app, StatusCode::OK, &name)?).await)
}
