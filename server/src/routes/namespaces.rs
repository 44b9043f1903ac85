//! Creating and changing namespaces.

use std::sync::Arc;

use super::prelude::*;
use registry::api::public::NamespaceRecord;
use registry::names::Namespace;
use registry::ops::namespaces::{self, CreateNamespace, NamespaceChanges, UpdateNamespace};
use registry::ops::private_namespaces::{self, CreatePrivateNamespace};
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
    /// Whether only its members may know that it exists. Platform admins create such namespaces.
    #[serde(default)]
    private: bool,
    /// The first owner of a private namespace. Default: the caller.
    #[serde(default)]
    #[cfg_attr(feature = "openapi", schemars(with = "Option<registry::names::Handle>"))]
    owner: Option<String>,
}

async fn create(mut call: Call) -> Result<Response, Problem> {
    let body: NewNamespace = call.json().await?;
    let slug: Namespace = parse_field("slug", &body.slug)?;
    if body.private {
        return create_private(call, slug, body).await;
    }
    if body.owner.is_some() {
        return Err(Problem::invalid("The field `owner` is for private namespaces: the caller owns others."));
    }
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

async fn create_private(mut call: Call, slug: Namespace, body: NewNamespace) -> Result<Response, Problem> {
    if call.app.accounts.is_some() {
        return Err(Problem::invalid("A private namespace has no others: create it at the main address."));
    }
    let owner = match body.owner {
        Some(owner) => parse_field("owner", &owner)?,
        None => call.caller()?.handle()?.clone(),
    };
    if call.app.settings.private.is_none() {
        return Err(Problem::invalid("This server has no private namespaces: it opens none."));
    }
    let texts = NamespaceChanges {
        display_name: body.display_name,
        description: body.description,
        review_required: body.review_required,
        status: None,
    };
    let note = CreatePrivateNamespace { namespace: slug.clone(), owner, texts };
    let (main, caller, begun) = (Arc::clone(&call.app), call.registry_caller()?, note.clone());
    // Its history begins before it is noted: what is noted and has no history has lost it.
    let app = blocking(move || {
        main.registry.dry_run(&caller, |context| private_namespaces::create(context, &begun))?;
        main.begin_private(&begun).map_err(Problem::internal)
    });
    let app = app.await?;
    let done = call.commit(private_namespaces::create, note).await?;
    let record = app.registry.read(|catalog| {
        json(StatusCode::CREATED, &NamespaceRecord::new(registry::ops::namespace(catalog, &slug)?))
    });
    let response = call.finish(&done, record?).await?;
    // Its own tree has it before the response says so.
    let revision = app.registry.revision();
    call.app = app;
    Ok(call.wait_for_tree(revision, response).await)
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
