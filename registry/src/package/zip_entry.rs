//! One entry of an untrusted zip: its two headers, which must agree.

use rawzip::extra_fields::ExtraFieldId;
use rawzip::{
    CompressionMethod, CreatorSystem, ZipFileHeaderRecord, ZipLocalFileHeader, ZipSliceArchive, ZipSliceEntry,
};

use super::code;
use super::entry::Named;
use super::finding::Finding;
use super::zip_content::{Method, Packed};
use super::zip_structure::{Span, disk_of};

/// Reads the entry that `record` names. An error is one of the frame; what is
/// wrong with the entry alone (encrypted, special, unknown method) is kept
/// with it, since junk may be so.
pub(super) fn read<'a>(
    zip: &'a [u8],
    archive: &ZipSliceArchive<&'a [u8]>,
    record: &ZipFileHeaderRecord<'_>,
    name: &str,
) -> Result<(Named<Packed<'a>>, Span), Finding> {
    if disk_of(zip, record) != 0 {
        let why = "the entry lies in another part of a split archive: make a single zip";
        return Err(Finding::new(code::ZIP_SPLIT, why).at(name));
    }
    let entry = archive.get_entry(record.wayfinder()).map_err(|why| {
        let why = format!("the entry's local header can't be read ({why}): make the archive anew");
        Finding::new(code::ZIP_HEADER_MISMATCH, why).at(name)
    })?;
    if let Some(what) = disagreement(record, &entry.local_header(), name) {
        let why = format!("the entry's two headers disagree about its {what}: make the archive anew");
        return Err(Finding::new(code::ZIP_HEADER_MISMATCH, why).at(name));
    }
    let (start, end) = entry.compressed_data_range();
    let slice = || zip.get(usize::try_from(start).ok()?..usize::try_from(end).ok()?);
    let method = match record.compression_method() {
        CompressionMethod::STORE => Some(Method::Stored),
        CompressionMethod::DEFLATE => Some(Method::Deflated),
        _ => None,
    };
    let packed = Packed {
        method: method.unwrap_or(Method::Stored),
        data: slice().unwrap_or_default(),
        crc32: record.crc32(),
        size: record.uncompressed_size_hint(),
        problem: problem(record, name, method.is_some()),
    };
    let span = span_of(record, &entry, name);
    let executable = is_unix(record) && record.mode().permissions() & 0o111 != 0;
    let folder = record.is_dir();
    let name = if folder { name.strip_suffix('/').unwrap_or(name) } else { name };
    Ok((Named { name: name.to_owned(), folder, executable: executable && !folder, body: packed }, span))
}

fn is_unix(record: &ZipFileHeaderRecord<'_>) -> bool {
    matches!(record.version_made_by().creator_system(), CreatorSystem::UNIX | CreatorSystem::MACOS)
}

/// What keeps the entry from being content.
fn problem(record: &ZipFileHeaderRecord<'_>, name: &str, known_method: bool) -> Option<Finding> {
    const S_IFMT: u32 = 0o170_000;
    const S_IFREG: u32 = 0o100_000;
    const S_IFDIR: u32 = 0o040_000;
    let finding = |code, why: &str| Some(Finding::new(code, why).at(name));
    let flags = record.flags();
    if flags.is_encrypted() || flags.has_strong_encryption() || flags.is_masked() {
        return finding(code::ZIP_ENCRYPTED, "the entry is encrypted: make the archive without a password");
    }
    let kind = record.external_attributes() >> 16 & S_IFMT;
    let dos_folder = !is_unix(record) && record.external_attributes() & 0x10 != 0;
    // Some writers give folders the mode of a file; their name says what they are.
    let usual = matches!(kind, 0 | S_IFREG) || (kind == S_IFDIR && record.is_dir());
    if !usual || (dos_folder && !record.is_dir()) {
        let why = "the entry is a link, device or other special file: put the file itself into the archive";
        return finding(code::ZIP_SPECIAL_FILE, why);
    }
    if record.is_dir() && record.uncompressed_size_hint() != 0 {
        return finding(code::ZIP_CORRUPT, "the entry is a folder but has content: make the archive anew");
    }
    if !known_method {
        let method = record.compression_method().as_u16();
        let why = format!("the entry is compressed by method {method}: use deflate, or store it");
        return finding(code::ZIP_METHOD, &why);
    }
    None
}

/// What local and central header say differently.
fn disagreement(
    central: &ZipFileHeaderRecord<'_>,
    local: &ZipLocalFileHeader<'_>,
    name: &str,
) -> Option<&'static str> {
    let bits = |flags: rawzip::EntryFlags| {
        (flags.is_encrypted(), flags.has_strong_encryption(), flags.is_masked(), flags.has_data_descriptor())
    };
    let streamed = central.flags().has_data_descriptor();
    // A streaming writer knows neither size nor checksum yet (4.4.4, bit 3).
    let same = |there: u64, here: u64| there == here || (streamed && here == 0);
    if local.file_path().as_bytes() != name.as_bytes() || other_name(central, name) {
        Some("name")
    } else if bits(central.flags()) != bits(local.flags()) {
        Some("flags")
    } else if central.compression_method() != local.compression_method() {
        Some("compression method")
    } else if !same(central.compressed_size_hint(), local.compressed_size_hint())
        || !same(central.uncompressed_size_hint(), local.uncompressed_size_hint())
    {
        Some("size")
    } else if !same(central.crc32().into(), local.crc32().into()) {
        Some("checksum")
    } else {
        None
    }
}

/// Whether a Unicode Path field (4.6.9), which some readers prefer, has
/// another name than the header.
fn other_name(record: &ZipFileHeaderRecord<'_>, name: &str) -> bool {
    let unicode_path = ExtraFieldId::new(0x7075);
    record.extra_fields().any(|(id, field)| id == unicode_path && field.get(5..) != Some(name.as_bytes()))
}

/// The bytes the entry takes, with the descriptors that would be true.
fn span_of(record: &ZipFileHeaderRecord<'_>, entry: &ZipSliceEntry<'_>, name: &str) -> Span {
    let (packed, size) = (record.compressed_size_hint(), record.uncompressed_size_hint());
    let crc = record.crc32().to_le_bytes();
    let mut descriptors = Vec::new();
    if record.flags().has_data_descriptor() {
        let wide = [&crc[..], &packed.to_le_bytes(), &size.to_le_bytes()].concat();
        let narrow = [&crc[..], &packed.to_le_bytes()[..4], &size.to_le_bytes()[..4]].concat();
        for plain in [narrow, wide] {
            descriptors.push([b"PK\x07\x08", &plain[..]].concat());
            descriptors.push(plain);
        }
    }
    Span {
        name: name.to_owned(),
        start: record.local_header_offset(),
        end: entry.compressed_data_range().1,
        descriptors,
    }
}
