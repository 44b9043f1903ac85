//! The structure of an untrusted zip. (PKWARE APPNOTE 6.3.10; `4.x` in comments are its
//! sections.)
//!
//! Readers interpret ambiguous archives differently: some read from the front, some from the
//! back, some trust the local headers. So an archive is accepted only if entries, directory
//! and end record fill it without gaps, and if local and central headers agree.

use rawzip::ZipArchive;

use super::unpacker::Packed;
use super::{end_record, entry, span};
use crate::package::entry::RawEntry;
use crate::package::finding::{Finding, Findings};
use crate::package::finding_codes;
use crate::package::limits::Limits;

/// The directory of an archive.
pub(super) struct Directory<'a> {
    /// The entries, in the order of the directory.
    pub entries: Vec<RawEntry<Packed<'a>>>,
    /// Whether the structure is valid, so that contents can be read.
    pub sound: bool,
}

impl Directory<'_> {
    /// Reports the errors of the structure.
    fn broken(mut self, broken: Vec<Finding>, findings: &mut Findings) -> Self {
        self.sound = broken.is_empty();
        broken.into_iter().for_each(|finding| findings.error(finding));
        self
    }
}

/// Reads the directory of `zip`. The entries are returned even if there are errors, so that
/// their names can be checked as well.
pub(super) fn read<'a>(zip: &'a [u8], limits: &Limits, findings: &mut Findings) -> Directory<'a> {
    let mut directory = Directory { entries: Vec::new(), sound: true };
    let archive = match ZipArchive::from_slice(zip) {
        Ok(archive) => archive,
        Err(why) => {
            findings.error(end_record::unreadable(zip, why.kind()));
            return Directory { sound: false, ..directory };
        }
    };
    let mut broken = Vec::new();
    let mut spans = Vec::new();
    let (mut count, mut end) = (0u64, archive.directory_offset());
    for record in archive.entries() {
        let Ok(record) = record else {
            end_record::check(zip, &archive, None, end, &mut broken);
            if broken.is_empty() {
                let why = "the archive's directory is damaged: create the archive again";
                broken.push(Finding::new(finding_codes::ZIP_UNREADABLE, why));
            }
            return directory.broken(broken, findings);
        };
        count += 1;
        if count > limits.entries as u64 {
            let why = format!(
                "the archive has more than {} entries: remove files that are not part of the skill",
                limits.entries
            );
            broken.push(Finding::new(finding_codes::TOO_MANY_FILES, why));
            return directory.broken(broken, findings);
        }
        end = end_record::record_end(zip, &record);
        let read = entry::read(zip, &archive, &record, findings);
        directory.entries.extend(read.entry);
        spans.extend(read.span);
        broken.extend(read.broken);
    }
    end_record::check(zip, &archive, Some(count), end, &mut broken);
    spans.sort_by_key(|span| span.start);
    span::check_overlaps(&spans, archive.directory_offset(), &mut broken);
    // A missing span would look like a gap.
    if spans.len() as u64 == count {
        span::check_gaps(zip, &spans, archive.directory_offset(), &mut broken);
    }
    directory.broken(broken, findings)
}
