//! From live skills to the bytes of pieces and shards.
//!
//! [`LiveSkills`] has the skills under each key, [`Chunks`] the pieces that these are written
//! to. Both follow a change of one skill without a rebuild.

mod changes;
mod chunks;
mod cutoff;
mod key_group;
mod live_skills;
mod piece_cutter;
mod piece_input;
mod posting_list;
mod postings;
mod rank;
mod skill_keys;
mod spelling;
mod two_threads;
mod word_vectors;

pub use changes::IndexChanges;
pub use chunks::Chunks;
pub use key_group::KeyGroup;
pub use live_skills::LiveSkills;
pub use spelling::Spelling;
