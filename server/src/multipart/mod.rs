//! Multipart forms (RFC 7578), read as they arrive.

mod budget;

use std::collections::{BTreeMap, BTreeSet};

use bytes::{Bytes, BytesMut};
use futures_util::StreamExt;
use hyper::header::CONTENT_TYPE;
use multer::{Field, Multipart};

pub use self::budget::UploadBudget;
use self::budget::{Framing, Held, Paid};
use crate::body::{announced, refuse_coding};
use crate::problem::{ErrorEntry, Problem};
use crate::request::Request;

/// Bytes of a text field.
pub const TEXT_LIMIT: usize = 64 << 10;
/// Parts of a form.
pub const PARTS_LIMIT: usize = 32;
/// The name of the one field that holds a file.
pub const FILE: &str = "file";

/// A form, read whole.
#[derive(Debug, Default)]
pub struct Form {
    /// The field `file`.
    pub file: Option<Upload>,
    /// The other fields that were sent, by name.
    pub fields: BTreeMap<&'static str, String>,
}

/// An uploaded file.
#[derive(Debug)]
pub struct Upload {
    /// The name the client gave it. Never a path to use.
    pub filename: Option<String>,
    /// Its bytes. They count against the [`UploadBudget`] until the last clone
    /// or slice of them is dropped.
    pub bytes: Bytes,
}

/// Reads the body as a form with the field `file`, of at most `zip` bytes, and
/// the text fields of `allowed`, of at most [`TEXT_LIMIT`] bytes each.
///
/// # Errors
///
/// 415 for what is no multipart form; 413 in mid-stream over a limit; 503 when
/// nothing of `budget` is left; 400 for a broken form, text that is not UTF-8, and
/// unknown or repeated fields: all of them are named.
pub async fn form(
    request: &mut Request,
    allowed: &[&'static str],
    zip: usize,
    budget: &UploadBudget,
) -> Result<Form, Problem> {
    refuse_coding(&request.headers)?;
    let boundary = boundary(request)?;
    let limit = zip + PARTS_LIMIT * TEXT_LIMIT * 2;
    let announced = announced(&request.headers);
    if announced.is_some_and(|length| length > limit as u64) {
        return Err(too_large(zip));
    }
    let framing = Framing::default();
    let mut paid = Paid::new(&mut request.body, budget.hold()?, framing.clone(), limit);
    let mut reader =
        Reader { allowed, zip, form: Form::default(), seen: BTreeSet::new(), errors: Vec::new() };
    let read = {
        // multer's own limits stay off: the stream is bounded before it, and
        // the parts after it, where a refusal can say which one it is.
        let multipart = Multipart::new(&mut paid, boundary);
        reader.read(multipart, &framing).await
    };
    if read.is_ok() {
        // The framing's last bytes: a body that is read to its end keeps its connection.
        framing.start();
        while let Some(Ok(_)) = paid.next().await {}
    }
    match (paid.stop, read) {
        (Some(stop), Err(_)) => Err(stop.into()),
        (_, Err(problem)) => Err(problem),
        (_, Ok(())) => reader.finish(paid.held),
    }
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

fn broken(error: &multer::Error) -> Problem {
    Problem::invalid(format!("The form is broken: {error}."))
}

struct Reader<'a> {
    allowed: &'a [&'static str],
    zip: usize,
    form: Form,
    seen: BTreeSet<String>,
    errors: Vec<ErrorEntry>,
}

impl Reader<'_> {
    async fn read(&mut self, mut multipart: Multipart<'_>, framing: &Framing) -> Result<(), Problem> {
        for parts in 0.. {
            framing.start();
            let Some(field) = multipart.next_field().await.map_err(|error| broken(&error))? else { break };
            framing.stop();
            if parts == PARTS_LIMIT {
                return Err(Problem::invalid(format!("A form may have at most {PARTS_LIMIT} parts.")));
            }
            self.part(field).await?;
        }
        Ok(())
    }

    /// Reads one part. Parts that are refused are read over, so that the
    /// refusal names all of them.
    async fn part(&mut self, field: Field<'_>) -> Result<(), Problem> {
        let Some(name) = field.name().map(str::to_owned) else {
            return Err(Problem::invalid("A part of the form has no name."));
        };
        let filename = field.file_name().map(str::to_owned);
        let text_name = self.allowed.iter().copied().find(|allowed| *allowed == name);
        let limit = if name == FILE { self.zip } else { TEXT_LIMIT };
        let bytes = collect(field, limit).await?.ok_or_else(|| match &*name {
            FILE => too_large(self.zip),
            _ => Problem::too_large(format!("The field {name:?} may have at most {TEXT_LIMIT} bytes.")),
        })?;
        if !self.seen.insert(name.clone()) {
            self.refuse("duplicate_field", name, "This field was sent more than once.");
        } else if name == FILE {
            self.form.file = Some(Upload { filename, bytes });
        } else if let Some(known) = text_name {
            match String::from_utf8(bytes.into()) {
                Ok(text) => drop(self.form.fields.insert(known, text)),
                Err(_) => self.refuse("invalid_field", name, "This field is not UTF-8."),
            }
        } else {
            self.refuse("unknown_field", name, "This form has no such field; the zip goes into `file`.");
        }
        Ok(())
    }

    fn refuse(&mut self, code: &'static str, field: String, message: &str) {
        self.errors.push(ErrorEntry::field(code, field, message));
    }

    fn finish(mut self, held: Held) -> Result<Form, Problem> {
        if !self.errors.is_empty() {
            let names: Vec<_> = self.errors.iter().filter_map(|e| e.field.as_deref()).collect();
            let detail = format!("Some fields of the form can't be taken: {}.", names.join(", "));
            return Err(Problem::invalid(detail).with_errors(self.errors));
        }
        if let Some(upload) = &mut self.form.file {
            let bytes = std::mem::take(&mut upload.bytes);
            upload.bytes = Bytes::from_owner(Kept { bytes, _held: held });
        }
        Ok(self.form)
    }
}

/// The bytes of a part; `None` once they are more than `limit`.
async fn collect(mut field: Field<'_>, limit: usize) -> Result<Option<Bytes>, Problem> {
    let mut bytes = BytesMut::new();
    while let Some(piece) = field.chunk().await.map_err(|error| broken(&error))? {
        if bytes.len() + piece.len() > limit {
            return Ok(None);
        }
        bytes.extend_from_slice(&piece);
    }
    Ok(Some(bytes.freeze()))
}

/// Bytes that hold their part of the budget for as long as they live.
struct Kept {
    bytes: Bytes,
    _held: Held,
}

impl AsRef<[u8]> for Kept {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

#[cfg(test)]
mod tests;
