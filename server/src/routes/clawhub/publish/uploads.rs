//! Uploads of single files: a client announces each file, sends its bytes, and then publishes all of
//! them with one request.

use std::sync::Arc;
use std::time::Duration;

use registry::local::{LocalStore, UploadFolder};
use registry::names::Digest;
use registry::package::PackagePath;
use registry::time::Timestamp;
use serde_json::json;

use super::super::super::prelude::*;
use super::super::body;
use super::tickets::{Announced, Full, TICKET_TTL, TicketLimits, Tickets};
use crate::app::{App, Settings};
use crate::request::body::announced_length;
use crate::request::multipart::bare;

/// The most files that all people together have announced.
const MAX_FILES: usize = 100_000;

/// The uploads that wait for their publication.
pub(crate) struct Uploads {
    pub(super) tickets: Tickets,
    /// Created by the first upload.
    folder: parking_lot::Mutex<Option<Arc<UploadFolder>>>,
}

impl Uploads {
    pub(crate) fn new(settings: &Settings) -> Self {
        let package = &settings.package;
        // One publication, and as much again for one that was refused.
        let (person_bytes, person_files) = (2 * package.unpacked, 2 * package.files);
        let bytes = (settings.http.uploads_total as u64).max(person_bytes);
        let limits = TicketLimits { person_bytes, person_files, bytes, files: MAX_FILES.max(person_files) };
        Self { tickets: Tickets::new(limits), folder: parking_lot::Mutex::default() }
    }

    fn folder(&self, local: &LocalStore) -> Result<Arc<UploadFolder>, Problem> {
        let mut folder = self.folder.lock();
        if let Some(folder) = &*folder {
            return Ok(Arc::clone(folder));
        }
        Ok(Arc::clone(folder.insert(Arc::new(local.upload_folder()?))))
    }
}

/// Removes what nobody has published in time, for as long as it is polled.
pub(crate) async fn remove_expired(app: Arc<App>) {
    loop {
        tokio::time::sleep(Duration::from_secs(60)).await;
        let app = Arc::clone(&app);
        // A panic is logged by the panic hook.
        let _ =
            tokio::task::spawn_blocking(move || app.file_uploads.tickets.remove_expired(Timestamp::now()))
                .await;
    }
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
    let announced = Announced { person, path, size, sha256 };
    let ticket =
        call.app.file_uploads.tickets.announce(announced, Timestamp::now()).map_err(Problem::internal)?;
    let ticket = ticket.map_err(|full| match full {
        // Final for the client, which would try again at once otherwise.
        Full::OfPerson => Problem::conflict(
            "Your uploads that are not published yet are too many or too large: wait 15 minutes, or make the skill smaller.",
        ),
        Full::OfAll => Problem::unavailable("Too many uploads wait to be published: try again later.", TICKET_TTL),
    })?;
    let url = format!("{}/clawhub/api/v1/skills/-/uploads/{ticket}", call.app.settings.public_url);
    json(StatusCode::OK, &json!({ "uploadUrl": url, "uploadTicket": ticket }))
}

/// Takes the bytes of a file. The ticket in the address is not a credential: the token is needed, too.
pub(super) async fn store(mut call: Call) -> Result<Response, Problem> {
    let app = Arc::clone(&call.app);
    let person = call.caller()?.handle()?.clone();
    let _place = app.upload_places.take(&person)?;
    let ticket = call.params.get("ticket").unwrap_or_default().to_owned();
    let file = app.file_uploads.tickets.file(&ticket, &person, Timestamp::now());
    let Announced { path, size, sha256, .. } = file.ok_or_else(|| {
        Problem::not_found("This upload has expired, or was announced by somebody else: publish again.")
    })?;
    let other_size = || {
        Problem::invalid(format!("The file {path} does not have the announced {size} bytes: publish again."))
    };
    if announced_length(&call.request.headers).is_some_and(|length| length != size) {
        return Err(other_size());
    }
    let limit = usize::try_from(size).map_err(Problem::internal)?;
    let bytes = bare(&mut call.request, limit, &app.uploads).await?;
    if bytes.len() != limit {
        return Err(other_size());
    }
    let changed = format!(
        "The file {path} does not have the announced sha256: it changed on the way, so publish again."
    );
    blocking(move || {
        if Digest::of(&bytes) != sha256 {
            return Err(Problem::invalid(changed));
        }
        let upload = app.file_uploads.folder(&app.local)?.store(&bytes)?;
        app.file_uploads.tickets.store(&ticket, upload);
        Ok(())
    })
    .await?;
    json(StatusCode::OK, &json!({ "storageId": sha256 }))
}
