//! Signed notes (<https://c2sp.org/signed-note>): texts of a registry with the signatures of its keys.

use signed_note::{Note, NoteError, Signature, VerifierList};

use super::keys::{LogName, SigningKey, VerifierKey};

/// The most bytes of a signed note that is read.
pub const MAX_SIGNED_NOTE: usize = 64 << 10;

/// A text that a registry signs.
pub(super) trait SignedText: Sized {
    /// The thing in messages, in short.
    const NAME: &'static str;
    /// The thing in messages.
    const SIGNED: &'static str;

    fn parse(text: &[u8]) -> Option<Self>;

    /// The log that it is about.
    fn log(&self) -> &LogName;
}

/// Why a signed note is not accepted.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs, reason = "the messages explain the fields")]
pub enum SignedNoteError {
    /// The text is something else.
    #[error("this is not a {0}")]
    Form(&'static str),
    /// None of the trusted keys has signed it.
    #[error("the {what} is not signed with a key that is trusted here ({trusted})")]
    Unsigned { what: &'static str, trusted: String },
    /// A signature with the name and id of a trusted key is false.
    #[error("the signature of {key} on the {what} is false")]
    FalseSignature { what: &'static str, key: String },
    /// The note belongs to another log.
    #[error("the {what} is that of the log {found}, not of {expected}")]
    OtherLog { what: &'static str, found: String, expected: String },
}

/// Signs a text with each key.
pub(super) fn sign(text: &str, keys: &[SigningKey]) -> String {
    sign_note(text, &keys.iter().map(|key| key.sign_line(text)).collect::<String>())
}

/// Reads a signed text without checking who has signed it.
pub(super) fn read_unverified<T: SignedText>(signed: &[u8]) -> Result<T, SignedNoteError> {
    read(signed).map(|(_, text)| text)
}

/// Checks that one of `keys` has signed a text, that no signature of theirs is false, and that the text is about
/// their log. All keys have the name of the log.
pub(super) fn verify<T: SignedText>(signed: &[u8], keys: &[VerifierKey]) -> Result<T, SignedNoteError> {
    let (note, text) = read::<T>(signed)?;
    let what = T::NAME;
    if let Some(key) = keys.iter().find(|key| key.name() != text.log()) {
        let (found, expected) = (text.log().to_string(), key.name().to_string());
        return Err(SignedNoteError::OtherLog { what, found, expected });
    }
    let known = VerifierList::new(keys.iter().map(VerifierKey::verifier).collect());
    match note.verify(&known) {
        Ok(_) => Ok(text),
        Err(NoteError::InvalidSignature { name, id }) => {
            Err(SignedNoteError::FalseSignature { what, key: format!("{name}+{id:08x}") })
        }
        Err(_) => {
            let trusted: Vec<_> = keys.iter().map(VerifierKey::short).collect();
            Err(SignedNoteError::Unsigned { what, trusted: trusted.join(", ") })
        }
    }
}

fn read<T: SignedText>(signed: &[u8]) -> Result<(Note, T), SignedNoteError> {
    let read = || {
        let note = Note::from_bytes(signed).ok()?;
        let text = T::parse(note.text())?;
        Some((note, text))
    };
    let is_small = signed.len() <= MAX_SIGNED_NOTE;
    is_small.then(read).flatten().ok_or(SignedNoteError::Form(T::SIGNED))
}

/// A signature is not one of the key on the text.
#[derive(Debug, thiserror::Error)]
#[error("this is not a signature of {0} on the text")]
pub struct FalseSignature(String);

/// The line of a signature: 64 bytes of Ed25519 over the text. It is checked.
pub fn sign_with(key: &VerifierKey, text: &str, signature: &[u8]) -> Result<String, FalseSignature> {
    let verifier = key.verifier();
    let is_valid = verifier.verify(text.as_bytes(), signature);
    let line = Signature::new(key.name().to_string(), verifier.key_id(), signature.to_vec());
    match line {
        Ok(line) if is_valid => Ok(String::from_utf8_lossy(&line.to_bytes()).into_owned()),
        _ => Err(FalseSignature(key.short())),
    }
}

/// The note of a text and its signature lines.
pub fn sign_note(text: &str, lines: &str) -> String {
    format!("{text}\n{lines}")
}

/// Adds signature lines to a signed note, except those that it has.
pub fn append_signatures(signed: &str, lines: &str) -> String {
    let mut note = signed.to_owned();
    for line in lines.lines().filter(|line| !signed.lines().any(|known| known == *line)) {
        note.push_str(line);
        note.push('\n');
    }
    note
}

#[cfg(test)]
mod tests {
    use ed25519_dalek::Signer as _;

    use super::super::{Checkpoint, LogIndex, SigningKey};
    use super::*;

    #[test]
    fn note_with_a_signature_of_somebody_else_is_that_of_the_key() {
        let name = "skills.example.org".parse().unwrap();
        let [key, other] = [(); 2].map(|()| SigningKey::generate(&name).unwrap());
        let checkpoint = Checkpoint::of(name, &LogIndex::default());
        let text = checkpoint.text();
        let signature = |key: &SigningKey| key.key().sign(text.as_bytes()).to_bytes();
        let line = sign_with(key.verifier(), &text, &signature(&key)).unwrap();
        let note = sign_note(&text, &line);
        assert_eq!(note, checkpoint.sign(std::slice::from_ref(&key)));
        assert_eq!(append_signatures(&note, &line), note);
        let second = sign_with(other.verifier(), &text, &signature(&other)).unwrap();
        assert_eq!(append_signatures(&note, &second), checkpoint.sign(&[key.clone(), other.clone()]));
        for false_one in [&signature(&other)[..], &signature(&key)[..63], b""] {
            assert!(sign_with(key.verifier(), &text, false_one).is_err());
        }
    }
}
