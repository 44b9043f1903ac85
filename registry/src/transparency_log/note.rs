//! Signed notes (<https://c2sp.org/signed-note>) with signatures that somebody else makes.

use signed_note::Signature;

use super::keys::VerifierKey;

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
        assert_eq!(note, checkpoint.sign(std::slice::from_ref(&key)).unwrap());
        assert_eq!(append_signatures(&note, &line), note);
        let second = sign_with(other.verifier(), &text, &signature(&other)).unwrap();
        assert_eq!(
            append_signatures(&note, &second),
            checkpoint.sign(&[key.clone(), other.clone()]).unwrap()
        );
        for false_one in [&signature(&other)[..], &signature(&key)[..63], b""] {
            assert!(sign_with(key.verifier(), &text, false_one).is_err());
        }
    }
}
