//! Forms with the files of a package, one part each.

use bytes::Bytes;
use multer::Field;
use registry::fair_share::Owner;
use registry::package::Limits;

use super::budget::{Reservation, UploadBudget};
use super::{MAX_TEXT_BYTES, Parts, collect, read_parts};
use crate::problem::Problem;
use crate::request::Request;

/// The names of the parts that are files.
const FILES: [&str; 2] = ["files", "file"];
/// The most parts that are not files.
const MAX_OTHERS: usize = 8;
/// The most bytes of the header of a part.
const MAX_HEADER_BYTES: usize = 2 << 10;

/// A form with files.
pub(crate) struct FilesForm {
    /// The text of the part `payload`.
    pub(crate) payload: Option<String>,
    /// The files: path and content. The path is the whole file name that the client sent.
    pub(crate) files: Vec<(String, Bytes)>,
    /// The files count against the budget until the form is dropped.
    _reservation: Reservation,
}

/// Reads the body as a form with the text `payload`, and files within `limits`. Other texts are
/// ignored.
///
/// Errors: 415 for another type. 413 as soon as a limit is exceeded. 503 if `budget` is used up. 400 for a
/// malformed form, or a file without a name.
pub(crate) async fn files_form(
    request: &mut Request,
    limits: &Limits,
    budget: &UploadBudget,
    owner: &Owner,
) -> Result<FilesForm, Problem> {
    let mut reader = Reader { limits, payload: None, files: Vec::new() };
    let unpacked = usize::try_from(limits.unpacked).unwrap_or(usize::MAX);
    let limit = unpacked.saturating_add(reader.max() * MAX_HEADER_BYTES + MAX_OTHERS * MAX_TEXT_BYTES);
    let _reservation = read_parts(request, limit, budget.reserve(owner)?, &mut reader).await?;
    let Reader { payload, files, .. } = reader;
    Ok(FilesForm { payload, files, _reservation })
}

struct Reader<'a> {
    limits: &'a Limits,
    payload: Option<String>,
    files: Vec<(String, Bytes)>,
}

impl Parts for Reader<'_> {
    fn max(&self) -> usize {
        self.limits.files + MAX_OTHERS
    }

    fn too_large(&self) -> Problem {
        let Limits { unpacked, .. } = self.limits;
        Problem::too_large(format!("The files may have at most {unpacked} bytes together: leave some out."))
    }

    async fn part(&mut self, field: Field<'_>) -> Result<(), Problem> {
        let name = field.name().unwrap_or_default().to_owned();
        if FILES.contains(&name.as_str()) {
            let Some(path) = field.file_name().map(str::to_owned) else {
                return Err(Problem::invalid("A file of the form has no name."));
            };
            let limit = usize::try_from(self.limits.file).unwrap_or(usize::MAX);
            let bytes = collect(field, limit).await?.ok_or_else(|| {
                Problem::too_large(format!(
                    "The file {path} has more than {limit} bytes: shorten it or leave it out."
                ))
            })?;
            self.files.push((path, bytes));
            return Ok(());
        }
        let text = collect(field, MAX_TEXT_BYTES).await?.ok_or_else(|| {
            Problem::too_large(format!("The field {name:?} may have at most {MAX_TEXT_BYTES} bytes."))
        })?;
        if name == "payload" {
            let text = String::from_utf8(text.into());
            self.payload = Some(text.map_err(|_| Problem::invalid("The field `payload` is not UTF-8."))?);
        }
        Ok(())
    }
}
