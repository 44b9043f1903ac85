//! Trusted publishers, and the tokens of their jobs.

use std::sync::Arc;

use super::prelude::*;
use registry::access::Access as Rights;
use registry::api::private::{JobToken, PublisherRecord, PublisherTerms};
use registry::api::public::FullList;
use registry::names::{Coordinate, Namespace, Slug};
use registry::ops::publishers::{self, RemovePublisher};
use registry::ops::{CommitContext, Decision, OpError};
use registry::private::{Password, Publisher};
use registry::time::Timestamp;

use crate::security::fresh_proof;
use crate::trusted::{self, Exchange, Places, TokenKind, WORKFLOWS};

#[rustfmt::skip]
pub(super) fn routes() -> Vec<Route> {
    vec![
        get("/api/v1/namespaces/{slug}/publishers", READ, list)
            .describe("listPublishers", "Lists the trusted publishers of a namespace and its skills.")
            .replies::<FullList<PublisherRecord>>(200),
        post("/api/v1/namespaces/{slug}/publishers", MANAGE, add)
            .describe(
                "addPublisher",
                "Lets the jobs of a repository publish in the caller's name. Needs the password or a fresh sign-in.",
            ).body::<NewPublisher>().replies::<PublisherRecord>(201).fails(&[Code::Conflict, Code::RateLimited]),
        post("/api/v1/namespaces/{slug}/publishers/{id}/remove", MANAGE, remove)
            .describe("removePublisher", "Removes a trusted publisher. Needs the password or a fresh sign-in.")
            .body::<Confirmed>().replies_nothing().fails(&[Code::RateLimited]),
        post("/api/v1/trusted/token", Access::Anyone, exchange)
            .describe("exchangeToken", "Exchanges the token of a job for one that publishes a skill for 30 minutes.")
            .body::<TokenOfJob>().replies::<JobToken>(200).fails(&[Code::Forbidden, Code::Unavailable])
            .counted_by_client(),
    ]
}

async fn list(call: Call) -> Result<Response, Problem> {
    let namespace: Namespace = call.param("slug")?;
    let caller = call.caller()?;
    let items: Vec<PublisherRecord> = call.read(|catalog| {
        registry::ops::namespace(catalog, &namespace)?;
        let rights = Rights::of(catalog, &caller.actor);
        let of = |slug: &Slug| catalog.public.skill(&Coordinate::new(namespace.clone(), slug.clone()));
        if !namespace.is_global() {
            rights.manage_publishers(&namespace, None)?;
        }
        let is_shown = |known: &&Publisher| {
            rights.manage_publishers(&namespace, known.terms.slug.as_ref().and_then(of)).is_ok()
        };
        let shown = catalog.private.publishers.of(&namespace).filter(is_shown);
        Ok::<_, Problem>(shown.map(PublisherRecord::from).collect())
    })?;
    json(StatusCode::OK, &FullList::from(items))
}

/// A trusted publisher to add.
#[derive(Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct NewPublisher {
    /// The skill, which need not exist yet. Without it: every skill of the namespace.
    #[serde(default)]
    #[cfg_attr(feature = "openapi", schemars(with = "Option<Slug>"))]
    skill: Option<String>,
    /// The name of the issuer in the settings of the registry, such as `github` or `gitlab`, or its address.
    issuer: String,
    /// The owner and name of the repository, such as `acme/skills`.
    repository: String,
    /// The id of the owner at the CI system.
    owner_id: String,
    /// The file of the workflow.
    workflow: String,
    #[serde(default)]
    environment: Option<String>,
    /// Whether everybody may see repository and commit even if the repository is private.
    #[serde(default)]
    show_private: bool,
    #[serde(default)]
    #[cfg_attr(feature = "openapi", schemars(with = "String", extend("format" = "password")))]
    password: Option<Password>,
}

async fn add(mut call: Call) -> Result<Response, Problem> {
    let namespace: Namespace = call.param("slug")?;
    let body: NewPublisher = call.json().await?;
    if call.app.accounts.is_some() {
        let why = "private namespaces have no trusted publishers: publish there with a token";
        return Err(OpError::Conflict(why.into()).into());
    }
    let issuers = &call.app.settings.trusted;
    let trusted = issuers.find(&body.issuer).ok_or_else(|| {
        let why = format!("this registry does not know it: name one of its settings ({})", issuers.names());
        Problem::invalid_field("issuer", why)
    })?;
    let workflow = match trusted.kind {
        TokenKind::Github => body.workflow.strip_prefix(WORKFLOWS).unwrap_or(&body.workflow),
        TokenKind::Gitlab | TokenKind::Claims(_) => &body.workflow,
    };
    let terms = PublisherTerms {
        namespace,
        slug: body.skill.map(|text| parse_field("skill", &text)).transpose()?,
        issuer: trusted.issuer.address().to_owned(),
        repository: body.repository,
        owner_id: body.owner_id,
        workflow: workflow.to_owned(),
        environment: body.environment,
        show_private: body.show_private,
    };
    rehearse(&call, publishers::add, terms.clone()).await?;
    prove(&call, body.password).await?;
    let done = call.commit(publishers::add, terms).await?;
    call.reply(StatusCode::CREATED, &done, &done.reply).await
}

/// The password of the caller.
#[derive(Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
struct Confirmed {
    #[serde(default)]
    #[cfg_attr(feature = "openapi", schemars(with = "String", extend("format" = "password")))]
    password: Option<Password>,
}

async fn remove(mut call: Call) -> Result<Response, Problem> {
    let input = RemovePublisher { namespace: call.param("slug")?, id: call.param("id")? };
    let body: Confirmed = call.json().await?;
    rehearse(&call, publishers::remove, input.clone()).await?;
    prove(&call, body.password).await?;
    let done = call.commit(publishers::remove, input).await?;
    call.no_content(&done).await
}

/// Refuses what would be refused with the password, too, before it is asked for.
async fn rehearse<I: Send + 'static, R: 'static>(
    call: &Call,
    operation: fn(CommitContext<'_>, &I) -> Result<Decision<R>, OpError>,
    input: I,
) -> Result<(), Problem> {
    let (registry, by) = (Arc::clone(&call.app.registry), call.registry_caller()?);
    blocking(move || Ok(registry.dry_run(&by, |context| operation(context, &input)).map(drop)?)).await
}

async fn prove(call: &Call, password: Option<Password>) -> Result<(), Problem> {
    fresh_proof::require(&call.app, call.caller()?, password, call.request.client).await
}

/// The token of a job, and the skill that it wants to publish.
#[derive(Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
struct TokenOfJob {
    /// The token that the CI system made for this registry.
    #[cfg_attr(feature = "openapi", schemars(extend("format" = "password")))]
    token: String,
    #[cfg_attr(feature = "openapi", schemars(with = "Namespace"))]
    namespace: String,
    /// Without it, the token publishes every skill of the namespace, if a publisher of the whole namespace admits the job.
    #[serde(default)]
    #[cfg_attr(feature = "openapi", schemars(with = "Option<Slug>"))]
    slug: Option<String>,
}

async fn exchange(mut call: Call) -> Result<Response, Problem> {
    let body: TokenOfJob = call.json().await?;
    let asked = Exchange {
        token: body.token,
        namespace: parse_field("namespace", &body.namespace)?,
        slug: body.slug.map(|text| parse_field("slug", &text)).transpose()?,
    };
    let app = Arc::clone(&call.app);
    let token = blocking(move || {
        let places = Places {
            issuers: &app.settings.trusted,
            registry: &app.registry,
            local: &app.local,
            public_url: app.settings.public_url.as_str(),
        };
        trusted::exchange(&places, &asked, Timestamp::now())
    })
    .await?;
    json(StatusCode::OK, &token)
}
