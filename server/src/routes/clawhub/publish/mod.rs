//! Publishing: a form with all files, or uploads of single files and a request that names them.
//!
//! The namespace is in the slug (`team--x`), otherwise it is `global`. The package is made of the files
//! and published like every other one.

mod payload;
mod uploads;

use std::sync::Arc;

use registry::Committed;
use registry::api::private::PublishReply;
use registry::data_fault::json_fault;
use registry::fair_share::Owner;
use registry::ops::publish::NamespaceConflict;
use registry::package::{LooseFile, Package, ReadOptions, RequestedName, Strictness};
use registry::publishing::{PublishInput, PublishMode};
use serde_json::{Value, json};

use self::payload::{Payload, Wanted};
use super::super::prelude::*;
use super::super::publish::in_turn;
use super::body;
use crate::app::App;
use crate::request::multipart::{FilesForm, files_form, is_form};

pub(super) fn routes() -> [Route; 3] {
    [
        post("/clawhub/api/v1/skills", PUBLISH, publish),
        post("/clawhub/api/v1/skills/-/upload-url", PUBLISH, uploads::announce),
        post("/clawhub/api/v1/skills/-/uploads", PUBLISH, uploads::keep),
    ]
}

async fn publish(mut call: Call) -> Result<Response, Problem> {
    let _place = call.app.upload_places.take(call.caller()?.handle()?)?;
    match is_form(&call.request.headers) {
        true => publish_form(&mut call).await,
        false => publish_uploads(&mut call).await,
    }
}

async fn publish_form(call: &mut Call) -> Result<Response, Problem> {
    let app = Arc::clone(&call.app);
    let owner = Owner::of_person(call.caller()?.handle()?);
    let mut form = files_form(&mut call.request, &app.settings.package, &app.uploads, &owner).await?;
    let payload =
        form.payload.take().ok_or_else(|| Problem::missing_field("payload", "send what to publish in it"))?;
    let payload: Payload = serde_json::from_str(&payload).map_err(|error| {
        Problem::invalid(format!("The field `payload` is malformed: {}.", json_fault(&error)))
    })?;
    let wanted = admit(call, &payload)?;
    publish_files(call, wanted, move |_| {
        // The form also holds the memory of its files until they are in the package.
        let FilesForm { files, .. } = &mut form;
        Ok(std::mem::take(files).into_iter().map(|(path, content)| loose(path, content.into())).collect())
    })
    .await
}

/// Bytes of a request to publish for each file that it names.
const MAX_ENTRY_BYTES: usize = 4 << 10;

async fn publish_uploads(call: &mut Call) -> Result<Response, Problem> {
    let settings = &call.app.settings;
    let limit = settings.http.json + settings.package.files * MAX_ENTRY_BYTES;
    let payload: Payload = body::read(call, limit).await?;
    let wanted = admit(call, &payload)?;
    let person = call.caller()?.handle()?.clone();
    publish_files(call, wanted, move |app| uploads::read(app, &person, payload.files)).await
}

/// Refuses a payload that names another owner, before its files are read.
fn admit(call: &Call, payload: &Payload) -> Result<Wanted, Problem> {
    let wanted = payload.wanted()?;
    call.read(|catalog| payload.check_owner(catalog, &wanted.skill, call.caller()?.handle()?))?;
    Ok(wanted)
}

fn loose(path: String, content: Vec<u8>) -> LooseFile {
    // The clients neither send nor restore modes.
    LooseFile { path, executable: false, content }
}

/// Makes a package of the files and publishes it.
async fn publish_files(
    call: &Call,
    wanted: Wanted,
    load: impl FnOnce(&App) -> Result<Vec<LooseFile>, Problem> + Send + 'static,
) -> Result<Response, Problem> {
    let publication = in_turn(call, move |app, caller| commit(app, caller, load(app)?, wanted)).await?;
    let response = json(StatusCode::OK, &answer(&publication.done.reply))?;
    publication.finish(call, response).await
}

fn commit(
    app: &App,
    caller: &registry::Caller,
    files: Vec<LooseFile>,
    wanted: Wanted,
) -> Result<Committed<PublishReply>, Problem> {
    let options = ReadOptions {
        source_name: None,
        strictness: Strictness::Strict,
        limits: &app.settings.package,
        allowed_files: &[],
    };
    let package = Package::from_files(files, &options)?;
    let Wanted { skill, version, changelog, tags } = wanted;
    let requested = RequestedName { namespace: Some(skill.namespace.clone()), slug: skill.slug };
    let input = PublishInput {
        package: &package,
        namespace: Some(skill.namespace),
        requested_name: Some(requested),
        on_namespace_conflict: NamespaceConflict::Refuse,
        version,
        changelog,
        tags,
        source_published_at: None,
        attestation: None,
        wait_level: app.settings.wait_level,
        source: None,
        quotas: app.settings.quotas,
    };
    app.require_valid(&caller.credential)?;
    Ok(app.registry.publish(caller, input, PublishMode::Commit)?)
}

fn answer(reply: &PublishReply) -> Value {
    let (skill, version) = (reply.skill_id, reply.version_id);
    let status = if reply.review_id.is_some() { "pending" } else { "published" };
    let mut answer = json!({
        "ok": true, "skillId": skill, "versionId": version, "publicationStatus": status, "status": status,
        "slug": reply.canonical_slug, "version": reply.version,
    });
    if let Some(review) = reply.review_id {
        answer["attemptId"] = review.to_string().into();
    }
    answer
}
