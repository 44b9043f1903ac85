//! An entry of an untrusted zip. Its two headers must agree.

use rawzip::extra_fields::{ExtraFieldId, ExtraFields};
use rawzip::{CompressionMethod, CreatorSystem, ZipFileHeaderRecord, ZipLocalFileHeader, ZipSliceArchive};

use super::end_record::disk_of;
use super::span::Span;
use super::unpacker::Packed;
use crate::package::entry::RawEntry;
use crate::package::finding::{Finding, Findings};
use crate::package::finding_codes;

/// The readable parts of an entry.
pub(super) struct Read<'a> {
    /// None if the name is not UTF-8.
    pub entry: Option<RawEntry<Packed<'a>>>,
    /// None if the local header is unreadable.
    pub span: Option<Span>,
    /// The errors in the structure of the archive.
    pub broken: Vec<Finding>,
}

/// Reads the entry of `record`. Errors of the entry alone (encrypted, special, unknown
/// method) are kept in it, because they do not matter for junk.
pub(super) fn read<'a>(
    zip: &'a [u8],
    archive: &ZipSliceArchive<&'a [u8]>,
    record: &ZipFileHeaderRecord<'_>,
    findings: &mut Findings,
) -> Read<'a> {
    let raw_name = record.file_path().as_bytes();
    let shown = shown(raw_name);
    let mut broken = Vec::new();
    if disk_of(zip, record) != 0 {
        let why = "the entry lies in another part of a split archive: make a single zip";
        broken.push(Finding::new(finding_codes::ZIP_SPLIT, why).in_file(&shown));
    }
    if record.extra_fields().any(|(id, _)| id == ExtraFieldId::ZIP64) {
        let why = "the entry has zip64 sizes, which a package never needs: make a plain zip";
        broken.push(Finding::new(finding_codes::ZIP_ZIP64, why).in_file(&shown));
    }
    let (mut data, mut span) = (&[][..], None);
    match archive.get_entry(record.wayfinder()) {
        Ok(entry) => {
            if let Some(what) = disagreement(record, &entry.local_header()) {
                let why =
                    format!("the entry's two headers disagree about its {what}: create the archive again");
                broken.push(Finding::new(finding_codes::ZIP_HEADER_MISMATCH, why).in_file(&shown));
            }
            let (start, end) = entry.compressed_data_range();
            let range = usize::try_from(start).ok().zip(usize::try_from(end).ok());
            data = range.and_then(|(start, end)| zip.get(start..end)).unwrap_or_default();
            span = Some(Span::of(record, end, &shown));
        }
        Err(_) => {
            let why =
                "the archive's directory points to a place without this entry: create the archive again";
            broken.push(Finding::new(finding_codes::ZIP_HEADER_MISMATCH, why).in_file(&shown));
        }
    }
    let method = record.compression_method();
    let is_deflated = method == CompressionMethod::DEFLATE;
    let problem = problem(record, &shown, is_deflated || method == CompressionMethod::STORE);
    let Ok(name) = str::from_utf8(raw_name) else {
        let why = "the name is not UTF-8: make the archive with a tool that writes UTF-8 names";
        findings.error(Finding::new(finding_codes::PATH_NOT_UTF8, why).in_file(&shown));
        problem.into_iter().for_each(|problem| findings.error(problem));
        return Read { entry: None, span, broken };
    };
    let packed =
        Packed { is_deflated, data, crc32: record.crc32(), size: record.uncompressed_size_hint(), problem };
    let folder = record.is_dir();
    let executable = is_unix(record) && record.mode().permissions() & 0o111 != 0;
    let name = if folder { name.strip_suffix('/').unwrap_or(name) } else { name };
    let entry = RawEntry { name: name.to_owned(), folder, executable: executable && !folder, body: packed };
    Read { entry: Some(entry), span, broken }
}

/// Converts a name for messages. Bytes that are not UTF-8 become `\xff`, so that different
/// names stay different.
fn shown(name: &[u8]) -> String {
    let mut shown = String::new();
    for piece in name.utf8_chunks() {
        shown.push_str(piece.valid());
        piece.invalid().iter().for_each(|byte| shown.push_str(&format!("\\x{byte:02x}")));
    }
    shown
}

fn is_unix(record: &ZipFileHeaderRecord<'_>) -> bool {
    matches!(record.version_made_by().creator_system(), CreatorSystem::UNIX | CreatorSystem::MACOS)
}

/// Why the entry cannot be a file of a package.
fn problem(record: &ZipFileHeaderRecord<'_>, name: &str, known_method: bool) -> Option<Finding> {
    const S_IFMT: u32 = 0o170_000;
    const S_IFREG: u32 = 0o100_000;
    const S_IFDIR: u32 = 0o040_000;
    const DOS_FOLDER: u32 = 0x10;
    /// Volume label, device, and reparse point (a link on Windows).
    const DOS_SPECIAL: u32 = 0x8 | 0x40 | 0x400;
    /// Flag bit 5 (4.4.4): the data are a patch of another file.
    const PATCH: u16 = 1 << 5;
    let finding = |code, why: &str| Some(Finding::new(code, why).in_file(name));
    let flags = record.flags();
    if flags.is_encrypted() || flags.has_strong_encryption() || flags.is_masked() {
        return finding(
            finding_codes::ZIP_ENCRYPTED,
            "the entry is encrypted: make the archive without a password",
        );
    }
    let kind = record.external_attributes() >> 16 & S_IFMT;
    let dos = |bits| !is_unix(record) && record.external_attributes() & bits != 0;
    let dos_folder = dos(DOS_FOLDER);
    // Some writers give folders the mode of a file, so the name decides.
    let usual = matches!(kind, 0 | S_IFREG) || (kind == S_IFDIR && record.is_dir());
    if !usual || dos(DOS_SPECIAL) || (dos_folder && !record.is_dir()) {
        let why = "the entry is a link, device or other special file: put the file itself into the archive";
        return finding(finding_codes::ZIP_SPECIAL_FILE, why);
    }
    if record.is_dir() && record.uncompressed_size_hint() != 0 {
        return finding(
            finding_codes::ZIP_CORRUPT,
            "the entry is a folder but has content: create the archive again",
        );
    }
    if flags.bits() & PATCH != 0 {
        return finding(
            finding_codes::ZIP_METHOD,
            "the entry is a patch of another file: put the file itself in",
        );
    }
    if !known_method {
        let method = record.compression_method().as_u16();
        let why = format!("the entry is compressed by method {method}: use deflate, or store it");
        return finding(finding_codes::ZIP_METHOD, &why);
    }
    None
}

/// The first field that differs in local and central header.
fn disagreement(central: &ZipFileHeaderRecord<'_>, local: &ZipLocalFileHeader<'_>) -> Option<&'static str> {
    /// The effort of deflate (bits 1 and 2) does not matter to readers.
    const EFFORT: u16 = 0b110;
    let name = central.file_path().as_bytes();
    // The flag for UTF-8 does not matter to names in ASCII.
    let ignored = if name.is_ascii() { EFFORT | UTF8 } else { EFFORT };
    let streamed = central.flags().has_data_descriptor();
    // Streaming writers do not know size and checksum in the local header (4.4.4, bit 3).
    let same = |there: u64, here: u64| there == here || (streamed && here == 0);
    if local.file_path().as_bytes() != name
        || other_name(central.extra_fields(), name)
        || other_name(local.extra_fields(), name)
    {
        Some("name")
    } else if (central.flags().bits() ^ local.flags().bits()) & !ignored != 0 {
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

/// Flag bit 11: the name is UTF-8.
const UTF8: u16 = 1 << 11;

/// Whether a Unicode Path field (4.6.9) has another name than the header. Some readers
/// prefer that name.
fn other_name(mut extra: ExtraFields<'_>, name: &[u8]) -> bool {
    let unicode_path = ExtraFieldId::new(0x7075);
    extra.any(|(id, field)| id == unicode_path && field.get(5..) != Some(name))
}
