//! Publishing a package.

mod apm;

use std::sync::Arc;

use registry::Committed;
use registry::api::private::PublishReply;
use registry::fair_share::Owner;
use registry::journal::Revision;
use registry::names::{Namespace, TagName, TolerantVersion};
use registry::ops::publish::NamespaceConflict;
use registry::package::{Attestation, Package, PackagePath, ReadOptions, RequestedName, Strictness};
use registry::publishing::{PublishInput, PublishMode};

use super::prelude::*;
use crate::app::App;
use crate::request::multipart::{self, Form, TextFields};

#[rustfmt::skip]
pub(super) fn routes() -> Vec<Route> {
    vec![
        post("/api/v1/publish", PUBLISH, publish)
            .describe(
                "publish",
                "Publishes a package or submits it for review; 200 if nothing new was stored.",
            ).form::<PublishForm>().replies::<PublishReply>(200).replies::<PublishReply>(201).waits_for_tree()
            .fails(&[Code::NotFound, Code::Conflict, Code::InvalidPackage]),
        apm::route(),
    ]
}

/// Names of the text fields in the form.
pub(crate) const FIELDS: TextFields = TextFields {
    single: &["namespace", "slug", "version", "changelog", "tags", "dryRun", "attestation"],
    repeatable: &["allowFile"],
};

/// Its schema is in `openapi/hand_written_schemas.rs`: no record describes a form.
pub(crate) enum PublishForm {}

/// The text fields of the form, parsed.
struct Fields {
    namespace: Option<Namespace>,
    requested_name: Option<RequestedName>,
    version: Option<(TolerantVersion, String)>,
    changelog: String,
    tags: Vec<TagName>,
    is_dry_run: bool,
    allowed_files: Vec<String>,
    attestation: Option<Attestation>,
}

impl Fields {
    fn parse(form: &Form) -> Result<Self, Problem> {
        let get = |name: &str| form.fields.get(name)?.first().map(String::as_str);
        let version =
            get("version").map(|text| parse_field("version", text).map(|version| (version, text.to_owned())));
        let tags =
            get("tags").map(|list| list.split(',').map(|tag| parse_field("tags", tag.trim())).collect());
        let attestation = get("attestation").map(|text| {
            Attestation::parse(text.to_owned()).map_err(|why| Problem::invalid_field("attestation", why))
        });
        Ok(Self {
            namespace: get("namespace").map(|text| parse_field("namespace", text)).transpose()?,
            requested_name: get("slug").map(|text| parse_field("slug", text)).transpose()?,
            version: version.transpose()?,
            changelog: get("changelog").unwrap_or_default().to_owned(),
            tags: tags.transpose()?.unwrap_or_default(),
            is_dry_run: match get("dryRun") {
                None | Some("false") => false,
                Some("true") => true,
                Some(_) => return Err(Problem::invalid_field("dryRun", "it must be true or false")),
            },
            attestation: attestation.transpose()?,
            allowed_files: allowed_files(form.fields.get("allowFile"))?,
        })
    }
}

/// Parses the paths in `allowFile`.
fn allowed_files(paths: Option<&Vec<String>>) -> Result<Vec<String>, Problem> {
    let parse = |path: &String| match PackagePath::parse(path) {
        Ok(path) => Ok(path.as_str().to_owned()),
        Err(finding) => Err(Problem::invalid_field("allowFile", finding.message)),
    };
    paths.into_iter().flatten().map(parse).collect()
}

async fn publish(mut call: Call) -> Result<Response, Problem> {
    let app = Arc::clone(&call.app);
    let person = call.caller()?.handle()?.clone();
    let _place = app.upload_places.take(&person)?;
    let (zip, owner) = (app.settings.http.zip, Owner::of_person(&person));
    let form = multipart::form(&mut call.request, FIELDS, zip, &app.uploads, &owner).await?;
    let fields = Fields::parse(&form)?;
    if form.file.is_none() {
        return Err(Problem::missing_field("file", "send the zip of the skill in it"));
    }
    let is_dry_run = fields.is_dry_run;
    let publication =
        in_turn(&call, move |app, caller| unpack_and_publish(app, caller, form, fields)).await?;
    let done = &publication.done;
    let status = if done.revision.is_some() { StatusCode::CREATED } else { StatusCode::OK };
    let response = json(status, &done.reply)?;
    if is_dry_run { Ok(response) } else { publication.finish(&call, response).await }
}

/// The outcome of a request to publish.
pub(in crate::routes) struct Publication {
    pub(in crate::routes) done: Committed<PublishReply>,
    /// The revision that published the version; `None` while it waits for review.
    published_at: Option<Revision>,
}

impl Publication {
    /// Whether the version is published, and does not wait for review.
    pub(in crate::routes) fn is_published(&self) -> bool {
        self.published_at.is_some()
    }

    /// Waits until the tree contains the version. A repeated request promises the same as the first.
    pub(in crate::routes) async fn finish(
        &self,
        call: &Call,
        response: Response,
    ) -> Result<Response, Problem> {
        match (self.done.revision, self.published_at) {
            (Some(_), _) => call.finish(&self.done, response).await,
            (None, Some(revision)) => Ok(call.wait_for_tree(revision, response).await),
            (None, None) => Ok(response),
        }
    }
}

/// Unpacks and publishes a package when it is its turn.
///
/// The upload waits for its turn compressed, and counts against the budget. Nobody learns the result
/// of a package whose client has gone, so its turn goes to the next one.
pub(in crate::routes) async fn in_turn(
    call: &Call,
    publish: impl FnOnce(&App, &registry::Caller) -> Result<Committed<PublishReply>, Problem> + Send + 'static,
) -> Result<Publication, Problem> {
    let client = call.request.client_presence.clone();
    let (app, caller) = (Arc::clone(&call.app), call.registry_caller()?);
    let permit = Arc::clone(&app.unpacking).acquire_owned().await.map_err(Problem::internal)?;
    if client.has_gone() {
        return Err(Problem::invalid("The connection ended before the package was read: send it again."));
    }
    blocking(move || {
        let done = publish(&app, &caller)?;
        drop(permit);
        let published_at = published_at(&app, &done.reply);
        Ok(Publication { done, published_at })
    })
    .await
}

/// The revision that published a version; `None` while it waits for review.
fn published_at(app: &App, reply: &PublishReply) -> Option<Revision> {
    app.registry.read(|catalog| {
        let skill = catalog.public.skill(&reply.canonical_slug)?;
        skill.version(&reply.version).map(|version| version.revision)
    })
}

fn unpack_and_publish(
    app: &App,
    caller: &registry::Caller,
    form: Form,
    fields: Fields,
) -> Result<Committed<PublishReply>, Problem> {
    let Some(file) = &form.file else { return Err(Problem::internal("a form without its file")) };
    let source_name = file.filename.as_deref().map(|name| name.strip_suffix(".zip").unwrap_or(name));
    let options = ReadOptions {
        source_name,
        strictness: Strictness::Strict,
        limits: &app.settings.package,
        allowed_files: &fields.allowed_files,
    };
    let package = Package::from_zip(&file.bytes, &options)?;
    // The entries are in memory now: gives the memory of the upload back.
    drop(form);
    let input = PublishInput {
        package: &package,
        // A private namespace has no other.
        namespace: fields.namespace.or_else(|| app.accounts.as_ref().map(|main| main.namespace.clone())),
        requested_name: fields.requested_name,
        on_namespace_conflict: NamespaceConflict::Refuse,
        version: fields.version,
        changelog: fields.changelog,
        tags: fields.tags,
        source_published_at: None,
        attestation: fields.attestation,
        wait_level: app.settings.wait_level,
        source: None,
        quotas: app.settings.quotas,
    };
    let mode = if fields.is_dry_run { PublishMode::DryRun } else { PublishMode::Commit };
    app.require_valid(&caller.credential)?;
    let mut done = app.registry.publish(caller, input, mode)?;
    done.reply.warnings.extend(package.portability(&done.reply.canonical_slug.slug));
    Ok(done)
}

#[cfg(test)]
mod tests;
