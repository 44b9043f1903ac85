//! Checkpoints: the size and root of a log, signed.
//!
//! The format is C2SP tlog-checkpoint (<https://c2sp.org/tlog-checkpoint>), which is a signed note
//! (<https://c2sp.org/signed-note>).

use tlog_tiles::Hash;

use super::keys::{LogName, SigningKey, VerifierKey};
use super::note::{self, SignedNoteError, SignedText};
use super::{LogIndex, MAX_SIZE};

/// The size and root of a log.
#[derive(Debug, Clone, PartialEq)]
pub struct Checkpoint {
    /// The name of the log: the registry's.
    pub origin: LogName,
    /// The number of leaves.
    pub size: u64,
    /// The root of the tree.
    pub root: Hash,
}

impl Checkpoint {
    /// The checkpoint of a log.
    pub fn of(origin: LogName, log: &LogIndex) -> Self {
        Self { origin, size: log.size(), root: log.root() }
    }

    /// The text that is signed.
    pub fn text(&self) -> String {
        let root = data_encoding::BASE64.encode(&self.root.0);
        format!("{}\n{}\n{root}\n", self.origin, self.size)
    }

    /// Signs the checkpoint with each key.
    pub fn sign(&self, keys: &[SigningKey]) -> String {
        note::sign(&self.text(), keys)
    }

    /// Checks that one of `keys` has signed the checkpoint, and that it is of their log. All keys
    /// have the name of the log.
    pub fn verify(signed: &[u8], keys: &[VerifierKey]) -> Result<Self, SignedNoteError> {
        note::verify(signed, keys)
    }

    /// Reads a signed checkpoint without checking who has signed it.
    pub fn read_unverified(signed: &[u8]) -> Result<Self, SignedNoteError> {
        note::read_unverified(signed)
    }
}

impl SignedText for Checkpoint {
    const NAME: &'static str = "checkpoint";
    const SIGNED: &'static str = "signed checkpoint of a transparency log";

    fn parse(text: &[u8]) -> Option<Self> {
        let parsed = tlog_tiles::Checkpoint::from_bytes(text).ok()?;
        let origin = parsed.origin().parse().ok()?;
        let checkpoint = Self { origin, size: parsed.size(), root: *parsed.hash() };
        (checkpoint.size <= MAX_SIZE).then_some(checkpoint)
    }

    fn log(&self) -> &LogName {
        &self.origin
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verify_names_what_is_wrong() {
        let name: LogName = "skills.example.org".parse().unwrap();
        let (key, other) = (SigningKey::generate(&name).unwrap(), SigningKey::generate(&name).unwrap());
        let checkpoint = Checkpoint::of(name, &LogIndex::default());
        let signed = checkpoint.sign(&[key.clone(), other.clone()]);
        let both = [key.verifier().clone(), other.verifier().clone()];
        for keys in [&both[..1], &both[1..], &both] {
            assert_eq!(Checkpoint::verify(signed.as_bytes(), keys).unwrap(), checkpoint);
        }
        let why = |text: &str, key: &SigningKey| {
            Checkpoint::verify(text.as_bytes(), &[key.verifier().clone()]).unwrap_err().to_string()
        };
        let stranger = SigningKey::generate(key.verifier().name()).unwrap();
        assert!(why(&signed, &stranger).contains("not signed with a key that is trusted"));
        let false_size = signed.replacen("\n0\n", "\n1\n", 1);
        assert!(why(&false_size, &key).contains("is false"));
        let elsewhere = SigningKey::generate(&"other.example.org".parse().unwrap()).unwrap();
        assert!(why(&signed, &elsewhere).contains("of the log skills.example.org, not of other"));
        for text in ["", "a\nb\n", "a\n1\n\n— a b\n"] {
            assert!(why(text, &key).contains("not a signed checkpoint"), "{text}");
        }
        let endless = signed.replacen("\n0\n", "\n99999999999999\n", 1);
        assert!(why(&endless, &key).contains("not a signed checkpoint"));
    }
}
