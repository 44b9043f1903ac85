//! What a registry signs when its history goes on in another epoch, after a backup was restored.
//!
//! It is a signed note (<https://c2sp.org/signed-note>) with the keys of the log. Its second line
//! is no number, so it cannot be taken for a checkpoint. `docs/mirrors.md` has the text and a test
//! vector. This text never changes: mirrors follow it.

use std::collections::BTreeSet;
use std::fmt;

use data_encoding::BASE64;
use tlog_tiles::Hash;

use super::MAX_SIZE;
use super::keys::{LogName, SigningKey, VerifierKey};
use super::note::{self, SignedNoteError, SignedText};
use crate::public::{Epoch, Revision};

/// After the name of the log.
const SUFFIX: &str = "/epoch";
const SECOND_LINE: &str = "skillmirror.epoch/1";

/// Which epochs one history has had, and where it went on.
#[derive(Debug, Clone, PartialEq)]
pub struct EpochStatement {
    /// The name of the log: the registry's.
    pub name: LogName,
    /// The current epoch.
    pub epoch: Epoch,
    /// The last revision of the backup that was restored.
    pub backup_revision: Revision,
    /// The number of leaves that the log had then.
    pub size: u64,
    /// The root of these leaves.
    pub root: Hash,
    /// The names that the history had before.
    pub earlier: BTreeSet<Epoch>,
}

impl EpochStatement {
    /// Signs the statement with each key.
    pub fn sign(&self, keys: &[SigningKey]) -> String {
        note::sign(&self.to_string(), keys)
    }

    /// Checks that one of `keys` has signed the statement, and that it is of their log. All keys
    /// have the name of the log.
    pub fn verify(signed: &[u8], keys: &[VerifierKey]) -> Result<Self, SignedNoteError> {
        note::verify(signed, keys)
    }

    /// Reads a signed statement without checking who has signed it.
    pub fn read_unverified(signed: &[u8]) -> Result<Self, SignedNoteError> {
        note::read_unverified(signed)
    }
}

impl fmt::Display for EpochStatement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, epoch, backup_revision, size, root, earlier } = self;
        writeln!(f, "{name}{SUFFIX}\n{SECOND_LINE}\nepoch {epoch}\nbackup {backup_revision}")?;
        writeln!(f, "log {size} {}", BASE64.encode(&root.0))?;
        earlier.iter().try_for_each(|epoch| writeln!(f, "earlier {epoch}"))
    }
}

impl SignedText for EpochStatement {
    const NAME: &'static str = "statement";
    const SIGNED: &'static str = "signed statement about an epoch";

    fn parse(text: &[u8]) -> Option<Self> {
        let text = std::str::from_utf8(text).ok()?;
        let mut lines = text.lines();
        let name = lines.next()?.strip_suffix(SUFFIX)?.parse().ok()?;
        lines.next().filter(|line| *line == SECOND_LINE)?;
        let epoch = epoch(lines.next()?.strip_prefix("epoch ")?)?;
        let backup_revision = lines.next()?.strip_prefix("backup ")?.parse().ok()?;
        let (size, root) = lines.next()?.strip_prefix("log ")?.split_once(' ')?;
        let root: [u8; 32] = BASE64.decode(root.as_bytes()).ok()?.try_into().ok()?;
        let size = size.parse().ok().filter(|size| *size <= MAX_SIZE)?;
        let earlier = lines.map(|line| self::epoch(line.strip_prefix("earlier ")?));
        let earlier = earlier.collect::<Option<BTreeSet<_>>>()?;
        let statement = Self { name, epoch, backup_revision, size, root: Hash(root), earlier };
        // A statement has one spelling.
        (statement.to_string() == text).then_some(statement)
    }

    fn log(&self) -> &LogName {
        &self.name
    }
}

fn epoch(text: &str) -> Option<Epoch> {
    let is_epoch = text.len() == 32 && text.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'));
    is_epoch.then(|| text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::super::{Checkpoint, LogIndex};
    use super::*;

    /// The secret of these vectors is 32 bytes 07.
    const SECRET: &str =
        "PRIVATE+KEY+skills.example.org+ca08b2be+AQcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcH";
    /// Signed by Python's `cryptography`, not by this code.
    const VECTOR: &str = include_str!("epoch_statement.txt");

    fn statement() -> EpochStatement {
        EpochStatement {
            name: "skills.example.org".parse().unwrap(),
            epoch: "9183db2e14095232c76875bafeb7f5f6".into(),
            backup_revision: 897,
            size: 895,
            root: Hash(
                BASE64.decode(b"k4ZVWDDjqCzmZQKQSvqYw5u9fHYMC0lrYVnXbD3gJ4Y=").unwrap().try_into().unwrap(),
            ),
            earlier: ["e33879a6812b813a2270d4fae6f119c1".into(), "05a0c5c7b9f2b0f2ad55b22f1f1e8b7a".into()]
                .into(),
        }
    }

    #[test]
    fn statement_of_the_specification_is_fixed() {
        let key: SigningKey = SECRET.parse().unwrap();
        assert_eq!(statement().sign(std::slice::from_ref(&key)), VECTOR);
        let read = EpochStatement::verify(VECTOR.as_bytes(), &[key.verifier().clone()]).unwrap();
        assert_eq!(read, statement());
    }

    #[test]
    fn verify_names_what_is_wrong() {
        let key: SigningKey = SECRET.parse().unwrap();
        let why = |text: &str, key: &SigningKey| {
            EpochStatement::verify(text.as_bytes(), &[key.verifier().clone()]).unwrap_err().to_string()
        };
        let stranger = SigningKey::generate(key.verifier().name()).unwrap();
        assert!(why(VECTOR, &stranger).contains("not signed with a key that is trusted"));
        assert!(why(&VECTOR.replace("backup 897", "backup 898"), &key).contains("is false"));
        let elsewhere = SigningKey::generate(&"other.example.org".parse().unwrap()).unwrap();
        assert!(why(VECTOR, &elsewhere).contains("of the log skills.example.org, not of other"));
        for (from, to) in [
            ("/epoch\n", "\n"),
            ("epoch/1", "epoch/2"),
            ("backup 897", "backup 0897"),
            ("epoch 9183", "epoch ../9183"),
            ("log 895 ", "log 99999999999999 "),
            ("earlier e338", "earlier 05a0"),
            ("earlier 05a0c5c7b9f2b0f2ad55b22f1f1e8b7a\n", ""),
        ] {
            let text = VECTOR.replacen(from, to, 1);
            assert_ne!(text, VECTOR);
            let refused = why(&text, &key);
            assert!(
                refused.contains("not a signed statement") || refused.contains("is false"),
                "{to}: {refused}"
            );
        }
    }

    #[test]
    fn statement_and_checkpoint_are_never_taken_for_each_other() {
        let key: SigningKey = SECRET.parse().unwrap();
        let keys = [key.verifier().clone()];
        let read = Checkpoint::verify(VECTOR.as_bytes(), &keys);
        assert!(matches!(read, Err(SignedNoteError::Form(_))));
        // Even if a registry is named like the statements of another one.
        let name: LogName = "skills.example.org/epoch".parse().unwrap();
        let checkpoint = Checkpoint::of(name, &LogIndex::default()).sign(&[key]);
        let read = EpochStatement::verify(checkpoint.as_bytes(), &keys);
        assert!(matches!(read, Err(SignedNoteError::Form(_))));
    }
}
