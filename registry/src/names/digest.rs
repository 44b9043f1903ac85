//! SHA-256 digests.

use std::fmt;
use std::str::FromStr;

use data_encoding::{BASE64, HEXLOWER};
use sha2::{Digest as _, Sha256};

use super::{NameError, text_forms};

/// A SHA-256 (FIPS 180-4); its text is 64 lower-case hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Digest([u8; 32]);

impl Digest {
    /// The digest of `bytes`.
    pub fn of(bytes: &[u8]) -> Self {
        Self(Sha256::digest(bytes).into())
    }

    /// The 32 bytes.
    pub fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }

    /// Padded base64, as `Repr-Digest` wants it (RFC 9530).
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
            .ok_or_else(|| NameError("a sha256 digest has exactly 64 lower-case hexadecimal digits".into()))
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        HEXLOWER.encode_display(&self.0).fmt(f)
    }
}

text_forms!(Digest);

/// A digest in the making. Cloning it keeps what was fed so far.
#[derive(Clone, Default)]
pub struct DigestBuilder(Sha256);

impl DigestBuilder {
    /// Feeds more bytes.
    pub fn update(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    /// The digest of all that was fed.
    pub fn finish(self) -> Digest {
        Digest(self.0.finalize().into())
    }
}

impl std::io::Write for DigestBuilder {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.update(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_answer() {
        // FIPS 180-4 example: the message "abc".
        let abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(Digest::of(b"abc").to_string(), abc);
        assert_eq!(abc.parse(), Ok(Digest::of(b"abc")));
        assert!(abc.to_uppercase().parse::<Digest>().is_err());
        assert!("ab".parse::<Digest>().is_err());
    }
}
