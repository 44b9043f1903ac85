//! Read keys: what programs send to a closed registry, and to hosts of its tree that know no accounts.
//!
//! A key is `smr_ENDS_ID_SECRET`: the second in which it ends (Unix time), the digest of `ENDS:SECRET`, and 256
//! random bits in base32. A host has a record for each id, and no secret.
//!
//! The digest is an MD5, because it is the only one that nginx computes (its module `secure_link`).
//! An attacker would have to find the secret of a digest, and no attack on MD5 helps with that. Nobody chooses secrets,
//! so collisions do not matter. Programs that can compute a sha256 compare that of the record, too.

use std::fmt;
use std::io;

use data_encoding::BASE64URL_NOPAD;
use md5::{Digest as _, Md5};
use serde::{Deserialize, Serialize};

use crate::names::Digest;
use crate::random::random_base32;
use crate::time::Timestamp;

const PREFIX: &str = "smr_";
/// The characters of an id: 16 bytes in base64url.
const ID_LENGTH: usize = 22;
/// The characters of a secret: 32 bytes in base32.
const SECRET_LENGTH: usize = 52;
/// The most digits of an end.
const MAX_END_DIGITS: usize = 11;

/// A read key. `Debug` hides it.
#[derive(Clone, PartialEq, Eq)]
pub struct ReadKey {
    text: String,
    ends: Timestamp,
    id: ReadKeyId,
}

impl ReadKey {
    /// A new random key that ends then.
    ///
    /// Errors: the system has no random numbers.
    pub fn generate(ends: Timestamp) -> io::Result<Self> {
        let secret = random_base32::<32>()?;
        let id = ReadKeyId::of(ends.as_unix(), &secret);
        Ok(Self { text: format!("{PREFIX}{}_{}_{secret}", ends.as_unix(), id.0), ends, id })
    }

    /// Parses what a client sends. `None` if it cannot be a key: its form, or its digest, is wrong.
    pub fn read(text: &str) -> Option<Self> {
        let (ends, rest) = text.strip_prefix(PREFIX)?.split_once('_')?;
        let is_form = ends.len() <= MAX_END_DIGITS && rest.len() == ID_LENGTH + 1 + SECRET_LENGTH;
        let (id, secret) = rest.split_at_checked(ID_LENGTH).filter(|_| is_form)?;
        let (id, seconds) = (id.parse().ok()?, ends.parse().ok()?);
        let is_right = id == ReadKeyId::of(seconds, secret.strip_prefix('_')?);
        let ends = Timestamp::from_unix(seconds)?;
        is_right.then(|| Self { text: text.to_owned(), ends, id })
    }

    /// The text itself, to be shown once.
    pub fn reveal(&self) -> &str {
        &self.text
    }

    /// The name of its record.
    pub fn id(&self) -> &ReadKeyId {
        &self.id
    }

    /// The time from which it is not valid.
    pub fn ends(&self) -> Timestamp {
        self.ends
    }

    /// The sha256 of its text.
    pub fn sha256(&self) -> Digest {
        Digest::of(self.text.as_bytes())
    }
}

impl fmt::Debug for ReadKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ReadKey(…)")
    }
}

/// The id of a read key: 22 letters, digits, `-` and `_`. It is no secret.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String")]
pub struct ReadKeyId(String);

impl ReadKeyId {
    fn of(ends: i64, secret: &str) -> Self {
        Self(BASE64URL_NOPAD.encode(&Md5::digest(format!("{ends}:{secret}"))))
    }
}

impl std::str::FromStr for ReadKeyId {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let is_id = text.len() == ID_LENGTH
            && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'));
        is_id.then(|| Self(text.to_owned())).ok_or("the id of a read key has 22 letters, digits, `-` and `_`")
    }
}

impl TryFrom<String> for ReadKeyId {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        text.parse()
    }
}

impl fmt::Display for ReadKeyId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn read_key_is_read_as_it_was_made() {
        let key = ReadKey::generate(Timestamp::from_unix(1_800_000_000).unwrap()).unwrap();
        assert_eq!(ReadKey::read(key.reveal()), Some(key.clone()));
        assert_eq!(format!("{key:?}"), "ReadKey(…)");
    }

    /// The example of docs/private.md, whose id nginx computes as well.
    #[test]
    fn read_key_of_the_documentation_is_valid() {
        let text =
            "smr_1800000000_UW0bMXezvhqi286B6h4oXA_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";
        let key = ReadKey::read(text).unwrap();
        assert_eq!(key.id().to_string(), "UW0bMXezvhqi286B6h4oXA");
        assert_eq!(key.ends(), Timestamp::from_unix(1_800_000_000).unwrap());
    }

    #[test]
    fn changed_read_key_is_refused() {
        let key = ReadKey::generate(Timestamp::from_unix(1_800_000_000).unwrap()).unwrap();
        let text = key.reveal();
        assert_eq!(ReadKey::read(&text.replacen("18", "19", 1)), None, "another end");
        for (at, byte) in text.bytes().enumerate() {
            let mut changed = text.as_bytes().to_vec();
            changed[at] = if byte == b'a' { b'b' } else { b'a' };
            assert_eq!(ReadKey::read(std::str::from_utf8(&changed).unwrap()), None, "{at}");
        }
        for bad in ["", "smr_", "smr___", "smr_1_é_", "smt_aaaa", &text[1..], &text[..text.len() - 1]] {
            assert_eq!(ReadKey::read(bad), None, "{bad}");
        }
    }
}
