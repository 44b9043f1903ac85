//! The frame of an untrusted zip: where its entries are, and that it says the
//! same to every reader. (PKWARE APPNOTE 6.3.10; `4.x` below are its sections.)
//!
//! Readers disagree about archives that hold more than their entries: some
//! read from the front, some from the back, some trust the local headers. So
//! an archive is accepted only when entries, directory and end record lie one
//! after the other and fill it, and when local and central headers agree.

use rawzip::{ZipArchive, ZipFileHeaderRecord, ZipSliceArchive};

use super::code;
use super::entry::Named;
use super::finding::{Finding, Findings};
use super::limits::Limits;
use super::zip_content::Packed;
use super::zip_entry;

/// What the directory of an archive holds.
pub(super) struct Directory<'a> {
    /// Every entry, in directory order.
    pub entries: Vec<Named<Packed<'a>>>,
    /// Whether the frame is in order, so that reading contents makes sense.
    pub sound: bool,
}

/// Reads the directory of `zip`. Every deviation becomes an error; the entries
/// are returned all the same, so that their names can be judged too.
pub(super) fn read<'a>(zip: &'a [u8], limits: &Limits, findings: &mut Findings) -> Directory<'a> {
    let mut directory = Directory { entries: Vec::new(), sound: true };
    let archive = match ZipArchive::from_slice(zip) {
        Ok(archive) => archive,
        Err(why) => {
            findings.error(unreadable(&why));
            return Directory { sound: false, ..directory };
        }
    };
    let mut broken = Vec::new();
    let mut spans = Vec::new();
    let (mut count, mut end) = (0u64, archive.directory_offset());
    for record in archive.entries() {
        let record = match record {
            Ok(record) => record,
            Err(why) => {
                broken.push(unreadable(&why));
                break;
            }
        };
        count += 1;
        if count > limits.entries as u64 {
            let why =
                format!("the archive has more than {} entries: remove what is no content", limits.entries);
            broken.push(Finding::new(code::TOO_MANY_FILES, why));
            break;
        }
        end = record_end(zip, &record);
        let raw_name = record.file_path().as_bytes();
        let Ok(name) = str::from_utf8(raw_name) else {
            let shown = String::from_utf8_lossy(raw_name);
            let why = "the name is not UTF-8: make the archive with a tool that writes UTF-8 names";
            findings.error(Finding::new(code::PATH_NOT_UTF8, why).at(&shown));
            continue;
        };
        match zip_entry::read(zip, &archive, &record, name) {
            Ok((entry, span)) => {
                directory.entries.push(entry);
                spans.push(span);
            }
            Err(finding) => broken.push(finding),
        }
    }
    if broken.is_empty() {
        check_end_record(zip, &archive, count, end, &mut broken);
        check_tiling(zip, &archive, spans, &mut broken);
    }
    directory.sound = broken.is_empty();
    broken.into_iter().for_each(|finding| findings.error(finding));
    directory
}

fn unreadable(why: &rawzip::Error) -> Finding {
    let why = format!("this is not a readable zip archive ({why}): upload a zip of the skill's folder");
    Finding::new(code::ZIP_UNREADABLE, why)
}

/// The little-endian number of 16 bits at `at`; 0 past the end.
fn u16_at(zip: &[u8], at: u64) -> u16 {
    let bytes = usize::try_from(at).ok().and_then(|at| zip.get(at..at.checked_add(2)?));
    bytes.map_or(0, |b| u16::from_le_bytes([b[0], b[1]]))
}

fn u32_at(zip: &[u8], at: u64) -> u32 {
    u32::from(u16_at(zip, at)) | u32::from(u16_at(zip, at + 2)) << 16
}

/// Where a central header ends (4.3.12).
fn record_end(zip: &[u8], record: &ZipFileHeaderRecord<'_>) -> u64 {
    let at = record.central_directory_offset();
    at + 46 + [28, 30, 32].into_iter().map(|field| u64::from(u16_at(zip, at + field))).sum::<u64>()
}

/// The number of the volume an entry starts on (4.4.11).
pub(super) fn disk_of(zip: &[u8], record: &ZipFileHeaderRecord<'_>) -> u16 {
    u16_at(zip, record.central_directory_offset() + 34)
}

/// The end record (4.3.16) must tell the truth and be the end of the file.
fn check_end_record(
    zip: &[u8],
    archive: &ZipSliceArchive<&[u8]>,
    count: u64,
    end: u64,
    broken: &mut Vec<Finding>,
) {
    let at = archive.eocd_offset();
    if at >= 20 && u32_at(zip, at - 20) == 0x0706_4b50 {
        let why = "the archive has a zip64 directory, which a package never needs: make a plain zip";
        broken.push(Finding::new(code::ZIP_ZIP64, why));
        return;
    }
    if u16_at(zip, at + 4) != 0 || u16_at(zip, at + 6) != 0 {
        broken.push(Finding::new(code::ZIP_SPLIT, "the archive is a part of several: make a single zip"));
        return;
    }
    let counts = [u16_at(zip, at + 8), u16_at(zip, at + 10)];
    if counts.iter().any(|&claimed| u64::from(claimed) != count) {
        let why = format!("the archive says it has {} entries but has {count}: make it anew", counts[1]);
        broken.push(Finding::new(code::ZIP_DIRECTORY_MISMATCH, why));
    }
    let (size, offset) = (u64::from(u32_at(zip, at + 12)), u64::from(u32_at(zip, at + 16)));
    if offset != archive.directory_offset() || offset + size != at || end != at {
        let why =
            "the archive's directory is not where its end record says, or bytes surround it: make it anew";
        broken.push(Finding::new(code::ZIP_DIRECTORY_MISMATCH, why));
    }
    if archive.end_offset() != zip.len() as u64 {
        let why = "bytes follow the end of the archive: make it anew, a single zip and nothing else";
        broken.push(Finding::new(code::ZIP_STRAY_BYTES, why));
    }
}

/// The bytes an entry takes, from its local header on.
pub(super) struct Span {
    pub name: String,
    pub start: u64,
    /// Where its data end and the descriptor, if any, begins.
    pub end: u64,
    /// The forms a data descriptor may have here; none without one (4.3.9).
    pub descriptors: Vec<Vec<u8>>,
}

/// The entries must fill the file from its first byte to the directory.
fn check_tiling(
    zip: &[u8],
    archive: &ZipSliceArchive<&[u8]>,
    mut spans: Vec<Span>,
    broken: &mut Vec<Finding>,
) {
    spans.sort_by_key(|span| span.start);
    let first = spans.first().map_or(archive.directory_offset(), |span| span.start);
    if first != 0 {
        let why = "bytes precede the first entry of the archive: make it anew, a single zip and nothing else";
        broken.push(Finding::new(code::ZIP_STRAY_BYTES, why));
    }
    for (i, span) in spans.iter().enumerate() {
        let next = spans.get(i + 1).map_or(archive.directory_offset(), |next| next.start);
        let gap = usize::try_from(span.end).ok().zip(usize::try_from(next).ok());
        let Some(gap) = gap.and_then(|(end, next)| zip.get(end..next)) else {
            let why = "the entry shares bytes with another one or with the directory: make the archive anew";
            broken.push(Finding::new(code::ZIP_OVERLAP, why).at(&span.name));
            continue;
        };
        if gap.is_empty() && span.descriptors.is_empty() || span.descriptors.iter().any(|d| d == gap) {
            continue;
        }
        let finding = if span.descriptors.iter().any(|d| d.len() == gap.len()) {
            let why = "the sizes or checksum after the entry differ from those in the directory";
            Finding::new(code::ZIP_HEADER_MISMATCH, format!("{why}: make the archive anew"))
        } else {
            let why = "bytes that belong to no entry follow this one: make the archive anew";
            Finding::new(code::ZIP_STRAY_BYTES, why)
        };
        broken.push(finding.at(&span.name));
    }
}
