//! The secret of a session: 256 random bits in lower-case base32. Only its
//! digest is kept.

use std::fmt;

use data_encoding::BASE32_NOPAD;

use crate::local::LocalError;
use crate::names::Digest;

/// How many characters a key has: 256 bits, five in each.
const LENGTH: usize = 52;

/// What a session is known by; never printed by accident.
#[derive(Clone)]
pub struct SessionKey(String);

impl SessionKey {
    /// A new random key. [`LocalError::Storage`] where the system has no random
    /// numbers to give.
    pub fn generate() -> Result<Self, LocalError> {
        random::<32>().map(Self)
    }

    /// The key that a client sends; None for what cannot be one.
    pub fn read(text: &str) -> Option<Self> {
        let fits = text.len() == LENGTH && text.bytes().all(|b| matches!(b, b'a'..=b'z' | b'2'..=b'7'));
        fits.then(|| Self(text.to_owned()))
    }

    /// The key itself, for its one showing.
    pub fn reveal(&self) -> &str {
        &self.0
    }

    /// What is kept of it: a plain sha256 suffices for 256 random bits.
    pub(super) fn digest(&self) -> String {
        Digest::of(self.0.as_bytes()).to_string()
    }
}

impl fmt::Debug for SessionKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SessionKey(…)")
    }
}

/// `BYTES` random bytes in lower-case base32.
pub(super) fn random<const BYTES: usize>() -> Result<String, LocalError> {
    let mut bytes = [0; BYTES];
    getrandom::fill(&mut bytes)
        .map_err(|why| LocalError::Storage(format!("the system has no random numbers: {why}")))?;
    Ok(BASE32_NOPAD.encode(&bytes).to_ascii_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_made_is_read_and_nothing_else() {
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
