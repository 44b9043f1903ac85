//! Checkpoints: the size and root of a log, signed.
//!
//! The format is C2SP tlog-checkpoint (<https://c2sp.org/tlog-checkpoint>), which is a signed note
//! (<https://c2sp.org/signed-note>).

use signed_note::{Note, NoteError, Signer, VerifierList};
use tlog_tiles::Hash;

use super::keys::{LogName, SigningKey, VerifierKey};
use super::{LogIndex, MAX_SIZE};

/// The most bytes of a signed note that is read.
pub const MAX_SIGNED_NOTE: usize = 64 << 10;

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

/// Why a checkpoint is not accepted.
#[derive(Debug, thiserror::Error)]
pub enum CheckpointError {
    /// The text is not a signed checkpoint.
    #[error("this is not a signed checkpoint of a transparency log")]
    Form,
    /// None of the trusted keys has signed it.
    #[error("the checkpoint is not signed with a key that is trusted here ({trusted})")]
    Unsigned {
        /// Names and ids of the trusted keys.
        trusted: String,
    },
    /// A signature with the name and id of a trusted key is false.
    #[error("the signature of {key} on the checkpoint is false")]
    FalseSignature {
        /// Name and id of the key.
        key: String,
    },
    /// It is the checkpoint of another log.
    #[error("the checkpoint is that of the log {found}, not of {expected}")]
    OtherLog {
        /// The name in the checkpoint.
        found: String,
        /// The name of the trusted keys.
        expected: String,
    },
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
    pub fn sign(&self, keys: &[SigningKey]) -> Result<String, NoteError> {
        let mut note = Note::new(self.text().as_bytes(), &[])?;
        let signers: Vec<&dyn Signer> = keys.iter().map(SigningKey::signer).collect();
        note.add_sigs(&signers)?;
        Ok(String::from_utf8_lossy(&note.to_bytes()).into_owned())
    }

    /// Checks that one of `keys` has signed the checkpoint, and that it is of their log. All keys
    /// have the name of the log.
    pub fn verify(signed: &[u8], keys: &[VerifierKey]) -> Result<Self, CheckpointError> {
        let (note, checkpoint) = Self::read(signed)?;
        if let Some(key) = keys.iter().find(|key| *key.name() != checkpoint.origin) {
            let (found, expected) = (checkpoint.origin.to_string(), key.name().to_string());
            return Err(CheckpointError::OtherLog { found, expected });
        }
        check_signatures(&note, keys)?;
        Ok(checkpoint)
    }

    /// Reads a signed checkpoint without checking who has signed it.
    pub fn read_unverified(signed: &[u8]) -> Result<Self, CheckpointError> {
        Self::read(signed).map(|(_, checkpoint)| checkpoint)
    }

    fn read(signed: &[u8]) -> Result<(Note, Self), CheckpointError> {
        if signed.len() > MAX_SIGNED_NOTE {
            return Err(CheckpointError::Form);
        }
        let note = Note::from_bytes(signed).map_err(|_| CheckpointError::Form)?;
        let checkpoint = Self::parse(note.text()).ok_or(CheckpointError::Form)?;
        Ok((note, checkpoint))
    }

    fn parse(text: &[u8]) -> Option<Self> {
        let parsed = tlog_tiles::Checkpoint::from_bytes(text).ok()?;
        let origin = parsed.origin().parse().ok()?;
        let checkpoint = Self { origin, size: parsed.size(), root: *parsed.hash() };
        (checkpoint.size <= MAX_SIZE).then_some(checkpoint)
    }
}

/// What is wrong with the signatures of a note.
pub(super) enum BadSignature {
    /// No trusted key has signed. The keys are named.
    Missing { trusted: String },
    /// That of a trusted key is false.
    False { key: String },
}

impl From<BadSignature> for CheckpointError {
    fn from(why: BadSignature) -> Self {
        match why {
            BadSignature::Missing { trusted } => Self::Unsigned { trusted },
            BadSignature::False { key } => Self::FalseSignature { key },
        }
    }
}

/// Checks that one of `keys` has signed a note, and that no signature of theirs is false.
pub(super) fn check_signatures(note: &Note, keys: &[VerifierKey]) -> Result<(), BadSignature> {
    let known = VerifierList::new(keys.iter().map(VerifierKey::verifier).collect());
    match note.verify(&known) {
        Ok(_) => Ok(()),
        Err(NoteError::InvalidSignature { name, id }) => {
            Err(BadSignature::False { key: format!("{name}+{id:08x}") })
        }
        Err(_) => {
            let trusted: Vec<_> = keys.iter().map(VerifierKey::short).collect();
            Err(BadSignature::Missing { trusted: trusted.join(", ") })
        }
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
        let signed = checkpoint.sign(&[key.clone(), other.clone()]).unwrap();
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
