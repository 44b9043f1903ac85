//! The transparency log: a Merkle tree with one leaf for each public row.
//!
//! Its format is that of C2SP tlog-tiles (<https://c2sp.org/tlog-tiles>), which other programs
//! verify. `docs/mirrors.md` has the leaf, the checkpoint and test vectors.

mod checkpoint;
mod continuation;
mod cosignature;
mod edge;
mod epoch_statement;
mod inclusion;
mod index;
mod keys;
mod leaf;
pub mod minisign;
mod note;
mod policy;
mod proof;
mod tile;
mod tiled_log;

pub use checkpoint::Checkpoint;
pub use continuation::{Continuation, NotRestored, Restore, continuation};
pub use cosignature::{CosignatureError, WitnessKey, WitnessKeyError};
pub use edge::LogEdge;
pub use epoch_statement::EpochStatement;
pub use inclusion::InclusionProof;
pub use index::LogIndex;
pub use keys::{KeyError, LogName, SigningKey, VerifierKey};
pub use leaf::{Leaf, LeafError};
pub use note::{FalseSignature, MAX_SIGNED_NOTE, SignedNoteError, append_signatures, sign_note, sign_with};
pub use policy::{MAX_POLICY, Policy, PolicyError, Unmet};
pub use proof::{MAX_PROOF, ProofError, RowProof};
pub use tile::LogTile;
pub use tiled_log::{TiledLog, TiledLogError};
pub use tlog_tiles::{Hash, TreeProof};

/// The number of hashes in a full tile, and of entries in a full bundle.
pub const TILE_WIDTH: u64 = 256;

/// The most leaves that a log may have. A larger size in a checkpoint is an attack: no registry
/// appends so many rows.
pub const MAX_SIZE: u64 = 1 << 40;
