//! Unpacks and verifies the content of an untrusted entry, within limits.

use flate2::{Decompress, FlushDecompress, Status};

use crate::package::finding::{Finding, Findings};
use crate::package::finding_codes;
use crate::package::limits::Limits;

/// The packed content of an entry, and the claims of its header.
pub(in crate::package) struct Packed<'a> {
    /// Whether the data are deflated. Otherwise they are stored.
    pub is_deflated: bool,
    pub data: &'a [u8],
    pub crc32: u32,
    pub size: u64,
    /// Why the entry must not be unpacked.
    pub problem: Option<Finding>,
}

/// Unpacks the entries of an archive until a limit is exceeded.
pub(in crate::package) struct Unpacker<'l> {
    limits: &'l Limits,
    decoder: Decompress,
    /// Bytes that may still be unpacked before the ratio of the archive is exceeded.
    ratio_left: u64,
    /// Bytes that may still be unpacked before the limit of all files is exceeded.
    unpacked_left: u64,
    /// The error if the sizes that headers claim are over the limit of all files.
    too_large: Option<Finding>,
    /// Whether a limit of the whole archive is exceeded. Later entries are not unpacked.
    exhausted: bool,
}

/// Unpacked size up to which the ratio of an entry is not limited.
const SIZE_WITHOUT_RATIO_LIMIT: u64 = 1 << 20;

/// Why an entry could not be unpacked.
enum Failure {
    /// The content is larger than claimed.
    Larger,
    /// The content is damaged, cut off or followed by other bytes.
    Damaged,
}

impl<'l> Unpacker<'l> {
    /// Creates the unpacker of an archive of `zip_size` bytes.
    pub(super) fn new(zip_size: usize, limits: &'l Limits, too_large: Option<Finding>) -> Self {
        Self {
            limits,
            decoder: Decompress::new(false),
            ratio_left: limits.ratio.saturating_mul(zip_size as u64),
            unpacked_left: limits.unpacked,
            too_large,
            exhausted: false,
        }
    }

    /// Unpacks an entry. Returns None if the entry is refused. Its error is in `findings`;
    /// after a limit of the whole archive only the first one is.
    ///
    /// An entry whose claimed size is over a limit is refused without unpacking. Any other
    /// entry is unpacked, but no further than its claimed size, and must have exactly that
    /// size and checksum.
    pub(in crate::package) fn unpack(
        &mut self,
        path: &str,
        packed: &Packed<'_>,
        findings: &mut Findings,
    ) -> Option<Vec<u8>> {
        // `zip::open` has reported the problem.
        if packed.problem.is_some() {
            return None;
        }
        if let Some(finding) = self.over_its_limit(packed) {
            findings.error(finding.in_file(path));
            return None;
        }
        if self.exhausted {
            return None;
        }
        if let Some(finding) = self.over_what_is_left(packed.size) {
            self.exhausted = true;
            findings.error(finding);
            return None;
        }
        self.ratio_left -= packed.size;
        self.unpacked_left -= packed.size;
        let content = if packed.is_deflated { self.inflate(packed) } else { Ok(packed.data.to_vec()) };
        let why = match content {
            Ok(content) if content.len() as u64 == packed.size && rawzip::crc32(&content) == packed.crc32 => {
                return Some(content);
            }
            Err(Failure::Larger) => "the content is larger than its header claims",
            Ok(_) | Err(Failure::Damaged) => {
                "the content is damaged: it does not unpack to the declared size and checksum"
            }
        };
        findings.error(
            Finding::new(finding_codes::ZIP_CORRUPT, format!("{why}; create the archive again"))
                .in_file(path),
        );
        None
    }

    /// Checks the claimed size of an entry.
    fn over_its_limit(&self, packed: &Packed<'_>) -> Option<Finding> {
        let ratio = self.limits.ratio;
        if packed.size > ratio.saturating_mul(packed.data.len() as u64).max(SIZE_WITHOUT_RATIO_LIMIT) {
            let why = format!("the file unpacks to more than {ratio} times its packed size: leave it out");
            return Some(Finding::new(finding_codes::RATIO_TOO_HIGH, why));
        }
        self.limits.check_file(packed.size)
    }

    /// Checks the size of all entries, with another one of `size` bytes.
    fn over_what_is_left(&self, size: u64) -> Option<Finding> {
        let ratio = self.limits.ratio;
        if size > self.ratio_left {
            let why = format!(
                "the archive unpacks to more than {ratio} times its size: leave out repetitive files"
            );
            return Some(Finding::new(finding_codes::RATIO_TOO_HIGH, why));
        }
        let too_large = || self.too_large.clone().unwrap_or_else(|| self.limits.too_large_together(""));
        (size > self.unpacked_left).then(too_large)
    }

    /// Inflates the data. The stream must end at their end.
    fn inflate(&mut self, packed: &Packed<'_>) -> Result<Vec<u8>, Failure> {
        self.decoder.reset(false);
        let claimed = usize::try_from(packed.size).map_err(|_| Failure::Larger)?;
        // One byte more than claimed, to notice a larger content.
        let mut content = Vec::with_capacity(claimed.saturating_add(1));
        loop {
            let read = self.decoder.total_in() as usize;
            let rest = packed.data.get(read..).unwrap_or_default();
            let before = content.len();
            let status = self.decoder.decompress_vec(rest, &mut content, FlushDecompress::None);
            if content.len() > claimed {
                return Err(Failure::Larger);
            }
            match status.map_err(|_damaged| Failure::Damaged)? {
                Status::StreamEnd if self.decoder.total_in() == packed.data.len() as u64 => {
                    return Ok(content);
                }
                Status::StreamEnd => return Err(Failure::Damaged),
                _ if content.len() == before && self.decoder.total_in() as usize == read => {
                    return Err(Failure::Damaged);
                }
                _ => {}
            }
        }
    }
}
