//! A file that proves a row offline: C2SP tlog-proof (<https://c2sp.org/tlog-proof>).

use std::fmt;

use data_encoding::BASE64;
use tlog_tiles::{Hash, RecordProof, check_record};

use super::{Checkpoint, CheckpointError, Leaf, VerifierKey};

/// The first line of a proof.
const FIRST_LINE: &str = "c2sp.org/tlog-proof@v1";

/// A proof has at most one hash for each level of the tree.
const MAX_HASHES: usize = 63;

/// The proof that a tree has a leaf, without the tree's checkpoint.
#[derive(Debug, Clone, PartialEq)]
pub struct InclusionProof {
    /// The number of the leaf, from 0.
    pub index: u64,
    /// The hashes beside the path from the leaf to the root.
    pub hashes: RecordProof,
}

/// Why a proof proves nothing.
#[derive(Debug, thiserror::Error)]
pub enum ProofError {
    /// The text has another form.
    #[error("the proof is not in the form of c2sp.org/tlog-proof@v1")]
    Form,
    /// The checkpoint is not one that the verifier trusts.
    #[error("the proof's checkpoint is not valid")]
    Checkpoint(#[from] CheckpointError),
    /// The checkpoint's tree does not have the leaf.
    #[error("the log of {origin} does not have this row: it was changed, or made up")]
    NotIncluded {
        /// The name of the log.
        origin: String,
    },
}

impl InclusionProof {
    /// Checks that the tree of `checkpoint` has `leaf`.
    pub fn check(&self, checkpoint: &Checkpoint, leaf: &Leaf) -> Result<(), ProofError> {
        let is_plausible = self.hashes.len() <= MAX_HASHES && self.index < checkpoint.size;
        let checked = is_plausible
            && check_record(&self.hashes, checkpoint.size, checkpoint.root, self.index, leaf.hash()).is_ok();
        if checked {
            return Ok(());
        }
        Err(ProofError::NotIncluded { origin: checkpoint.origin.to_string() })
    }

    /// The text of a proof file: this proof and the signed checkpoint of its tree.
    pub fn to_file(&self, signed_checkpoint: &str) -> String {
        format!("{self}\n{signed_checkpoint}")
    }

    /// Reads a proof file, checks the checkpoint's signature, and that its tree has `leaf`. Returns
    /// the checkpoint.
    pub fn check_file(text: &str, leaf: &Leaf, keys: &[VerifierKey]) -> Result<Checkpoint, ProofError> {
        let (head, signed) = text.split_once("\n\n").ok_or(ProofError::Form)?;
        let proof = Self::parse(head).ok_or(ProofError::Form)?;
        let checkpoint = Checkpoint::verify(signed.as_bytes(), keys)?;
        proof.check(&checkpoint, leaf)?;
        Ok(checkpoint)
    }

    fn parse(head: &str) -> Option<Self> {
        let mut lines = head.lines().peekable();
        if lines.next()? != FIRST_LINE {
            return None;
        }
        // Data for applications: ours has none.
        lines.next_if(|line| line.starts_with("extra "));
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
        (hashes.len() <= MAX_HASHES).then_some(Self { index, hashes })
    }
}

impl fmt::Display for InclusionProof {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{FIRST_LINE}\nindex {}", self.index)?;
        self.hashes.iter().try_for_each(|hash| writeln!(f, "{}", BASE64.encode(&hash.0)))
    }
}
