//! The positions of entries in an untrusted zip: without gaps and without overlaps.

use rawzip::ZipFileHeaderRecord;

use crate::package::finding::Finding;
use crate::package::finding_codes;

/// The bytes of an entry, including its local header.
pub(super) struct Span {
    pub name: String,
    pub start: u64,
    /// The end of the data, where an optional descriptor starts.
    pub end: u64,
    /// The valid forms of the data descriptor (4.3.9). Empty if the entry has none.
    pub descriptors: Vec<Vec<u8>>,
}

impl Span {
    /// Creates the span of an entry whose data end at `end`.
    pub(super) fn of(record: &ZipFileHeaderRecord<'_>, end: u64, name: &str) -> Self {
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
        Self { name: name.to_owned(), start: record.local_header_offset(), end, descriptors }
    }
}

/// Reports entries that share bytes with another entry, or with the directory at offset
/// `directory`. `spans` are sorted by start.
pub(super) fn check_overlaps(spans: &[Span], directory: u64, broken: &mut Vec<Finding>) {
    let mut shares = |span: &Span| {
        let why = "the entry shares bytes with another one or with the directory: create the archive again";
        broken.push(Finding::new(finding_codes::ZIP_OVERLAP, why).in_file(&span.name));
    };
    // The span with the furthest end so far. Later spans may be inside of it.
    let mut furthest: Option<&Span> = None;
    for span in spans {
        if let Some(before) = furthest.filter(|before| span.start < before.end) {
            shares(before);
            shares(span);
        } else if span.end > directory {
            shares(span);
        }
        if furthest.is_none_or(|before| span.end > before.end) {
            furthest = Some(span);
        }
    }
}

/// Reports bytes that belong to no entry. `spans` are all spans, sorted by start. They must
/// fill the file from its first byte up to the directory.
pub(super) fn check_gaps(zip: &[u8], spans: &[Span], directory: u64, broken: &mut Vec<Finding>) {
    if spans.first().map_or(directory, |span| span.start) != 0 {
        let why = "bytes precede the first entry of the archive: create it again, as a single zip";
        broken.push(Finding::new(finding_codes::ZIP_STRAY_BYTES, why));
    }
    for (i, span) in spans.iter().enumerate() {
        let next = spans.get(i + 1).map_or(directory, |next| next.start);
        let gap = usize::try_from(span.end).ok().zip(usize::try_from(next).ok());
        // None if they overlap.
        let Some(gap) = gap.and_then(|(end, next)| zip.get(end..next)) else { continue };
        if gap.is_empty() && span.descriptors.is_empty() || span.descriptors.iter().any(|d| d == gap) {
            continue;
        }
        let finding = if span.descriptors.iter().any(|d| d.len() == gap.len()) {
            let why = "the sizes or checksum after the entry differ from those in the directory";
            Finding::new(finding_codes::ZIP_HEADER_MISMATCH, format!("{why}: create the archive again"))
        } else {
            let why = "bytes that belong to no entry follow this one: create the archive again";
            Finding::new(finding_codes::ZIP_STRAY_BYTES, why)
        };
        broken.push(finding.in_file(&span.name));
    }
}
