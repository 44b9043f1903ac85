//! What clients and mirrors read of a registry that may lie: checkpoints, proofs, policies, statements.

use registry::journal::PublicRow;
use registry::transparency_log::{Checkpoint, EpochStatement, LogTile, Policy, RowProof};

/// Reading ends without a panic, and what is read is written as it was.
pub fn hold(bytes: &[u8]) {
    let _ = Checkpoint::read_unverified(bytes);
    let _ = EpochStatement::read_unverified(bytes);
    let text = String::from_utf8_lossy(bytes);
    if let Ok(proof) = RowProof::parse(&text) {
        assert_eq!(
            RowProof::parse(&proof.to_string()).ok(),
            Some(proof.clone()),
            "a proof is read as it is written"
        );
        assert!(proof.check(&[]).is_err(), "nobody is trusted");
    }
    if let Ok(policy) = Policy::parse(bytes) {
        let _ = policy.check_quorum(&text);
    }
    let segments: Vec<_> = text.split('/').collect();
    if let Some(tile) = LogTile::parse(&segments) {
        assert_eq!(tile.to_string(), text, "a tile has one path");
    }
    // A stub may name any digest, but never breaks a reader.
    let _ = PublicRow::new(1, text.into_owned());
}
