//! The end record of an untrusted zip.

use rawzip::{ErrorKind, ZipFileHeaderRecord, ZipSliceArchive};

use crate::package::finding::Finding;
use crate::package::finding_codes;

/// Describes a file that is not a readable zip.
pub(super) fn unreadable(zip: &[u8], why: &ErrorKind) -> Finding {
    let begins = |magic: &[u8]| zip.starts_with(magic);
    let wanted = "upload a zip of the skill's folder";
    let (code, why) = if zip.is_empty() {
        (finding_codes::ZIP_UNREADABLE, "the file is empty")
    } else if begins(b"PK\x07\x08") {
        (finding_codes::ZIP_SPLIT, "the archive is the first part of several")
    } else if begins(b"PK") && matches!(why, ErrorKind::MissingEndOfCentralDirectory) {
        (finding_codes::ZIP_UNREADABLE, "the zip has no end record, possibly because the upload was cut off")
    } else if begins(b"PK") {
        let why = "the zip's end record contradicts the rest, possibly because it was cut off or contains two archives";
        (finding_codes::ZIP_UNREADABLE, why)
    } else if begins(b"\x1f\x8b") {
        (finding_codes::ZIP_UNREADABLE, "this is a gzip file (a .tar.gz?), not a zip")
    } else if [&b"7z\xbc\xaf"[..], b"Rar!", b"\xfd7zXZ", b"BZh", b"\x28\xb5\x2f\xfd"]
        .iter()
        .any(|m| begins(m))
    {
        (finding_codes::ZIP_UNREADABLE, "this is an archive of another kind, not a zip")
    } else if zip.get(257..262) == Some(b"ustar") {
        (finding_codes::ZIP_UNREADABLE, "this is a tar archive, not a zip")
    } else {
        (finding_codes::ZIP_UNREADABLE, "this is not a zip archive")
    };
    Finding::new(code, format!("{why}: {wanted}"))
}

/// The little-endian number of 16 bits at `at`, or 0 after the end.
fn u16_at(zip: &[u8], at: u64) -> u16 {
    let bytes = usize::try_from(at).ok().and_then(|at| zip.get(at..at.checked_add(2)?));
    bytes.map_or(0, |b| u16::from_le_bytes([b[0], b[1]]))
}

fn u32_at(zip: &[u8], at: u64) -> u32 {
    u32::from(u16_at(zip, at)) | u32::from(u16_at(zip, at + 2)) << 16
}

/// The offset after a central header (4.3.12).
pub(super) fn record_end(zip: &[u8], record: &ZipFileHeaderRecord<'_>) -> u64 {
    let at = record.central_directory_offset();
    at + 46 + [28, 30, 32].into_iter().map(|field| u64::from(u16_at(zip, at + field))).sum::<u64>()
}

/// The number of the volume that an entry starts on (4.4.11).
pub(super) fn disk_of(zip: &[u8], record: &ZipFileHeaderRecord<'_>) -> u16 {
    u16_at(zip, record.central_directory_offset() + 34)
}

/// Checks that the end record (4.3.16) is correct and ends the file. `count` is the number
/// of entries, if all are readable. `end` is the end of the last readable one.
pub(super) fn check(
    zip: &[u8],
    archive: &ZipSliceArchive<&[u8]>,
    count: Option<u64>,
    end: u64,
    broken: &mut Vec<Finding>,
) {
    let at = archive.eocd_offset();
    if at >= 20 && u32_at(zip, at - 20) == 0x0706_4b50 {
        let why = "the archive has a zip64 directory, which a package never needs: make a plain zip";
        broken.push(Finding::new(finding_codes::ZIP_ZIP64, why));
        return;
    }
    if u16_at(zip, at + 4) != 0 || u16_at(zip, at + 6) != 0 {
        broken.push(Finding::new(
            finding_codes::ZIP_SPLIT,
            "the archive is a part of several: make a single zip",
        ));
        return;
    }
    let counts = [u16_at(zip, at + 8), u16_at(zip, at + 10)];
    if let Some(count) = count
        && counts.iter().any(|&claimed| u64::from(claimed) != count)
    {
        let why = format!("the archive says it has {} entries but has {count}: create it again", counts[1]);
        broken.push(Finding::new(finding_codes::ZIP_DIRECTORY_MISMATCH, why));
    }
    let (size, offset) = (u64::from(u32_at(zip, at + 12)), u64::from(u32_at(zip, at + 16)));
    if offset != archive.directory_offset() || offset + size != at || end != at {
        let why = "the archive's directory is not where its end record says, possibly because two archives are in one file: create it again";
        broken.push(Finding::new(finding_codes::ZIP_DIRECTORY_MISMATCH, why));
    }
    if archive.end_offset() != zip.len() as u64 {
        let why = "bytes follow the end of the archive: create it again, as a single zip";
        broken.push(Finding::new(finding_codes::ZIP_STRAY_BYTES, why));
    }
}
