//! Cosignatures: a witness says that it has seen a log only grow.
//!
//! The format is that of C2SP tlog-cosignature (<https://c2sp.org/tlog-cosignature>), version 1 with
//! Ed25519.

use std::fmt;
use std::str::FromStr;

use data_encoding::BASE64;
use ed25519_dalek::{PUBLIC_KEY_LENGTH, Signature as Ed25519Signature, VerifyingKey};
use signed_note::{Note, Signature, Verifier, VerifierList, is_key_name_valid, key_id};

use super::note::SignedText as _;
use super::{Checkpoint, MAX_SIGNED_NOTE, SignedNoteError};

/// The type of keys that sign cosignatures with Ed25519.
const ED25519_COSIGNATURE: u8 = 0x04;

/// The lengths of a timestamp and of a signature.
const TIME_LENGTH: usize = 8;
const SIGNATURE_LENGTH: usize = 64;

/// The public key of a witness: `NAME+ID+KEY`.
#[derive(Clone, PartialEq, Eq)]
pub struct WitnessKey {
    name: String,
    id: u32,
    key: VerifyingKey,
}

/// A text is not the key of a witness.
#[derive(Debug, thiserror::Error)]
pub enum WitnessKeyError {
    /// It has another form, or its id is wrong.
    #[error("this is not the public key of a witness (NAME+ID+KEY)")]
    Form,
    /// It is a key of another algorithm.
    #[error("this key is of the type {0}, not one of a witness that signs with Ed25519 (type 4)")]
    Type(u8),
}

/// Why an answer has no cosignature.
#[derive(Debug, thiserror::Error)]
pub enum CosignatureError {
    /// The answer has another form.
    #[error("its answer is not a cosignature")]
    Form,
    /// The answer has no line of the key.
    #[error("its answer has no cosignature of the key {0}")]
    Missing(String),
    /// The signature is false.
    #[error("its cosignature is false")]
    False,
    /// There is no checkpoint to cosign.
    #[error(transparent)]
    Checkpoint(#[from] SignedNoteError),
}

impl WitnessKey {
    /// Name and id, for messages.
    pub fn short(&self) -> String {
        format!("{}+{:08x}", self.name, self.id)
    }

    /// The bytes of the key.
    pub(super) fn bytes(&self) -> &[u8; PUBLIC_KEY_LENGTH] {
        self.key.as_bytes()
    }

    /// Whether a signed checkpoint has a valid cosignature of this witness.
    pub fn has_cosigned(&self, signed: &str) -> bool {
        let note = Note::from_bytes(signed.as_bytes());
        note.is_ok_and(|note| note.verify(&VerifierList::new(vec![Box::new(self.clone())])).is_ok())
    }

    /// Finds the cosignatures of this witness on a signed checkpoint in an answer, which consists of
    /// signature lines. Returns their lines. Others are ignored.
    pub fn find_cosignatures(&self, signed: &str, answer: &[u8]) -> Result<String, CosignatureError> {
        let note =
            Note::from_bytes(signed.as_bytes()).map_err(|_| SignedNoteError::Form(Checkpoint::SIGNED))?;
        let answer = std::str::from_utf8(answer).ok().filter(|answer| answer.len() <= MAX_SIGNED_NOTE);
        let mut found = String::new();
        for line in answer.ok_or(CosignatureError::Form)?.lines() {
            let cosignature = Signature::from_bytes(line.as_bytes()).map_err(|_| CosignatureError::Form)?;
            if (cosignature.name(), cosignature.id()) != (&*self.name, self.id) {
                continue;
            }
            if !self.verify(note.text(), cosignature.signature()) {
                return Err(CosignatureError::False);
            }
            found = format!("{line}\n");
        }
        if found.is_empty() { Err(CosignatureError::Missing(self.short())) } else { Ok(found) }
    }
}

impl Verifier for WitnessKey {
    fn name(&self) -> &str {
        &self.name
    }

    fn key_id(&self) -> u32 {
        self.id
    }

    fn verify(&self, text: &[u8], signature: &[u8]) -> bool {
        let Some((time, signature)) = signature.split_first_chunk::<TIME_LENGTH>() else { return false };
        let Ok(signature) = <[u8; SIGNATURE_LENGTH]>::try_from(signature) else { return false };
        let time = u64::from_be_bytes(*time);
        let message = [format!("cosignature/v1\ntime {time}\n").as_bytes(), text].concat();
        let is_time = i64::try_from(time).is_ok();
        is_time && self.key.verify_strict(&message, &Ed25519Signature::from_bytes(&signature)).is_ok()
    }
}

impl FromStr for WitnessKey {
    type Err = WitnessKeyError;

    fn from_str(text: &str) -> Result<Self, WitnessKeyError> {
        let mut parts = text.splitn(3, '+');
        let [Some(name), Some(id), Some(key)] = [parts.next(), parts.next(), parts.next()] else {
            return Err(WitnessKeyError::Form);
        };
        let typed = BASE64.decode(key.as_bytes()).map_err(|_| WitnessKeyError::Form)?;
        let expected = key_id(name, &typed);
        if !is_key_name_valid(name) || id != format!("{expected:08x}") {
            return Err(WitnessKeyError::Form);
        }
        match typed.split_first() {
            Some((&ED25519_COSIGNATURE, key)) => {
                let key = key.try_into().ok().and_then(|key| VerifyingKey::from_bytes(key).ok());
                let key = key.ok_or(WitnessKeyError::Form)?;
                Ok(Self { name: name.to_owned(), id: expected, key })
            }
            Some((other, _)) => Err(WitnessKeyError::Type(*other)),
            None => Err(WitnessKeyError::Form),
        }
    }
}

impl fmt::Display for WitnessKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let typed = [&[ED25519_COSIGNATURE], &self.key.as_bytes()[..]].concat();
        write!(f, "{}+{}", self.short(), BASE64.encode(&typed))
    }
}

impl fmt::Debug for WitnessKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
pub(super) mod tests {
    use ed25519_dalek::{Signer as _, SigningKey};

    use super::*;

    /// A witness with a secret of its own.
    pub struct TestWitness {
        secret: SigningKey,
        pub key: WitnessKey,
    }

    impl TestWitness {
        pub fn named(name: &str, secret: u8) -> Self {
            let secret = SigningKey::from_bytes(&[secret; 32]);
            let typed = [&[4], &secret.verifying_key().as_bytes()[..]].concat();
            let key = format!("{name}+{:08x}+{}", key_id(name, &typed), BASE64.encode(&typed));
            Self { secret, key: key.parse().unwrap() }
        }

        /// The line that the witness answers.
        pub fn cosign(&self, signed: &str, time: u64) -> String {
            let (text, _) = signed.split_once("\n\n").unwrap();
            let message = format!("cosignature/v1\ntime {time}\n{text}\n");
            let signature = self.secret.sign(message.as_bytes()).to_bytes();
            let bytes = [&self.key.id.to_be_bytes(), &time.to_be_bytes()[..], &signature].concat();
            format!("— {} {}\n", self.key.name, BASE64.encode(&bytes))
        }
    }

    /// From C2SP tlog-cosignature, with a key of this test: the specification names no keys.
    const CHECKPOINT: &str = "example.com/behind-the-sofa\n20852163\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n\n\
        — example.com/behind-the-sofa Az3grlgtzPICa5OS8npVmf1Myq/5IZniMp+ZJurmRDeOoRDe4URYN7u5/Zhcyv2q1gGzGku9nTo+zyWE+xeMcTOAYQ8=\n";

    #[test]
    fn cosignatures_of_the_witness_are_found_and_checked() {
        let [one, other] =
            ["witness.example/w1", "witness.example/w2"].map(|name| TestWitness::named(name, 1));
        let (line, strange) = (one.cosign(CHECKPOINT, 1_679_315_147), other.cosign(CHECKPOINT, 5));
        let find = |answer: &str| one.key.find_cosignatures(CHECKPOINT, answer.as_bytes());
        assert_eq!(find(&line).unwrap(), line);
        assert_eq!(find(&format!("{strange}{line}")).unwrap(), line);
        assert!(matches!(find(&strange), Err(CosignatureError::Missing(_))));
        assert!(matches!(find(""), Err(CosignatureError::Missing(_))));
        assert!(matches!(find("<html>\n"), Err(CosignatureError::Form)));
        let of_other = one.cosign(&CHECKPOINT.replace("20852163", "20852164"), 5);
        assert!(matches!(find(&of_other), Err(CosignatureError::False)));
        assert!(matches!(find(&one.cosign(CHECKPOINT, u64::MAX)), Err(CosignatureError::False)));
        assert!(one.key.has_cosigned(&format!("{CHECKPOINT}{line}")));
        assert!(!one.key.has_cosigned(&format!("{CHECKPOINT}{strange}")));
        assert!(!one.key.has_cosigned(&format!("{CHECKPOINT}{of_other}")));
    }

    #[test]
    fn keys_of_witnesses_are_read_as_they_are_written() {
        let key = TestWitness::named("witness.example", 1).key;
        assert_eq!(key.to_string().parse::<WitnessKey>().unwrap(), key);
        let log_key = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW";
        assert!(matches!(log_key.parse::<WitnessKey>(), Err(WitnessKeyError::Type(1))));
        let text = key.to_string();
        for damaged in ["", "a+b", &text[1..], &text[..text.len() - 4], &text.replace("witness", "other")] {
            assert!(matches!(damaged.parse::<WitnessKey>(), Err(WitnessKeyError::Form)), "{damaged}");
        }
    }
}
