//! Multipart forms (RFC 7578), read while they arrive.

mod bare;
mod budget;
mod files;

use std::collections::{BTreeMap, BTreeSet};

use bytes::{Bytes, BytesMut};
use futures_util::StreamExt;
use headers::{ContentType, HeaderMapExt, Mime};
use hyper::HeaderMap;
use hyper::header::CONTENT_TYPE;
use multer::{Field, Multipart};
use registry::fair_share::Owner;

pub(crate) use self::bare::bare;
pub use self::budget::UploadBudget;
use self::budget::{BudgetedBody, Framing, Reservation};
pub(crate) use self::files::{FilesForm, files_form};
use crate::problem::{ErrorEntry, Problem};
use crate::request::Request;
use crate::request::body::{announced_length, refuse_coding};

/// The most bytes of a text field.
pub const MAX_TEXT_BYTES: usize = 64 << 10;
/// The most parts of a form.
pub const MAX_PARTS: usize = 32;
/// The name of the field that has the file.
pub const FILE: &str = "file";

/// A form.
#[derive(Debug, Default)]
pub struct Form {
    /// The field `file`.
    pub file: Option<Upload>,
    /// The other fields: the values by name, in the order of the form.
    pub fields: BTreeMap<&'static str, Vec<String>>,
}

/// The names of the text fields that a form may have.
#[derive(Debug, Clone, Copy)]
pub struct TextFields {
    /// Fields that may be there once.
    pub single: &'static [&'static str],
    /// Fields that may be there several times.
    pub repeatable: &'static [&'static str],
}

/// An uploaded file.
#[derive(Debug)]
pub struct Upload {
    /// The name that the client sent. Never use it as a path.
    pub filename: Option<String>,
    /// The content. It counts against the [`UploadBudget`] until the last clone or
    /// slice of it is dropped.
    pub bytes: Bytes,
}

/// Reads the body as a form with the field `file`, of at most `zip` bytes, and the
/// text fields in `allowed`, of at most [`MAX_TEXT_BYTES`] each. It takes its part of `budget` for
/// `owner`.
///
/// Errors: 415 for another type. 413 as soon as a limit is exceeded. 503 if `budget` is used
/// up. 400 for a malformed form, text that is not UTF-8, and unknown or repeated
/// fields; the errors list all of these fields.
pub async fn form(
    request: &mut Request,
    allowed: TextFields,
    zip: usize,
    budget: &UploadBudget,
    owner: &Owner,
) -> Result<Form, Problem> {
    let limit = zip + MAX_PARTS * MAX_TEXT_BYTES * 2;
    let mut reader =
        Reader { allowed, zip, form: Form::default(), seen: BTreeSet::new(), errors: Vec::new() };
    let reservation = read_parts(request, limit, budget.reserve(owner)?, &mut reader).await?;
    reader.finish(reservation)
}

/// Takes the parts of a form.
trait Parts {
    /// The most parts.
    fn max(&self) -> usize;
    /// The problem of a form with too many bytes in all.
    fn too_large(&self) -> Problem;
    /// Reads one part.
    async fn part(&mut self, field: Field<'_>) -> Result<(), Problem>;
}

/// Reads a form of at most `limit` bytes. Returns the part of the budget that its content has.
async fn read_parts(
    request: &mut Request,
    limit: usize,
    reservation: Reservation,
    parts: &mut impl Parts,
) -> Result<Reservation, Problem> {
    refuse_coding(&request.headers)?;
    let boundary = boundary(request)?;
    if announced_length(&request.headers).is_some_and(|length| length > limit as u64) {
        return Err(parts.too_large());
    }
    let framing = Framing::default();
    let mut body = BudgetedBody::new(&mut request.body, reservation, framing.clone(), limit);
    let read = {
        // Without multer's own limits: `body` limits the stream, and `collect` the
        // parts, where an error can name the part.
        let multipart = Multipart::new(&mut body, boundary);
        read_each(multipart, &framing, parts).await
    };
    if read.is_ok() {
        // Reads the end of the framing, so that the connection can be used again.
        framing.start();
        while let Some(Ok(_)) = body.next().await {}
    }
    match (body.stop, read) {
        (Some(stop), Err(_)) => Err(stop.into()),
        (_, Err(problem)) => Err(problem),
        (_, Ok(())) => Ok(body.reservation.keep()),
    }
}

async fn read_each(
    mut multipart: Multipart<'_>,
    framing: &Framing,
    parts: &mut impl Parts,
) -> Result<(), Problem> {
    for read in 0.. {
        framing.start();
        let Some(field) = multipart.next_field().await.map_err(|error| malformed(&error))? else { break };
        framing.stop();
        if read == parts.max() {
            return Err(Problem::invalid(format!("A form may have at most {} parts.", parts.max())));
        }
        parts.part(field).await?;
    }
    Ok(())
}

/// Whether a body is a form.
pub(crate) fn is_form(headers: &HeaderMap) -> bool {
    let kind = headers.typed_get::<ContentType>().map(Mime::from);
    kind.is_some_and(|mime| mime.essence_str() == "multipart/form-data")
}

fn boundary(request: &Request) -> Result<String, Problem> {
    let value = request.headers.get(CONTENT_TYPE).and_then(|v| v.to_str().ok()).unwrap_or_default();
    multer::parse_boundary(value).map_err(|error| match error {
        multer::Error::NoBoundary => Problem::invalid("The Content-Type of the form has no boundary."),
        _ => Problem::unsupported_media_type("Send a form: `Content-Type: multipart/form-data`."),
    })
}

fn too_large(zip: usize) -> Problem {
    Problem::too_large(format!("The file may have at most {zip} bytes: make the zip smaller."))
}

fn malformed(error: &multer::Error) -> Problem {
    let why = match error {
        multer::Error::IncompleteStream | multer::Error::IncompleteFieldData { .. } => {
            "it ends before its last boundary"
        }
        multer::Error::StreamReadFailed(_) => "it broke off",
        _ => "the headers of a part cannot be read",
    };
    Problem::invalid(format!("The form is malformed: {why}."))
}

struct Reader {
    allowed: TextFields,
    zip: usize,
    form: Form,
    seen: BTreeSet<String>,
    errors: Vec<ErrorEntry>,
}

impl Parts for Reader {
    fn max(&self) -> usize {
        MAX_PARTS
    }

    fn too_large(&self) -> Problem {
        too_large(self.zip)
    }

    /// Reads one part. Reading goes on after an unknown or repeated field, so that
    /// the errors list all of them.
    async fn part(&mut self, field: Field<'_>) -> Result<(), Problem> {
        let Some(name) = field.name().map(str::to_owned) else {
            return Err(Problem::invalid("A part of the form has no name."));
        };
        let filename = field.file_name().map(str::to_owned);
        let TextFields { single, repeatable } = self.allowed;
        let text_name = single.iter().chain(repeatable).copied().find(|allowed| *allowed == name);
        let limit = if name == FILE { self.zip } else { MAX_TEXT_BYTES };
        let bytes = collect(field, limit).await?.ok_or_else(|| match &*name {
            FILE => too_large(self.zip),
            _ => Problem::too_large(format!("The field {name:?} may have at most {MAX_TEXT_BYTES} bytes.")),
        })?;
        if !self.seen.insert(name.clone()) && !repeatable.contains(&&*name) {
            self.refuse("duplicate_field", name, "This field was sent more than once.");
        } else if name == FILE {
            self.form.file = Some(Upload { filename, bytes });
        } else if let Some(known) = text_name {
            match String::from_utf8(bytes.into()) {
                Ok(text) => self.form.fields.entry(known).or_default().push(text),
                Err(_) => self.refuse("invalid_field", name, "This field is not UTF-8."),
            }
        } else {
            self.refuse("unknown_field", name, "This form has no such field; send the zip in `file`.");
        }
        Ok(())
    }
}

impl Reader {
    fn refuse(&mut self, code: &'static str, field: String, message: &str) {
        self.errors.push(ErrorEntry::field(code, field, message));
    }

    fn finish(mut self, reservation: Reservation) -> Result<Form, Problem> {
        if !self.errors.is_empty() {
            let names: Vec<_> = self.errors.iter().filter_map(|e| e.field.as_deref()).collect();
            let detail = format!("These fields of the form are invalid: {}.", names.join(", "));
            return Err(Problem::invalid(detail).with_errors(self.errors));
        }
        if let Some(upload) = &mut self.form.file {
            let bytes = std::mem::take(&mut upload.bytes);
            upload.bytes = Bytes::from_owner(BudgetedBytes { bytes, _reservation: reservation });
        }
        Ok(self.form)
    }
}

/// The bytes of a part; `None` if they exceed `limit`.
async fn collect(mut field: Field<'_>, limit: usize) -> Result<Option<Bytes>, Problem> {
    let mut bytes = BytesMut::new();
    while let Some(chunk) = field.chunk().await.map_err(|error| malformed(&error))? {
        if bytes.len() + chunk.len() > limit {
            return Ok(None);
        }
        bytes.extend_from_slice(&chunk);
    }
    Ok(Some(bytes.freeze()))
}

/// Bytes that give their part of the budget back when they are dropped.
struct BudgetedBytes {
    bytes: Bytes,
    _reservation: Reservation,
}

impl AsRef<[u8]> for BudgetedBytes {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

#[cfg(test)]
mod tests;
