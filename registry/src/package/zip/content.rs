//! The content of an untrusted zip entry: unpacked within limits and verified.

use flate2::{Decompress, FlushDecompress, Status};

use crate::package::code;
use crate::package::finding::{Finding, Findings};
use crate::package::limits::{Limits, shown_size};

/// How an entry is packed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(in crate::package) enum Method {
    Stored,
    Deflated,
}

/// An entry's content as it lies in the archive, with what is claimed of it.
pub(in crate::package) struct Packed<'a> {
    pub method: Method,
    pub data: &'a [u8],
    pub crc32: u32,
    pub size: u64,
    /// Why it must not be unpacked at all.
    pub problem: Option<Finding>,
}

/// Unpacks the entries of one archive, and stops where a limit is passed.
pub(in crate::package) struct Unpacker<'l> {
    limits: &'l Limits,
    inflate: Decompress,
    /// Bytes that the whole archive may still unpack to, by the ratio.
    ratio_left: u64,
    /// And by the limit for all files together.
    unpacked_left: u64,
    exhausted: bool,
}

/// Entries up to this size are held to no ratio of their own.
const RATIO_FREE: u64 = 1 << 20;

/// Why an entry has no content.
enum Failure {
    /// It unpacks to more than it claims.
    Larger,
    /// It is damaged, cut off or followed by other bytes.
    Damaged,
}

impl<'l> Unpacker<'l> {
    /// For an archive of `zip_size` bytes.
    pub(super) fn new(zip_size: usize, limits: &'l Limits) -> Self {
        Self {
            limits,
            inflate: Decompress::new(false),
            ratio_left: limits.ratio.saturating_mul(zip_size as u64),
            unpacked_left: limits.unpacked,
            exhausted: false,
        }
    }

    /// The content of one entry; none, and an error, when it is refused.
    ///
    /// What a header claims against its own entry is believed, so that each
    /// such entry can be named and none of them costs any work. Nothing else
    /// is: an entry is unpacked up to its claim and no further.
    pub(in crate::package) fn unpack(
        &mut self,
        path: &str,
        packed: &Packed<'_>,
        findings: &mut Findings,
    ) -> Option<Vec<u8>> {
        // Reported with the frame.
        if packed.problem.is_some() {
            return None;
        }
        if let Some(finding) = self.over_its_limit(packed) {
            findings.error(finding.at(path));
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
        let content = match packed.method {
            Method::Stored => Ok(packed.data.to_vec()),
            Method::Deflated => self.inflate(packed),
        };
        let why = match content {
            Ok(content) if content.len() as u64 == packed.size && rawzip::crc32(&content) == packed.crc32 => {
                return Some(content);
            }
            Err(Failure::Larger) => "the content is larger than its header claims",
            Ok(_) | Err(Failure::Damaged) => {
                "the content is damaged: it doesn't unpack to the declared size and checksum"
            }
        };
        findings.error(Finding::new(code::ZIP_CORRUPT, format!("{why}; make the archive anew")).at(path));
        None
    }

    /// What is wrong with an entry of the claimed size.
    fn over_its_limit(&self, packed: &Packed<'_>) -> Option<Finding> {
        let Limits { file, ratio, .. } = *self.limits;
        if packed.size > ratio.saturating_mul(packed.data.len() as u64).max(RATIO_FREE) {
            let why = format!("the file unpacks to more than {ratio} times its packed size: leave it out");
            return Some(Finding::new(code::RATIO_TOO_HIGH, why));
        }
        if packed.size > file {
            let why = format!("the file is larger than {}: shorten it or leave it out", shown_size(file));
            return Some(Finding::new(code::FILE_TOO_LARGE, why));
        }
        None
    }

    /// What is wrong with all entries together, when one of `size` is added.
    fn over_what_is_left(&self, size: u64) -> Option<Finding> {
        let Limits { unpacked, ratio, .. } = *self.limits;
        if size > self.ratio_left {
            let why = format!(
                "the archive unpacks to more than {ratio} times its size: leave out what is so repetitive"
            );
            return Some(Finding::new(code::RATIO_TOO_HIGH, why));
        }
        if size > self.unpacked_left {
            let why = format!("the files are larger than {} together: leave some out", shown_size(unpacked));
            return Some(Finding::new(code::PACKAGE_TOO_LARGE, why));
        }
        None
    }

    /// Inflates the whole stream, which must end where the data do.
    fn inflate(&mut self, packed: &Packed<'_>) -> Result<Vec<u8>, Failure> {
        self.inflate.reset(false);
        let claimed = usize::try_from(packed.size).map_err(|_| Failure::Larger)?;
        // One byte more than claimed, to see the claim passed.
        let mut content = Vec::with_capacity(claimed.saturating_add(1));
        loop {
            let read = self.inflate.total_in() as usize;
            let rest = packed.data.get(read..).unwrap_or_default();
            let before = content.len();
            let status = self.inflate.decompress_vec(rest, &mut content, FlushDecompress::None);
            if content.len() > claimed {
                return Err(Failure::Larger);
            }
            match status.map_err(|_damaged| Failure::Damaged)? {
                Status::StreamEnd if self.inflate.total_in() == packed.data.len() as u64 => {
                    return Ok(content);
                }
                Status::StreamEnd => return Err(Failure::Damaged),
                _ if content.len() == before && self.inflate.total_in() as usize == read => {
                    return Err(Failure::Damaged);
                }
                _ => {}
            }
        }
    }
}
