//! Publishing with `apm publish`, by version 1 of its registry protocol. It reads documents of the tree.

use registry::names::{Coordinate, Version};
use serde_json::json as object;

use super::*;
use crate::request::multipart::{Upload, bare};

pub(super) fn route() -> Route {
    put("/api/apm/v1/packages/{namespace}/{slug}/versions/{version}", PUBLISH, publish).undescribed()
}

/// Publishes a zip as the version of the path. 201 if it is published, 202 if it waits for review. A version
/// never changes, so one that exists is 409, even with the same content.
async fn publish(mut call: Call) -> Result<Response, Problem> {
    let app = Arc::clone(&call.app);
    let person = call.caller()?.handle()?.clone();
    let Coordinate { namespace, slug } = call.skill()?;
    let version: Version = call.param("version")?;
    let _place = app.upload_places.take(&person)?;
    let owner = Owner::of_person(&person);
    let bytes = bare(&mut call.request, app.settings.http.zip, &app.uploads, &owner).await?;
    let file = Some(Upload { filename: None, bytes });
    let form = Form { file, ..Form::default() };
    let read = TolerantVersion { version: version.clone(), repaired: false };
    let fields = Fields {
        attestation: None,
        namespace: Some(namespace.clone()),
        requested_name: Some(RequestedName { namespace: Some(namespace), slug }),
        version: Some((read, version.to_string())),
        changelog: String::new(),
        tags: Vec::new(),
        is_dry_run: false,
        allowed_files: Vec::new(),
    };
    let publication =
        in_turn(&call, move |app, caller| unpack_and_publish(app, caller, form, fields)).await?;
    let reply = &publication.done.reply;
    let c = &reply.canonical_slug;
    // The answer to a version that waits is the same again: the first one may have been lost.
    if !reply.is_new && publication.is_published() {
        let detail =
            format!("Conflict: {c} has a version {version}, which never changes: publish another version.");
        return Err(Problem::conflict(detail));
    }
    let published = app.registry.read(|catalog| {
        let entry = catalog.public.skill(c)?.version(&reply.version)?;
        Some(entry.published_at)
    });
    let status = if published.is_some() { StatusCode::CREATED } else { StatusCode::ACCEPTED };
    let body = object!({
        "package": format!("{}/{}", c.namespace, c.slug),
        "version": reply.version,
        "digest": format!("sha256:{}", reply.sha256),
        "published_at": published,
        "size_bytes": reply.package_size,
    });
    publication.finish(&call, json(status, &body)?).await
}
