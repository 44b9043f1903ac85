//! The content of an untrusted zip entry: unpacked within limits and verified.

use flate2::{Decompress, FlushDecompress, Status};

use super::code;
use super::finding::{Finding, Findings};
use super::limits::{Limits, shown_size};

/// How an entry is packed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Method {
    Stored,
    Deflated,
}

/// An entry's content as it lies in the archive, with what is claimed of it.
pub(super) struct Packed<'a> {
    pub method: Method,
    pub data: &'a [u8],
    pub crc32: u32,
    pub size: u64,
    /// Why it must not be unpacked at all.
    pub problem: Option<Finding>,
}

/// Unpacks the entries of one archive, and stops where a limit is passed.
pub(super) struct Unpacker<'l> {
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
    /// It passed the tightest bound.
    OverCap,
    /// It is damaged, cut off or followed by other bytes.
    Damaged,
}

/// A bound on one entry, and what it means to pass it.
struct Cap {
    bytes: u64,
    code: &'static str,
    why: String,
    /// Whether passing it ends the reading of the whole archive.
    ends_all: bool,
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
    pub(super) fn unpack(
        &mut self,
        path: &str,
        packed: &Packed<'_>,
        findings: &mut Findings,
    ) -> Option<Vec<u8>> {
        if self.exhausted {
            return None;
        }
        if let Some(problem) = &packed.problem {
            findings.error(problem.clone().at(path));
            return None;
        }
        let cap = self.cap(packed.data.len() as u64);
        let content = match packed.method {
            Method::Stored if packed.data.len() as u64 > cap.bytes => Err(Failure::OverCap),
            Method::Stored => Ok(packed.data.to_vec()),
            Method::Deflated => self.inflate(packed, cap.bytes),
        };
        let used = content.as_ref().map_or(cap.bytes, |content| content.len() as u64);
        self.ratio_left = self.ratio_left.saturating_sub(used);
        self.unpacked_left = self.unpacked_left.saturating_sub(used);
        match content {
            Ok(content) if content.len() as u64 == packed.size && rawzip::crc32(&content) == packed.crc32 => {
                Some(content)
            }
            Err(Failure::OverCap) => {
                self.exhausted = cap.ends_all;
                let finding = Finding::new(cap.code, cap.why);
                findings.error(if cap.ends_all { finding } else { finding.at(path) });
                None
            }
            Ok(_) | Err(Failure::Damaged) => {
                let why = "the content is damaged: it doesn't unpack to the declared size and checksum";
                findings
                    .error(Finding::new(code::ZIP_CORRUPT, format!("{why}; make the archive anew")).at(path));
                None
            }
        }
    }

    /// The tightest bound on an entry of `packed` bytes.
    fn cap(&self, packed: u64) -> Cap {
        let limits = self.limits;
        let ratio = limits.ratio;
        let cap = |bytes, code, why, ends_all| Cap { bytes, code, why, ends_all };
        let mut caps = vec![
            cap(
                self.ratio_left,
                code::RATIO_TOO_HIGH,
                format!(
                    "the archive unpacks to more than {ratio} times its size: leave out what is so repetitive"
                ),
                true,
            ),
            cap(
                self.unpacked_left,
                code::PACKAGE_TOO_LARGE,
                format!("the files are larger than {} together: leave some out", shown_size(limits.unpacked)),
                true,
            ),
            cap(
                limits.file,
                code::FILE_TOO_LARGE,
                format!("the file is larger than {}: shorten it or leave it out", shown_size(limits.file)),
                false,
            ),
            cap(
                ratio.saturating_mul(packed).max(RATIO_FREE),
                code::RATIO_TOO_HIGH,
                format!("the file unpacks to more than {ratio} times its packed size: leave it out"),
                false,
            ),
        ];
        // The list is never empty and `min_by_key` takes the first of equals.
        let tightest = (0..caps.len()).min_by_key(|&i| caps[i].bytes).unwrap_or_default();
        caps.swap_remove(tightest)
    }

    /// Inflates the whole stream, which must end where the data do.
    fn inflate(&mut self, packed: &Packed<'_>, cap: u64) -> Result<Vec<u8>, Failure> {
        self.inflate.reset(false);
        let cap = usize::try_from(cap).unwrap_or(usize::MAX);
        let claimed = usize::try_from(packed.size).unwrap_or(usize::MAX);
        // One byte more than allowed, to see the limit passed.
        let mut content = Vec::with_capacity(claimed.min(cap).saturating_add(1));
        loop {
            let read = self.inflate.total_in() as usize;
            let rest = packed.data.get(read..).unwrap_or_default();
            let before = content.len();
            let status = self.inflate.decompress_vec(rest, &mut content, FlushDecompress::None);
            if content.len() > cap {
                return Err(Failure::OverCap);
            }
            match status.map_err(|_damaged| Failure::Damaged)? {
                Status::StreamEnd if self.inflate.total_in() == packed.data.len() as u64 => {
                    return Ok(content);
                }
                Status::StreamEnd => return Err(Failure::Damaged),
                // Only more room makes progress where there is none left.
                _ if content.len() == content.capacity() => {
                    content.reserve(content.len().clamp(1 << 10, 1 << 20));
                }
                _ if content.len() == before && self.inflate.total_in() as usize == read => {
                    return Err(Failure::Damaged);
                }
                _ => {}
            }
        }
    }
}
