//! Keys that sign and verify checkpoints: Ed25519, in the text forms of C2SP signed-note.

use std::fmt;
use std::str::FromStr;

use data_encoding::BASE64;
use ed25519_dalek::{SECRET_KEY_LENGTH, Signer as _};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use signed_note::{Signer, StandardSigner, StandardVerifier, Verifier, new_ed25519_verifier_key};

use crate::random::random_bytes;

/// The first byte of an Ed25519 key in its text form.
const ED25519: u8 = 1;

/// A key cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum KeyError {
    /// The name of the log is not valid.
    #[error(
        "a registry's name has 1 to 128 lower-case letters, digits, dots, dashes, colons and slashes, such as skills.example.org"
    )]
    Name,
    /// The text is not a verifier key.
    #[error(
        "this is not a verifier key, which reads NAME+ID+KEY: copy the whole line that `key show` prints"
    )]
    VerifierKey,
    /// The text is not a signing key.
    #[error("this is not a signing key, which reads PRIVATE+KEY+NAME+ID+KEY")]
    SigningKey,
    /// The system has no random bytes.
    #[error("the key cannot be made")]
    Random(#[source] std::io::Error),
}

/// The name of a registry in its log and keys: a URL without its scheme, such as
/// `skills.example.org`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LogName(String);

impl LogName {
    /// The name as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for LogName {
    type Err = KeyError;

    fn from_str(text: &str) -> Result<Self, KeyError> {
        let is_allowed = |b: u8| matches!(b, b'a'..=b'z' | b'0'..=b'9' | b'.' | b'-' | b':' | b'/' | b'_');
        let is_name = (1..=128).contains(&text.len()) && text.bytes().all(is_allowed);
        is_name.then(|| Self(text.to_owned())).ok_or(KeyError::Name)
    }
}

impl fmt::Display for LogName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A public key: `NAME+ID+KEY`.
#[derive(Clone)]
pub struct VerifierKey {
    text: String,
    name: LogName,
    verifier: StandardVerifier,
}

impl VerifierKey {
    /// The name of the log that it is for.
    pub fn name(&self) -> &LogName {
        &self.name
    }

    /// The key's id: 8 hexadecimal digits.
    pub fn id(&self) -> String {
        format!("{:08x}", self.verifier.key_id())
    }

    /// Name and id, for messages.
    pub fn short(&self) -> String {
        format!("{}+{}", self.name, self.id())
    }

    pub(super) fn verifier(&self) -> Box<dyn Verifier> {
        Box::new(self.verifier.clone())
    }
}

impl FromStr for VerifierKey {
    type Err = KeyError;

    fn from_str(text: &str) -> Result<Self, KeyError> {
        let verifier = StandardVerifier::new(text).map_err(|_| KeyError::VerifierKey)?;
        let name = verifier.name().parse()?;
        Ok(Self { text: text.to_owned(), name, verifier })
    }
}

impl fmt::Display for VerifierKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl fmt::Debug for VerifierKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl PartialEq for VerifierKey {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

impl Eq for VerifierKey {}

impl Serialize for VerifierKey {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.text)
    }
}

impl<'de> Deserialize<'de> for VerifierKey {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

/// A private key: `PRIVATE+KEY+NAME+ID+KEY`. `Debug` shows the public half only.
#[derive(Clone)]
pub struct SigningKey {
    secret: String,
    key: ed25519_dalek::SigningKey,
    verifier: VerifierKey,
}

impl SigningKey {
    /// Makes a new key for a log.
    pub fn generate(name: &LogName) -> Result<Self, KeyError> {
        let seed = random_bytes().map_err(KeyError::Random)?;
        let verifier = verifier_key(name.as_str(), &seed)?;
        let secret = BASE64.encode(&[&[ED25519], &seed[..]].concat());
        format!("PRIVATE+KEY+{}+{secret}", verifier.short()).parse()
    }

    /// The key as text. Store it where only the registry can read it.
    pub fn to_secret_text(&self) -> &str {
        &self.secret
    }

    /// The public half.
    pub fn verifier(&self) -> &VerifierKey {
        &self.verifier
    }

    /// The line of this key's signature on the text of a note.
    pub fn sign_line(&self, text: &str) -> String {
        let signature = self.key.sign(text.as_bytes()).to_bytes();
        let bytes = [&self.verifier.verifier.key_id().to_be_bytes(), &signature[..]].concat();
        format!("— {} {}\n", self.verifier.name, BASE64.encode(&bytes))
    }

    pub(super) fn key(&self) -> &ed25519_dalek::SigningKey {
        &self.key
    }
}

impl FromStr for SigningKey {
    type Err = KeyError;

    fn from_str(text: &str) -> Result<Self, KeyError> {
        let signer = StandardSigner::new(text).map_err(|_| KeyError::SigningKey)?;
        let key = text.splitn(5, '+').last().and_then(|key| BASE64.decode(key.as_bytes()).ok());
        let seed = key.and_then(|key| key.get(1..)?.try_into().ok()).ok_or(KeyError::SigningKey)?;
        let verifier = verifier_key(signer.name(), &seed)?;
        let key = ed25519_dalek::SigningKey::from_bytes(&seed);
        Ok(Self { secret: text.to_owned(), key, verifier })
    }
}

/// The public half of a secret (RFC 8032, section 5.1.5).
fn verifier_key(name: &str, seed: &[u8; SECRET_KEY_LENGTH]) -> Result<VerifierKey, KeyError> {
    let public = ed25519_dalek::SigningKey::from_bytes(seed).verifying_key();
    new_ed25519_verifier_key(name, &public).parse()
}

impl fmt::Debug for SigningKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SigningKey({})", self.verifier)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The key of the example in the documentation of Go's `golang.org/x/mod/sumdb/note`.
    const SECRET: &str = "PRIVATE+KEY+PeterNeumann+c74f20a3+AYEKFALVFGyNhPJEMzD1QIDr+Y7hfZx09iUvxdXHKDFz";

    #[test]
    fn keys_are_read_as_they_are_written() {
        let name: LogName = "skills.example.org/team".parse().unwrap();
        let key = SigningKey::generate(&name).unwrap();
        let again: SigningKey = key.to_secret_text().parse().unwrap();
        assert_eq!(again.verifier(), key.verifier());
        assert_eq!(key.verifier().to_string().parse::<VerifierKey>().unwrap(), *key.verifier());
        assert_eq!(key.verifier().name(), &name);
        assert!(key.verifier().to_string().starts_with(&key.verifier().short()));
        assert!(!format!("{key:?}").contains(key.to_secret_text().splitn(5, '+').last().unwrap()));
    }

    #[test]
    fn foreign_keys_are_read() {
        let public = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW";
        // A valid key, but the name has upper-case letters.
        assert!(matches!(SECRET.parse::<SigningKey>(), Err(KeyError::Name)));
        let seed = BASE64.decode(SECRET.splitn(5, '+').last().unwrap().as_bytes()).unwrap();
        let public_again = new_ed25519_verifier_key(
            "PeterNeumann",
            &ed25519_dalek::SigningKey::from_bytes(seed[1..].try_into().unwrap()).verifying_key(),
        );
        assert_eq!(public_again, public);
    }

    #[test]
    fn damaged_keys_are_refused() {
        let key = SigningKey::generate(&"a.example".parse().unwrap()).unwrap();
        let public = key.verifier().to_string();
        for text in
            ["", "a", "a+b+c", &public[1..], &public[..public.len() - 4], &public.replace("a.e", "b.e")]
        {
            assert!(text.parse::<VerifierKey>().is_err(), "{text}");
        }
        for text in ["", &public, &key.to_secret_text()[1..]] {
            assert!(text.parse::<SigningKey>().is_err());
        }
        for name in ["", "A", "a b", "a+b", &"a".repeat(129)] {
            assert!(name.parse::<LogName>().is_err(), "{name}");
        }
    }
}
