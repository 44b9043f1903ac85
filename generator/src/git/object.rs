//! Objects of git (gitformat-pack(5)): their ids, and how a pack has them.

use std::fmt;
use std::str::FromStr;

use registry::package::PackedData;
use sha1::{Digest, Sha1};

/// The SHA-1 of an object.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ObjectId(pub(super) [u8; 20]);

impl fmt::Display for ObjectId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

/// The text is not 40 lower-case hexadecimal digits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("an object id has 40 hexadecimal digits")]
pub struct InvalidObjectId;

impl FromStr for ObjectId {
    type Err = InvalidObjectId;

    fn from_str(text: &str) -> Result<Self, InvalidObjectId> {
        let bytes = data_encoding::HEXLOWER.decode(text.as_bytes()).map_err(|_| InvalidObjectId)?;
        bytes.try_into().map(Self).map_err(|_| InvalidObjectId)
    }
}

/// The kind of an object.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Commit,
    Tree,
    Blob,
}

impl Kind {
    /// The number in a pack, and the name in the hashed header.
    fn names(self) -> (u8, &'static str) {
        match self {
            Self::Commit => (1, "commit"),
            Self::Tree => (2, "tree"),
            Self::Blob => (3, "blob"),
        }
    }

    /// The id of an object with this content.
    pub fn id(self, content: &[u8]) -> ObjectId {
        let header = format!("{} {}\0", self.names().1, content.len());
        ObjectId(Sha1::new().chain_update(header).chain_update(content).finalize().into())
    }
}

/// An object of a pack.
pub(super) struct Object<'z> {
    pub kind: Kind,
    pub size: usize,
    pub adler: u32,
    pub data: PackedData<'z>,
}

impl<'z> Object<'z> {
    /// An object that is stored without compression.
    pub fn stored(kind: Kind, content: &'z [u8]) -> Self {
        Self { kind, size: content.len(), adler: adler32(content), data: PackedData::Stored(content) }
    }

    /// Writes the entry of a pack: kind and size, then the content as a zlib stream (RFC 1950).
    pub fn write(&self, mut put: impl FnMut(&[u8])) {
        put(&entry_header(self.kind, self.size));
        // A window of 32 KiB. The second byte only says how well it is compressed.
        match self.data {
            PackedData::Deflated(data) => {
                put(&[0x78, 0x9c]);
                put(data);
            }
            PackedData::Stored(data) => {
                put(&[0x78, 0x01]);
                stored_blocks(data, &mut put);
            }
        }
        put(&self.adler.to_be_bytes());
    }
}

/// Kind and size: four bits of the size and then seven in each byte, the lowest first.
fn entry_header(kind: Kind, size: usize) -> Vec<u8> {
    let mut bytes = vec![kind.names().0 << 4 | (size & 0xf) as u8];
    let mut rest = size >> 4;
    while rest > 0 {
        if let Some(last) = bytes.last_mut() {
            *last |= 0x80;
        }
        bytes.push((rest & 0x7f) as u8);
        rest >>= 7;
    }
    bytes
}

/// Writes a deflate stream of stored blocks (RFC 1951, section 3.2.4).
fn stored_blocks(data: &[u8], put: &mut impl FnMut(&[u8])) {
    let blocks = data.chunks(usize::from(u16::MAX));
    let blocks = blocks.chain(data.is_empty().then_some(data));
    let last = data.len().div_ceil(usize::from(u16::MAX)).max(1) - 1;
    for (number, block) in blocks.enumerate() {
        // Lossless: a chunk has at most as many bytes.
        let length = block.len() as u16;
        let ([a, b], [c, d]) = (length.to_le_bytes(), (!length).to_le_bytes());
        put(&[u8::from(number == last), a, b, c, d]);
        put(block);
    }
}

/// The checksum of a zlib stream (RFC 1950, section 9).
pub(super) fn adler32(data: &[u8]) -> u32 {
    const MODULUS: u32 = 65_521;
    /// As many bytes can be added before the sums exceed 32 bits.
    const CHUNK: usize = 5552;
    let (mut a, mut b) = (1u32, 0u32);
    for chunk in data.chunks(CHUNK) {
        for byte in chunk {
            a += u32::from(*byte);
            b += a;
        }
        a %= MODULUS;
        b %= MODULUS;
    }
    b << 16 | a
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use flate2::read::ZlibDecoder;
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn ids_are_those_of_git() {
        // `git hash-object`.
        assert_eq!(Kind::Blob.id(b"").to_string(), "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391");
        assert_eq!(Kind::Blob.id(b"hello\n").to_string(), "ce013625030ba8dba906f756967f9e9ca394464a");
        assert_eq!(Kind::Tree.id(b"").to_string(), "4b825dc642cb6eb9a060e54bf8d69288fbee4904");
    }

    #[test]
    fn invalid_object_id_is_refused() {
        let good = "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391";
        assert_eq!(good.parse::<ObjectId>().unwrap().to_string(), good);
        for bad in ["", "e69d", &good[..39], &format!("{good}0"), &good.to_uppercase(), &"g".repeat(40)] {
            assert_eq!(bad.parse::<ObjectId>(), Err(InvalidObjectId), "{bad}");
        }
    }

    #[test]
    fn entry_header_has_kind_and_size() {
        assert_eq!(entry_header(Kind::Commit, 0), [0x10]);
        assert_eq!(entry_header(Kind::Blob, 15), [0x3f]);
        assert_eq!(entry_header(Kind::Tree, 16), [0xa0, 0x01]);
        assert_eq!(entry_header(Kind::Blob, 0x1234), [0xb4, 0xa3, 0x02]);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn stored_object_is_a_zlib_stream(byte in any::<u8>(), length in prop_oneof![Just(0), Just(65_535), Just(65_536), Just(131_070), 0..200_000usize]) {
            let content: Vec<u8> = (0..length).map(|at| byte.wrapping_add((at * at / 7) as u8)).collect();
            let (mut written, mut unpacked) = (Vec::new(), Vec::new());
            Object::stored(Kind::Blob, &content).write(|bytes| written.extend_from_slice(bytes));
            let header = entry_header(Kind::Blob, length).len();
            let mut decoder = ZlibDecoder::new(&written[header..]);
            decoder.read_to_end(&mut unpacked).unwrap();
            prop_assert!(unpacked == content);
            prop_assert_eq!(decoder.total_in() as usize, written.len() - header);
        }
    }
}
