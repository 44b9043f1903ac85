//! Uploads of single files: a client announces each file, sends its bytes, and then publishes all of
//! them with one request.

use std::sync::Arc;

use registry::fair_share::Owner;
use registry::local::{AnnouncedFile, FileUploadLimits, StoredContent, UPLOAD_TTL, UploadsFull};
use registry::names::Digest;
use registry::package::PackagePath;
use registry::time::Timestamp;
use serde_json::json;

use super::super::super::prelude::*;
use super::super::body;
use crate::app::Settings;
use crate::request::body::announced_length;
use crate::request::multipart::bare;

/// The most files that all people together have announced.
const MAX_FILES: u64 = 100_000;

/// The limits on announced files.
fn limits(settings: &Settings) -> FileUploadLimits {
    let package = &settings.package;
    // One publication, and as much again for one that was refused.
    let (person_bytes, person_files) = (2 * package.unpacked, 2 * package.files as u64);
    let bytes = (settings.http.uploads_total as u64).max(person_bytes);
    FileUploadLimits { person_bytes, person_files, bytes, files: MAX_FILES.max(person_files) }
}

/// The fields of a file that a client describes.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct FileEntry {
    pub(super) path: String,
    pub(super) size: u64,
    pub(super) sha256: Digest,
    #[serde(default)]
    pub(super) storage_id: Option<String>,
    #[serde(default)]
    pub(super) upload_ticket: Option<String>,
}

/// Makes a ticket for a file.
pub(super) async fn announce(mut call: Call) -> Result<Response, Problem> {
    let limit = call.app.settings.http.json;
    let FileEntry { path, size, sha256, .. } = body::read(&mut call, limit).await?;
    let valid = PackagePath::parse(&path);
    valid
        .map_err(|finding| Problem::invalid(format!("The path {path:?} is refused: {}.", finding.message)))?;
    let limit = call.app.settings.package.file;
    if size > limit {
        let detail = format!("The file {path} has more than {limit} bytes: shorten it or leave it out.");
        return Err(Problem::too_large(detail));
    }
    let person = call.caller()?.handle()?.clone();
    let (announced, limits) = (AnnouncedFile { person, path, size, sha256 }, limits(&call.app.settings));
    let local = Arc::clone(&call.app.local);
    let ticket = blocking(move || Ok(local.announce_file(&announced, limits, Timestamp::now())?)).await?;
    let ticket = ticket.map_err(|why| match why {
        // Final for the client, which would try again at once otherwise.
        UploadsFull::OfPerson => Problem::conflict(
            "Your uploads that are not published yet are too many or too large: wait 15 minutes, or make the skill smaller.",
        ),
        UploadsFull::OfAll => no_room(),
    })?;
    let url = format!("{}/clawhub/api/v1/skills/-/uploads/{ticket}", call.app.settings.public_url);
    json(StatusCode::OK, &json!({ "uploadUrl": url, "uploadTicket": ticket }))
}

/// Takes the bytes of a file. The ticket in the address is not a credential: the token is needed, too.
pub(super) async fn store(mut call: Call) -> Result<Response, Problem> {
    let app = Arc::clone(&call.app);
    let person = call.caller()?.handle()?.clone();
    let _place = app.upload_places.take(&person)?;
    let owner = Owner::of_person(&person);
    let ticket = call.params.get("ticket").unwrap_or_default().to_owned();
    let (local, asked) = (Arc::clone(&app.local), ticket.clone());
    let file = blocking(move || Ok(local.announced_file(&asked, &person, Timestamp::now())?)).await?;
    let AnnouncedFile { path, size, sha256, .. } = file.ok_or_else(ended)?;
    let other_size = || {
        Problem::invalid(format!("The file {path} does not have the announced {size} bytes: publish again."))
    };
    if announced_length(&call.request.headers).is_some_and(|length| length != size) {
        return Err(other_size());
    }
    let limit = usize::try_from(size).map_err(Problem::internal)?;
    let bytes = bare(&mut call.request, limit, &app.uploads, &owner).await?;
    if bytes.len() != limit {
        return Err(other_size());
    }
    let changed = format!(
        "The file {path} does not have the announced sha256: it changed on the way, so publish again."
    );
    let max = limits(&app.settings).bytes;
    blocking(move || {
        if Digest::of(&bytes) != sha256 {
            return Err(Problem::invalid(changed));
        }
        match app.local.store_file(&ticket, &bytes, max)? {
            StoredContent::Stored => Ok(()),
            StoredContent::Unknown => Err(ended()),
            StoredContent::Full => Err(no_room()),
        }
    })
    .await?;
    json(StatusCode::OK, &json!({ "storageId": sha256 }))
}

fn no_room() -> Problem {
    Problem::unavailable("Too many uploads wait to be published: try again later.", UPLOAD_TTL)
}

fn ended() -> Problem {
    Problem::not_found(
        "This upload has expired, made room for those of others, or was announced by somebody else: publish again.",
    )
}
