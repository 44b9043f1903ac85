//! Proofs that the log has a row, for readers without a connection: C2SP tlog-proof
//! (<https://c2sp.org/tlog-proof>).

use std::fmt;

use data_encoding::BASE64;
use serde::Deserialize;
use tlog_tiles::Hash;

use super::inclusion::{InclusionProof, MAX_HASHES};
use super::{Checkpoint, Leaf, LogName, MAX_SIGNED_NOTE, SignedNoteError, VerifierKey};
use crate::public::{PublicRow, Revision};

/// The first line of a proof.
const FIRST_LINE: &str = "c2sp.org/tlog-proof@v1";

/// The most bytes of a proof that are read: 16 MiB. The largest row has less than one.
pub const MAX_PROOF: u64 = 16 << 20;

/// Why a proof proves nothing.
#[derive(Debug, thiserror::Error)]
pub enum ProofError {
    /// The text has another form.
    #[error("this is not a proof in the form of c2sp.org/tlog-proof@v1, with a row")]
    Form,
    /// The checkpoint is not one that the verifier trusts.
    #[error("the proof's checkpoint is not valid")]
    Checkpoint(#[from] SignedNoteError),
    /// The checkpoint's tree does not have the leaf.
    #[error("the log of {origin} does not have this row: it was changed, or made up")]
    NotIncluded {
        /// The name of the log.
        origin: String,
    },
}

/// A row with the proof that a signed log has it. Its text is a file that other programs verify:
/// the row's JSON is the proof's `extra` data.
#[derive(Debug, Clone, PartialEq)]
pub struct RowProof {
    /// The row.
    pub row: PublicRow,
    /// Its place in the tree.
    pub inclusion: InclusionProof,
    /// The signed checkpoint of the tree.
    pub signed_checkpoint: String,
}

impl RowProof {
    /// Checks that one of `keys` has signed the checkpoint, and that its tree has the row. Returns
    /// the checkpoint.
    pub fn check(&self, keys: &[VerifierKey]) -> Result<Checkpoint, ProofError> {
        let checkpoint = Checkpoint::verify(self.signed_checkpoint.as_bytes(), keys)?;
        match self.inclusion.holds(checkpoint.size, checkpoint.root, &Leaf::from(&self.row)) {
            true => Ok(checkpoint),
            false => Err(ProofError::NotIncluded { origin: checkpoint.origin.to_string() }),
        }
    }

    /// The name of the log that its checkpoint is of, unchecked.
    pub fn log_name(&self) -> Option<LogName> {
        Checkpoint::read_unverified(self.signed_checkpoint.as_bytes())
            .ok()
            .map(|checkpoint| checkpoint.origin)
    }

    /// Reads a proof, and checks nothing else.
    pub fn parse(text: &str) -> Result<Self, ProofError> {
        Self::parts(text).ok_or(ProofError::Form)
    }

    fn parts(text: &str) -> Option<Self> {
        #[derive(Deserialize)]
        struct Numbered {
            revision: Revision,
        }
        let (head, signed_checkpoint) = text.split_once("\n\n")?;
        let mut lines = head.lines();
        if lines.next()? != FIRST_LINE || signed_checkpoint.len() > MAX_SIGNED_NOTE {
            return None;
        }
        let json = BASE64.decode(lines.next()?.strip_prefix("extra ")?.as_bytes()).ok()?;
        let json = String::from_utf8(json).ok()?;
        let Numbered { revision } = serde_json::from_str(&json).ok()?;
        let index = lines.next()?.strip_prefix("index ")?;
        if index.starts_with('+') || (index.starts_with('0') && index != "0") {
            return None;
        }
        let index = index.parse().ok()?;
        let hash = |line: &str| {
            let bytes: [u8; 32] = BASE64.decode(line.as_bytes()).ok()?.try_into().ok()?;
            Some(Hash(bytes))
        };
        let hashes: Vec<_> = lines.take(MAX_HASHES + 1).map(hash).collect::<Option<_>>()?;
        let inclusion = InclusionProof { index, hashes };
        let row = PublicRow::new(revision, json);
        Some(Self { row, inclusion, signed_checkpoint: signed_checkpoint.to_owned() })
    }
}

impl fmt::Display for RowProof {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let InclusionProof { index, hashes } = &self.inclusion;
        writeln!(f, "{FIRST_LINE}\nextra {}\nindex {index}", BASE64.encode(self.row.json.as_bytes()))?;
        hashes.iter().try_for_each(|hash| writeln!(f, "{}", BASE64.encode(&hash.0)))?;
        write!(f, "\n{}", self.signed_checkpoint)
    }
}

#[cfg(test)]
mod tests {
    use tlog_tiles::RecordProof;

    use super::*;
    use crate::transparency_log::{LogIndex, SigningKey};

    fn row(revision: u64) -> PublicRow {
        PublicRow::new(revision, format!("{{\"revision\":{revision}}}"))
    }

    fn proof(key: &SigningKey) -> RowProof {
        let mut log = LogIndex::default();
        (0..300).for_each(|revision| log.push(&Leaf::from(&row(revision))));
        let checkpoint = Checkpoint::of(key.verifier().name().clone(), &log);
        let signed_checkpoint = checkpoint.sign(std::slice::from_ref(key));
        RowProof { row: row(7), inclusion: log.prove(7, 300).unwrap(), signed_checkpoint }
    }

    #[test]
    fn proof_is_read_as_it_is_written_and_holds() {
        let name: LogName = "skills.example.org".parse().unwrap();
        let key = SigningKey::generate(&name).unwrap();
        let proof = proof(&key);
        let again = RowProof::parse(&proof.to_string()).unwrap();
        assert_eq!(again, proof);
        assert_eq!(again.check(&[key.verifier().clone()]).unwrap().size, 300);
        let stranger = SigningKey::generate(&name).unwrap();
        assert!(matches!(again.check(&[stranger.verifier().clone()]), Err(ProofError::Checkpoint(_))));
    }

    #[test]
    fn changed_proofs_prove_nothing() {
        let key = SigningKey::generate(&"skills.example.org".parse().unwrap()).unwrap();
        let (keys, proof) = ([key.verifier().clone()], proof(&key));
        let mut hashes = proof.inclusion.hashes.clone();
        hashes[3] = Hash([1; 32]);
        let of = |index, hashes: &RecordProof| InclusionProof { index, hashes: hashes.clone() };
        let same = &proof.inclusion.hashes;
        for inclusion in [of(7, &hashes), of(8, same), of(300, same), of(7, &vec![Hash([1; 32]); 70])] {
            let changed = RowProof { inclusion, ..proof.clone() };
            assert!(matches!(changed.check(&keys), Err(ProofError::NotIncluded { .. })));
        }
        let changed = RowProof { row: row(8), ..proof.clone() };
        assert!(matches!(changed.check(&keys), Err(ProofError::NotIncluded { .. })));
        let text = proof.to_string();
        for bad in [
            "",
            &text[1..],
            &text.replace("extra e", "extra ?"),
            &text.replace("index 7", "index +7"),
            &text.replace("index 7", "index 07"),
            &text.replace("\n\n", "\n"),
        ] {
            assert!(matches!(RowProof::parse(bad), Err(ProofError::Form)), "{bad}");
        }
    }
}
