//! Compresses documents with gzip, to the same bytes on every machine.

use std::cell::RefCell;
use std::io;

use flate2::{Compress, Compression, Crc, FlushCompress, Status};

/// Leaves a third of 1,400 documents of 3.5 KB each. Level 1 is twice as fast and leaves nearly
/// half; levels 2 to 9 hardly differ.
const LEVEL: u32 = 6;

/// The largest document that is never compressed, in bytes: it fits into one packet as it is.
pub const MAX_PLAIN: u64 = 1024;

/// No flags, no name, no time, no hint about the level, system unknown (255):
/// RFC 1952, section 2.3.
const HEADER: [u8; 10] = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255];

thread_local! {
    // Some hundred kilobytes: slow to allocate for every document.
    static DEFLATE: RefCell<Compress> = RefCell::new(Compress::new(Compression::new(LEVEL), false));
}

/// Compresses `bytes`. Errors come from the compressor, not from the input.
pub fn gzip(bytes: &[u8]) -> io::Result<Vec<u8>> {
    let mut out = Vec::with_capacity(bytes.len() / 2 + 64);
    out.extend_from_slice(&HEADER);
    DEFLATE.with_borrow_mut(|deflate| deflated(deflate, bytes, &mut out))?;
    let mut crc = Crc::new();
    crc.update(bytes);
    out.extend_from_slice(&crc.sum().to_le_bytes());
    out.extend_from_slice(&crc.amount().to_le_bytes());
    Ok(out)
}

fn deflated(deflate: &mut Compress, bytes: &[u8], out: &mut Vec<u8>) -> io::Result<()> {
    deflate.reset();
    loop {
        let read = usize::try_from(deflate.total_in()).unwrap_or(usize::MAX);
        let rest = bytes.get(read..).unwrap_or_default();
        match deflate.compress_vec(rest, out, FlushCompress::Finish)? {
            Status::StreamEnd => return Ok(()),
            // The buffer is full.
            Status::Ok | Status::BufError => out.reserve(out.capacity()),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use registry::names::Digest;

    use super::*;

    /// A text like a page of a list of `items` entries.
    fn document(items: usize) -> Vec<u8> {
        let item = |n: usize| {
            let digest = Digest::of(&n.to_le_bytes());
            format!(
                "{{\"slug\":\"skill-{n}\",\"description\":\"Does {}.\",\"sha256\":\"{digest}\"}}",
                n * 7919
            )
        };
        (0..items).map(item).collect::<Vec<_>>().join(",").into_bytes()
    }

    #[test]
    fn gzip_round_trips() {
        for items in [0, 1, 20, 3000, 2] {
            let bytes = document(items);
            let mut read = Vec::new();
            flate2::read::GzDecoder::new(&*gzip(&bytes).unwrap()).read_to_end(&mut read).unwrap();
            assert!(read == bytes, "{items} items");
        }
    }

    /// Trees of different machines and releases are compared byte for byte. If a new compressor
    /// fails this test, raise `FORMAT`.
    #[test]
    fn gzip_bytes_match_the_golden_digest() {
        let golden = "54b17594908c64ee636ec4255303aab0cca00e32b780b59a8dbc24e17b5f4e42";
        for _ in 0..2 {
            let made = gzip(&document(200)).unwrap();
            assert_eq!(Digest::of(&made).to_string(), golden, "{} bytes", made.len());
            gzip(&document(3)).unwrap();
        }
        assert_eq!(&gzip(b"{}\n").unwrap()[..10], HEADER);
    }
}
