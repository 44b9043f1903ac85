//! Passwords: the rules for new ones, and their hashes.

use std::fmt;

use argon2::password_hash::phc::PasswordHash;
use argon2::{ARGON2ID_IDENT, Argon2, Params, PasswordHasher, PasswordVerifier};
use serde::de::{Deserialize, Deserializer, Error as _, IgnoredAny};

use crate::journal::Cause;

/// The shortest password (NIST SP 800-63B).
const MIN_CHARACTERS: usize = 8;
/// The longest password. Longer ones add no security, so any limit will do.
const MAX_CHARACTERS: usize = 256;

/// A hash with the parameters of ours that no password has. Users without a
/// password are checked against it, so that they take as long as others.
const DUMMY_HASH: &str = "$argon2id$v=19$m=19456,t=2,p=1$AAAAAAAAAAAAAAAAAAAAAA$\
                          AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";

/// A password as typed. `Debug` hides it.
#[derive(Clone)]
pub struct Password(String);

/// Why a new password is refused. The message continues "`password`: …".
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum PasswordError {
    /// It is easy to guess.
    #[error("it must have at least {MIN_CHARACTERS} characters: choose a longer one")]
    TooShort,
    /// It is longer than useful.
    #[error("it must have at most {MAX_CHARACTERS} characters: choose a shorter one")]
    TooLong,
}

/// Why a password could not be hashed. Never contains the password.
#[derive(Debug, thiserror::Error)]
#[error("the password cannot be hashed")]
pub struct HashError(#[source] Cause);

impl Password {
    /// Checks that it may be a new password: 8 to 256 characters of any kind.
    pub fn check(&self) -> Result<(), PasswordError> {
        match self.0.chars().count() {
            ..MIN_CHARACTERS => Err(PasswordError::TooShort),
            MIN_CHARACTERS..=MAX_CHARACTERS => Ok(()),
            _ => Err(PasswordError::TooLong),
        }
    }

    /// Hashes it with argon2id (RFC 9106), 19 MiB, two passes and a salt of 128
    /// random bits, and returns a PHC string. This keeps a processor busy for
    /// tens of milliseconds.
    pub fn hash(&self) -> Result<String, HashError> {
        let hash = Argon2::default().hash_password(self.0.as_bytes());
        hash.map(|hash| hash.to_string()).map_err(|error| HashError(error.into()))
    }

    /// Whether `phc` is a hash of this password. Takes as long if there is no
    /// hash, or an invalid one.
    pub fn matches(&self, phc: Option<&str>) -> bool {
        let Some((hash, is_stored)) = hash_to_compare(phc) else { return false };
        Argon2::default().verify_password(self.0.as_bytes(), &hash).is_ok() && is_stored
    }
}

/// Whether `phc` is an argon2id hash that a login can be compared with: at most
/// 64 MiB, 8 passes and 4 lanes. A higher cost would stop the server.
pub fn is_password_hash(phc: &str) -> bool {
    let Ok(hash) = PasswordHash::new(phc) else { return false };
    let Ok(params) = Params::try_from(&hash) else { return false };
    hash.algorithm == ARGON2ID_IDENT
        && hash.hash.is_some()
        && (params.m_cost() <= 64 * 1024 && params.t_cost() <= 8 && params.p_cost() <= 4)
}

/// The stored hash, and true. Without a valid one: [`DUMMY_HASH`], and false,
/// so that the time of a comparison does not tell which accounts exist.
fn hash_to_compare(phc: Option<&str>) -> Option<(PasswordHash, bool)> {
    let stored = phc.and_then(|phc| PasswordHash::new(phc).ok());
    let is_stored = stored.is_some();
    Some((stored.or_else(|| PasswordHash::new(DUMMY_HASH).ok())?, is_stored))
}

impl From<String> for Password {
    fn from(text: String) -> Self {
        Self(text)
    }
}

impl<'de> Deserialize<'de> for Password {
    /// Accepts a string. The error for anything else does not repeat it.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(serde::Deserialize)]
        #[serde(untagged)]
        enum Sent {
            Text(String),
            Other(IgnoredAny),
        }
        match Sent::deserialize(deserializer)? {
            Sent::Text(text) => Ok(Self(text)),
            Sent::Other(_) => Err(D::Error::custom("it must be a string")),
        }
    }
}

impl fmt::Debug for Password {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Password(…)")
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn password(text: &str) -> Password {
        text.to_owned().into()
    }

    #[test]
    fn check_accepts_8_to_256_characters() {
        for fit in ["12345678", "ääääääää", &"🔑".repeat(256)] {
            assert_eq!(password(fit).check(), Ok(()));
        }
        assert_eq!(password("ääääääa").check(), Err(PasswordError::TooShort));
        assert_eq!(password(&"a".repeat(257)).check(), Err(PasswordError::TooLong));
    }

    #[test]
    fn matches_is_true_for_hashes_of_the_same_password_only() {
        let right = password("correct horse");
        let (one, other) = (right.hash().unwrap(), right.hash().unwrap());
        assert_ne!(one, other, "salted");
        assert!(!one.contains("correct horse"));
        assert!(right.matches(Some(&one)) && right.matches(Some(&other)));
        assert!(!password("correct horsf").matches(Some(&one)));
        assert!(!right.matches(None) && !right.matches(Some("")) && !right.matches(Some("$argon2id$")));
        assert!(!right.matches(Some(DUMMY_HASH)));
    }

    #[test]
    fn dummy_hash_has_the_parameters_of_new_hashes() {
        let made = password("12345678").hash().unwrap();
        let (made, dummy) = (PasswordHash::new(&made).unwrap(), PasswordHash::new(DUMMY_HASH).unwrap());
        assert_eq!((made.algorithm, made.version), (dummy.algorithm, dummy.version));
        assert_eq!(made.params.to_string(), dummy.params.to_string());
        assert_eq!(made.salt.unwrap().len(), dummy.salt.unwrap().len());
        assert_eq!(made.hash.unwrap().len(), dummy.hash.unwrap().len());
    }

    #[test]
    fn comparison_without_a_usable_hash_uses_the_dummy_hash() {
        let dummy = PasswordHash::new(DUMMY_HASH).unwrap();
        for absent in [None, Some(""), Some("no hash")] {
            assert_eq!(hash_to_compare(absent), Some((dummy.clone(), false)), "{absent:?}");
        }
        let hash = password("12345678").hash().unwrap();
        assert_eq!(hash_to_compare(Some(&hash)), Some((PasswordHash::new(&hash).unwrap(), true)));
    }

    #[test]
    fn debug_and_errors_hide_the_password() {
        assert!(!format!("{:?}", password("hunter22")).contains("hunter22"));
        for json in ["20261121", "[\"hunter22\"]", "{\"hunter22\":1}", "true"] {
            let why = serde_json::from_str::<Password>(json).unwrap_err().to_string();
            assert!(why.contains("must be a string") && !why.contains("20261121"), "{why}");
            assert!(!why.contains("hunter22"), "{why}");
        }
        assert!(serde_json::from_str::<Password>("\"\\u0061bc\"").is_ok());
    }
}
