//! Publishing: a form with all files, or uploads of single files and a request that names them.
//!
//! The namespace is in the slug (`team--x`), otherwise it is `global`. The package is made of the files
//! and published like every other one.

mod payload;
mod uploads;

use std::sync::Arc;

use registry::Committed;
use registry::data_fault::json_fault;
use registry::fair_share::Owner;
use registry::local::{AnnouncedFile, CollectedFiles, LocalStore, UnusableTicket};
use registry::names::Handle;
use registry::ops::publish::{NamespaceConflict, PublishReply};
use registry::package::{LooseFile, Package, ReadOptions, RequestedName, Strictness};
use registry::publishing::{PublishInput, PublishMode};
use registry::time::Timestamp;
use serde_json::{Value, json};

use self::payload::{Payload, Wanted};
use super::super::prelude::*;
use super::super::publish::{Publication, in_turn};
use super::body;
use crate::app::App;
use crate::request::multipart::{FilesForm, files_form, is_form};
use crate::security::auth::require_session;

pub(super) fn routes() -> [Route; 3] {
    [
        post("/clawhub/api/v1/skills", PUBLISH, publish),
        post("/clawhub/api/v1/skills/-/upload-url", PUBLISH, uploads::announce),
        post("/clawhub/api/v1/skills/-/uploads/{ticket}", PUBLISH, uploads::store),
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
    let load = move || {
        let FilesForm { files, .. } = &mut form;
        let loose = |(path, content): (String, bytes::Bytes)| loose(path, content.into());
        Ok(std::mem::take(files).into_iter().map(loose).collect())
    };
    let (response, publication) = publish_files(call, wanted, load).await?;
    publication.finish(call, response).await
}

/// Bytes of a request to publish for each file that it names.
const MAX_ENTRY_BYTES: usize = 4 << 10;

async fn publish_uploads(call: &mut Call) -> Result<Response, Problem> {
    let app = Arc::clone(&call.app);
    let limit = app.settings.http.json + app.settings.package.files * MAX_ENTRY_BYTES;
    let payload: Payload = body::read(call, limit).await?;
    let wanted = admit(call, &payload)?;
    let files = tickets_of(payload, call.caller()?.handle()?)?;
    let local = Arc::clone(&app.local);
    let (files, collected) = blocking(move || {
        let collected = local.collect_files(&files, Timestamp::now())?;
        Ok((files, collected))
    })
    .await?;
    if let CollectedFiles::Published(answer) = collected.map_err(unusable)? {
        let answer: Value = serde_json::from_str(&answer).map_err(Problem::internal)?;
        return match wanted.is_answered_by(&answer) {
            true => json(StatusCode::OK, &answer),
            false => Err(Problem::conflict("These uploads were published as something else: publish again.")),
        };
    }
    let tickets: Vec<_> = files.iter().map(|(ticket, _)| ticket.clone()).collect();
    let local = Arc::clone(&app.local);
    let load = move || files.into_iter().map(|(ticket, file)| read(&local, &ticket, file.path)).collect();
    let (response, publication) = publish_files(call, wanted, load).await?;
    let reply = answer(&publication.done.reply).to_string();
    let finish = move || Ok(app.local.finish_files(tickets.iter().map(String::as_str), &reply)?);
    // The skill is published. After an error, which is logged, its files wait until they expire.
    let _ = blocking(finish).await;
    publication.finish(call, response).await
}

fn unusable((path, why): (String, UnusableTicket)) -> Problem {
    Problem::invalid(match why {
        UnusableTicket::Unknown => {
            format!("The upload of {path} has expired or is that of another file: publish again.")
        }
        UnusableTicket::NotStored => format!("The file {path} was not uploaded: publish again."),
    })
}

/// Reads the content of a file from the local data.
fn read(local: &LocalStore, ticket: &str, path: String) -> Result<LooseFile, Problem> {
    match local.uploaded_file(ticket)? {
        Some(content) => Ok(loose(path, content)),
        None => Err(unusable((path, UnusableTicket::Unknown))),
    }
}

/// The tickets of the files, and what they have to be for.
fn tickets_of(payload: Payload, person: &Handle) -> Result<Vec<(String, AnnouncedFile)>, Problem> {
    let files = payload.files.into_iter().map(|entry| {
        let uploads::FileEntry { path, size, sha256, storage_id, upload_ticket } = entry;
        // A storage id is the sha256 of its file.
        if storage_id.is_some_and(|id| id != sha256.to_string()) {
            return Err(Problem::invalid(format!(
                "The upload of {path} is that of another file: publish again."
            )));
        }
        let ticket = upload_ticket.ok_or_else(|| {
            Problem::invalid(format!(
                "The file {path} has no `uploadTicket`: ask for one at skills/-/upload-url."
            ))
        })?;
        Ok((ticket, AnnouncedFile { person: person.clone(), path, size, sha256 }))
    });
    files.collect()
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
    load: impl FnOnce() -> Result<Vec<LooseFile>, Problem> + Send + 'static,
) -> Result<(Response, Publication), Problem> {
    let publication = in_turn(call, move |app, caller| commit(app, caller, load()?, wanted)).await?;
    let response = json(StatusCode::OK, &answer(&publication.done.reply))?;
    Ok((response, publication))
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
        quotas: app.settings.quotas,
    };
    require_session(&app.registry, &app.local, &caller.credential)?;
    Ok(app.registry.publish(caller, input, PublishMode::Commit)?)
}

fn answer(reply: &PublishReply) -> Value {
    let (skill, version) = reply.ids();
    let status = if reply.review_id().is_some() { "pending" } else { "published" };
    let mut answer = json!({
        "ok": true, "skillId": skill, "versionId": version, "publicationStatus": status, "status": status,
        "slug": reply.coordinate(), "version": reply.version(),
    });
    if let Some(review) = reply.review_id() {
        answer["attemptId"] = review.to_string().into();
    }
    answer
}
