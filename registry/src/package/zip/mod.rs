//! An untrusted zip, up to where its files can be read one by one.

mod content;
mod directory;
mod end_record;
mod entry;
mod span;

use crate::package::finding::{Findings, Refusal};
use crate::package::layout::{self, Layout};
use crate::package::limits::Limits;
use content::{Packed, Unpacker};

/// Reads the frame and places the entries. Where the frame is broken or there
/// are too many files, nothing can be read, and what was found so far is the
/// refusal; other errors wait in `findings`, so that contents can add theirs.
pub(super) fn open<'a, 'l>(
    zip: &'a [u8],
    limits: &'l Limits,
    findings: &mut Findings,
) -> Result<(Layout<Packed<'a>>, Unpacker<'l>), Refusal> {
    let directory = directory::read(zip, limits, findings);
    let layout = layout::arrange(directory.entries, limits, findings);
    for entry in layout.files.iter().chain(&layout.folders).chain(&layout.outside) {
        if let Some(problem) = &entry.body.problem {
            findings.error(problem.clone().at(entry.path.as_str()));
        }
    }
    let readable = directory.sound && layout.files.len() <= limits.files;
    if !readable {
        findings.check()?;
    }
    let mut unpacker = Unpacker::new(zip.len(), limits);
    for folder in layout.folders.iter().chain(&layout.outside) {
        // To nothing, which is what a folder claims to hold.
        unpacker.unpack(folder.path.as_str(), &folder.body, findings);
    }
    Ok((layout, unpacker))
}
