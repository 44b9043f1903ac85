//! A package comes in.

use std::sync::Arc;

use hyper::StatusCode;
use registry::access::Access;
use registry::journal::Revision;
use registry::names::{Coordinate, Namespace, TagName, TolerantVersion};
use registry::ops::publish::{NamespaceConflict, PublishReply};
use registry::package::{Package, ReadOptions, RequestedName, Strictness};
use registry::publishing::{PublishInput, PublishMode};
use registry::{Committed, Registry};

use super::fields::parse_field;
use crate::Response;
use crate::auth::Caller;
use crate::multipart::{self, Form};
use crate::problem::Problem;
use crate::reply::{
    Receipt, blocking, check_again, json, reply_with_revision, require_session, wait_for_tree,
};
use crate::request::Request;
use crate::state::App;

/// The fields of the form besides the file.
pub(crate) const FIELDS: &[&str] = &["namespace", "slug", "version", "changelog", "tags", "dryRun"];

/// The form's fields, read.
struct Fields {
    namespace: Option<Namespace>,
    requested_name: Option<RequestedName>,
    version: Option<(TolerantVersion, String)>,
    changelog: String,
    tags: Vec<TagName>,
    dry_run: bool,
}

impl Fields {
    fn read(form: &Form) -> Result<Self, Problem> {
        let get = |name: &str| form.fields.get(name).map(String::as_str);
        let read = |text: &str| Ok::<_, Problem>((parse_field("version", text)?, text.to_owned()));
        let version = get("version").map(read);
        let tags = get("tags").map(|list| {
            list.split(',')
                .map(|tag| parse_field("tags", tag.trim()))
                .collect::<Result<Vec<TagName>, Problem>>()
        });
        Ok(Self {
            namespace: get("namespace").map(|text| parse_field("namespace", text)).transpose()?,
            requested_name: get("slug").map(claim).transpose()?,
            version: version.transpose()?,
            changelog: get("changelog").unwrap_or_default().to_owned(),
            tags: tags.transpose()?.unwrap_or_default(),
            dry_run: match get("dryRun") {
                None | Some("false") => false,
                Some("true") => true,
                Some(_) => return Err(Problem::invalid_field("dryRun", "it must be true or false")),
            },
        })
    }
}

/// A slug, or a canonical slug with its namespace.
fn claim(text: &str) -> Result<RequestedName, Problem> {
    if text.contains("--") {
        let Coordinate { namespace, slug } = parse_field("slug", text)?;
        return Ok(RequestedName { namespace: Some(namespace), slug });
    }
    Ok(RequestedName { namespace: None, slug: parse_field("slug", text)? })
}

/// `POST /api/v1/publish`.
pub async fn handle(app: &Arc<App>, caller: &Caller, mut request: Request) -> Result<Response, Problem> {
    let form = multipart::form(&mut request, FIELDS, app.settings.http.zip, &app.uploads).await?;
    let fields = Fields::read(&form)?;
    if form.file.is_none() {
        return Err(Problem::missing_field("file", "send the zip of the skill in it"));
    }
    let asked = fields.namespace.as_ref().or_else(|| fields.requested_name.as_ref()?.namespace.as_ref());
    if let Some(namespace) = asked {
        may_publish(app, caller, namespace).await?;
    }
    let (by, at, is_rehearsal) = (caller.of(&request), Arc::clone(app), fields.dry_run);
    // Until then the upload is held as it came, and counted.
    let turn = Arc::clone(&app.unpacking).acquire_owned().await.map_err(Problem::internal)?;
    let (done, published_at) = blocking(move || {
        let done = accept(&at, &by, form, fields);
        drop(turn);
        done.map(|done| {
            let published_at = published(&at, &done.reply);
            (done, published_at)
        })
    })
    .await?;
    if done.revision.is_some() {
        return Ok(
            reply_with_revision(app, Receipt::from(&done), json(StatusCode::CREATED, &done.reply)?).await
        );
    }
    let response = json(StatusCode::OK, &done.reply)?;
    // Whoever repeats a publication relies on it like the first one did.
    match published_at.filter(|_| !is_rehearsal) {
        Some(revision) => Ok(wait_for_tree(app, revision, response).await),
        None => Ok(response),
    }
}

/// Refuses whom the namespace refuses, before any work is done for them.
async fn may_publish(app: &Arc<App>, caller: &Caller, namespace: &Namespace) -> Result<(), Problem> {
    let (actor, namespace) = (caller.actor.clone(), namespace.clone());
    let check = move |registry: &Registry| {
        registry.read(|catalog| {
            if catalog.namespace(&namespace).is_none() {
                let detail =
                    format!("There is no namespace `{namespace}`: make it first, or check its name.");
                return Err(Problem::not_found(detail));
            }
            Ok(Access::of(catalog, &actor).publish(&namespace).map(drop)?)
        })
    };
    check_again(app, check).await
}

/// The revision that made a version public; None while it waits for review.
fn published(app: &App, reply: &PublishReply) -> Option<Revision> {
    app.registry.read(|catalog| {
        let skill = catalog.public.skill(reply.coordinate())?;
        skill.version(reply.version()).map(|version| version.revision)
    })
}

/// Validates the package and hands it to the registry.
fn accept(
    app: &App,
    by: &registry::Caller,
    form: Form,
    fields: Fields,
) -> Result<Committed<PublishReply>, Problem> {
    let Some(file) = &form.file else { return Err(Problem::internal("a form without its file")) };
    let name = file.filename.as_deref().map(|name| name.strip_suffix(".zip").unwrap_or(name));
    let options =
        ReadOptions { source_name: name, strictness: Strictness::Strict, limits: &app.settings.package };
    let package = Package::from_zip(&file.bytes, &options)?;
    // From here on the upload is held as its entries; its bytes are of no use.
    drop(form);
    let incoming = PublishInput {
        package: &package,
        namespace: fields.namespace,
        requested_name: fields.requested_name,
        on_namespace_conflict: NamespaceConflict::Refuse,
        version: fields.version,
        changelog: fields.changelog,
        tags: fields.tags,
        source_published_at: None,
    };
    let mode = if fields.dry_run { PublishMode::DryRun } else { PublishMode::Commit };
    require_session(app, by)?;
    Ok(app.registry.publish(by, incoming, mode)?)
}

#[cfg(test)]
mod tests;
