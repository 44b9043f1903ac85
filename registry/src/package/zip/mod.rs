//! Reading untrusted zips.

mod directory;
mod end_record;
mod entry;
mod span;
mod unpacker;

use crate::package::finding::{Findings, Refusal};
use crate::package::layout::{self, Layout, Origin};
use crate::package::limits::Limits;
use unpacker::{Packed, Unpacker};

/// Reads the structure of an archive and checks the paths of its entries.
///
/// A damaged structure or too many files are refused at once. Other errors are collected in
/// `findings`, so that the contents can be checked as well.
pub(super) fn open<'a, 'l>(
    zip: &'a [u8],
    origin: Origin,
    limits: &'l Limits,
    findings: &mut Findings,
) -> Result<(Layout<Packed<'a>>, Unpacker<'l>), Refusal> {
    let directory = directory::read(zip, limits, findings);
    let layout = layout::arrange(directory.entries, origin, limits, findings);
    for entry in layout.files.iter().chain(&layout.folders).chain(&layout.outside) {
        if let Some(problem) = &entry.body.problem {
            findings.error(problem.clone().in_file(entry.path.as_str()));
        }
    }
    let readable = directory.sound && layout.files.len() <= limits.files;
    if !readable {
        findings.take_errors()?;
    }
    let sizes: Vec<_> = layout.files.iter().map(|file| (file.path.as_str(), file.body.size)).collect();
    let mut unpacker = Unpacker::new(zip.len(), limits, limits.check_together(&sizes));
    for folder in layout.folders.iter().chain(&layout.outside) {
        // Checks that the folder has no content.
        unpacker.unpack(folder.path.as_str(), &folder.body, findings);
    }
    Ok((layout, unpacker))
}
