//! Passwords: what one may be, and the hash that is kept of it.

use std::fmt;

use argon2::password_hash::{PasswordHash, SaltString};
use argon2::{Argon2, PasswordHasher, PasswordVerifier};
use serde::de::{Deserialize, Deserializer, Error as _, IgnoredAny};

/// The shortest password there may be, in characters (NIST SP 800-63B).
const MIN_CHARACTERS: usize = 8;
/// The longest one. Longer ones add nothing; any bound will do.
const MAX_CHARACTERS: usize = 256;

/// The hash of no password, made as ours are: what a password is compared with
/// where there is none, so that this takes as long.
const DUMMY_HASH: &str = "$argon2id$v=19$m=19456,t=2,p=1$AAAAAAAAAAAAAAAAAAAAAA$\
                       AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";

/// What somebody has typed as a password; never printed by accident.
#[derive(Clone)]
pub struct Password(String);

/// Why a text is not taken for a new password. Goes on after a colon.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum PasswordError {
    /// Anyone would guess it.
    #[error("it must have at least {MIN_CHARACTERS} characters: choose a longer one")]
    TooShort,
    /// Nobody needs it.
    #[error("it must have at most {MAX_CHARACTERS} characters: choose a shorter one")]
    TooLong,
}

/// Why there is no hash. Never has the password in it.
#[derive(Debug, Clone, thiserror::Error)]
#[error("a password could not be hashed: {0}")]
pub struct HashError(String);

impl Password {
    /// Whether it may be somebody's new one: 8 to 256 characters of any kind.
    pub fn check(&self) -> Result<(), PasswordError> {
        match self.0.chars().count() {
            ..MIN_CHARACTERS => Err(PasswordError::TooShort),
            MIN_CHARACTERS..=MAX_CHARACTERS => Ok(()),
            _ => Err(PasswordError::TooLong),
        }
    }

    /// What is kept of it: argon2id (RFC 9106) with 19 MiB and two passes, with
    /// a salt of 128 random bits, as a PHC string. Keeps a processor busy for
    /// some tens of milliseconds.
    pub fn hash(&self) -> Result<String, HashError> {
        let mut random = [0; 16];
        getrandom::fill(&mut random).map_err(|why| HashError(why.to_string()))?;
        let salt = SaltString::encode_b64(&random).map_err(|why| HashError(why.to_string()))?;
        let hash = Argon2::default().hash_password(self.0.as_bytes(), &salt);
        hash.map(|hash| hash.to_string()).map_err(|why| HashError(why.to_string()))
    }

    /// Whether it is the one of which `phc` was kept. Takes as long where there
    /// is none, or nothing that is a hash.
    pub fn matches(&self, phc: Option<&str>) -> bool {
        let kept = phc.and_then(|phc| PasswordHash::new(phc).ok());
        let is_somebodys = kept.is_some();
        let Some(hash) = kept.or_else(|| PasswordHash::new(DUMMY_HASH).ok()) else { return false };
        Argon2::default().verify_password(self.0.as_bytes(), &hash).is_ok() && is_somebodys
    }
}

impl From<String> for Password {
    fn from(text: String) -> Self {
        Self(text)
    }
}

impl<'de> Deserialize<'de> for Password {
    /// From a string. Anything else is refused without being repeated.
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
    use std::time::{Duration, Instant};

    use super::*;

    fn password(text: &str) -> Password {
        text.to_owned().into()
    }

    #[test]
    fn eight_to_256_characters_of_any_kind() {
        for fit in ["12345678", "ääääääää", &"🔑".repeat(256)] {
            assert_eq!(password(fit).check(), Ok(()));
        }
        assert_eq!(password("ääääääa").check(), Err(PasswordError::TooShort));
        assert_eq!(password(&"a".repeat(257)).check(), Err(PasswordError::TooLong));
    }

    #[test]
    fn a_password_is_known_by_its_hash_alone() {
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
    fn placeholder_hash_has_the_parameters_of_real_hashes() {
        let made = password("12345678").hash().unwrap();
        let (made, nobodys) = (PasswordHash::new(&made).unwrap(), PasswordHash::new(DUMMY_HASH).unwrap());
        assert_eq!((made.algorithm, made.version), (nobodys.algorithm, nobodys.version));
        assert_eq!(made.params.to_string(), nobodys.params.to_string());
        assert_eq!(made.salt.unwrap().len(), nobodys.salt.unwrap().len());
        assert_eq!(made.hash.unwrap().len(), nobodys.hash.unwrap().len());
    }

    /// The shortest of several runs, so that a busy machine does not matter.
    fn time_of_check(password: &Password, phc: Option<&str>) -> Duration {
        let run = || {
            let start = Instant::now();
            std::hint::black_box(password.matches(phc));
            start.elapsed()
        };
        (0..5).map(|_| run()).min().unwrap()
    }

    #[test]
    fn check_without_a_usable_hash_takes_as_long_as_with_one() {
        let password = password("12345678");
        let hash = password.hash().unwrap();
        let usual = time_of_check(&password, Some(&hash));
        for absent in [None, Some(""), Some("no hash")] {
            let time = time_of_check(&password, absent);
            // Hashing takes thousands of times as long as noticing that there is no hash.
            assert!(time * 4 > usual, "{absent:?}: {time:?}, with a hash {usual:?}");
        }
    }

    #[test]
    fn it_is_never_repeated() {
        assert!(!format!("{:?}", password("hunter22")).contains("hunter22"));
        for json in ["20261121", "[\"hunter22\"]", "{\"hunter22\":1}", "true"] {
            let why = serde_json::from_str::<Password>(json).unwrap_err().to_string();
            assert!(why.contains("must be a string") && !why.contains("20261121"), "{why}");
            assert!(!why.contains("hunter22"), "{why}");
        }
        assert!(serde_json::from_str::<Password>("\"\\u0061bc\"").is_ok());
    }
}
