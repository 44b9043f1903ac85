//! Creating and changing namespaces.

use super::prelude::*;
use registry::api::public::NamespaceRecord;
use registry::names::Namespace;
use registry::ops::namespaces::{self, CreateNamespace, NamespaceChanges, UpdateNamespace};
use registry::public::NamespaceStatus;

#[rustfmt::skip]
pub(super) fn routes() -> Vec<Route> {
    vec![
        post("/api/v1/namespaces", MANAGE, create)
            .describe("createNamespace", "Creates a namespace. The caller becomes its owner.")
            .body::<NewNamespace>().replies::<NamespaceRecord<'_>>(201).waits_for_tree().fails(&[Code::Conflict]),
        put("/api/v1/namespaces/{slug}", MANAGE, update)
            .describe("updateNamespace", "Changes a namespace. Absent fields keep their values.")
            .optional_body::<ChangedNamespace>().replies::<NamespaceRecord<'_>>(200).waits_for_tree()
            .fails(&[Code::Conflict]),
    ]
}

fn namespace_reply(call: &Call, status: StatusCode, name: &Namespace) -> Result<Response, Problem> {
    call.read(|catalog| json(status, &NamespaceRecord::new(registry::ops::namespace(catalog, name)?)))
}

/// A namespace to create.
#[derive(Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct NewNamespace {
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

async fn create(mut call: Call) -> Result<Response, Problem> {
    let body: NewNamespace = call.json().await?;
    let slug: Namespace = parse_field("slug", &body.slug)?;
    let input = CreateNamespace {
        slug: slug.clone(),
        display_name: body.display_name,
        description: body.description.unwrap_or_default(),
        review_required: body.review_required.unwrap_or(false),
        creation: call.app.settings.creation,
        quotas: call.app.settings.quotas,
    };
    let done = call.commit(namespaces::create, input).await?;
    call.finish(&done, namespace_reply(&call, StatusCode::CREATED, &slug)?).await
}

/// New values. Absent fields keep their values.
#[derive(Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct ChangedNamespace {
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

async fn update(mut call: Call) -> Result<Response, Problem> {
    let namespace: Namespace = call.param("slug")?;
    let body: ChangedNamespace = call.json().await?;
    let changes = NamespaceChanges {
        display_name: body.display_name,
        description: body.description,
        review_required: body.review_required,
        status: body.status,
    };
    let input = UpdateNamespace { namespace: namespace.clone(), changes };
    let done = call.commit(namespaces::update, input).await?;
    call.finish(&done, namespace_reply(&call, StatusCode::OK, &namespace)?).await
}
