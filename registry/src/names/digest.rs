//! SHA-256 digests.

use std::fmt;
use std::io::{self, Read, Write};
use std::str::FromStr;

use data_encoding::{BASE64, HEXLOWER};
use sha2::{Digest as _, Sha256};

use super::{NameError, text_forms};

/// A SHA-256 (FIPS 180-4). As text it is 64 lower-case hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Digest([u8; 32]);

impl Digest {
    /// Computes the digest of `bytes`.
    pub fn of(bytes: &[u8]) -> Self {
        Self(Sha256::digest(bytes).into())
    }

    /// Computes the digest and the number of all bytes that `reader` still has.
    pub fn of_reader(reader: impl Read) -> io::Result<(Self, u64)> {
        copy_with_digest(reader, io::sink())
    }

    /// The digest as bytes.
    pub fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }

    /// The digest as padded base64, which the header `Repr-Digest` has (RFC 9530).
    pub fn to_base64(&self) -> String {
        BASE64.encode(&self.0)
    }
}

impl From<[u8; 32]> for Digest {
    fn from(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }
}

impl FromStr for Digest {
    type Err = NameError;

    fn from_str(text: &str) -> Result<Self, NameError> {
        let bytes = HEXLOWER.decode(text.as_bytes()).ok();
        bytes
            .and_then(|b| b.try_into().ok())
            .map(Self)
            .ok_or_else(|| NameError::new("a sha256 digest has exactly 64 lower-case hexadecimal digits"))
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        HEXLOWER.encode_display(&self.0).fmt(f)
    }
}

text_forms!(Digest);

/// Copies `reader` to `writer`. Returns the digest and the number of the bytes.
pub fn copy_with_digest(mut reader: impl Read, mut writer: impl Write) -> io::Result<(Digest, u64)> {
    let mut digest = DigestBuilder::default();
    // On the stack: for small files, fresh pages would take longer than the digest.
    let (mut buffer, mut length) = ([0; 16 << 10], 0);
    loop {
        let read = reader.read(&mut buffer)?;
        if read == 0 {
            return Ok((digest.finish(), length));
        }
        digest.update(&buffer[..read]);
        writer.write_all(&buffer[..read])?;
        length += read as u64;
    }
}

/// Computes a digest from pieces. A clone continues from the same state.
#[derive(Clone, Default)]
pub struct DigestBuilder(Sha256);

impl DigestBuilder {
    /// Adds bytes.
    pub fn update(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    /// Returns the digest of all bytes that were added.
    pub fn finish(self) -> Digest {
        Digest(self.0.finalize().into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digest_of_known_message_is_as_published() {
        // FIPS 180-4 example: the message "abc".
        let abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(Digest::of(b"abc").to_string(), abc);
        assert_eq!(abc.parse(), Ok(Digest::of(b"abc")));
        assert!(abc.to_uppercase().parse::<Digest>().is_err());
        assert!("ab".parse::<Digest>().is_err());
        let mut copy = Vec::new();
        assert_eq!(copy_with_digest(&b"abc"[..], &mut copy).unwrap(), (Digest::of(b"abc"), 3));
        assert_eq!(copy, b"abc");
    }
}
