//! The secret of a session: 256 random bits in lower-case base32. Only digests
//! of it are stored.

use std::{fmt, io};

use crate::names::Digest;
use crate::random::random_base32;

/// The length of a key: 256 bits, five in each character.
const LENGTH: usize = 52;

/// The length of a public id: 80 bits.
const ID_LENGTH: usize = 16;

/// The secret that identifies a session. `Debug` hides it.
#[derive(Clone)]
pub struct SessionKey(String);

impl SessionKey {
    /// A new random key.
    ///
    /// Errors: the system has no random numbers.
    pub fn generate() -> io::Result<Self> {
        random_base32::<32>().map(Self)
    }

    /// Parses the key that a client sends, or returns None.
    pub fn read(text: &str) -> Option<Self> {
        let fits = text.len() == LENGTH && text.bytes().all(|b| matches!(b, b'a'..=b'z' | b'2'..=b'7'));
        fits.then(|| Self(text.to_owned()))
    }

    /// The key itself, to be shown once.
    pub fn reveal(&self) -> &str {
        &self.0
    }

    /// The digest to store. A plain sha256 suffices for 256 random bits.
    pub(super) fn digest(&self) -> Digest {
        Digest::of(self.0.as_bytes())
    }

    /// The public id of the session: 16 letters and digits, from another digest of the key than the stored one.
    pub(super) fn id(&self) -> String {
        let digest = Digest::of(format!("public id of {}", self.0).as_bytes());
        let mut id = data_encoding::BASE32_NOPAD.encode(digest.as_bytes()).to_ascii_lowercase();
        id.truncate(ID_LENGTH);
        id
    }
}

impl fmt::Debug for SessionKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SessionKey(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn read_accepts_generated_keys_only() {
        let (one, other) = (SessionKey::generate().unwrap(), SessionKey::generate().unwrap());
        assert_ne!(one.reveal(), other.reveal());
        assert_eq!(SessionKey::read(one.reveal()).unwrap().digest(), one.digest());
        assert!(!format!("{one:?}").contains(one.reveal()));
        let upper = one.reveal().to_ascii_uppercase();
        for text in ["", &one.reveal()[1..], &format!("{}a", one.reveal()), &upper] {
            assert!(SessionKey::read(text).is_none(), "{text}");
        }
    }
}
